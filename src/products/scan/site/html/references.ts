import type { CheerioAPI } from 'cheerio'
import { absolute } from '../addresses.ts'

/**
 * Addresses of the stylesheets that a page links, in document order, also of those that its first line only loads ahead and
 * a script then uses. A source map ("main.css.map") has no style.
 */
export function stylesheetsOf($: CheerioAPI, pageUrl: string): readonly string[] {
  return addressesOf($, stylesheets, 'href', baseOf($, pageUrl)).filter(
    (url) => !/\.map(?:$|[?#])/i.test(url),
  )
}

const stylesheets =
  'link[rel~="stylesheet" i][href], link[rel~="preload" i][as="style" i][onload*="stylesheet" i][href]'

/** The address by which a page resolves its references. */
export function baseOf($: CheerioAPI, pageUrl: string): string {
  return absolute($('base[href]').attr('href') ?? '', pageUrl) ?? pageUrl
}

/** Each address once, in document order. */
export function addressesOf(
  $: CheerioAPI,
  selector: string,
  attribute: string,
  base: string,
): readonly string[] {
  const urls = $(selector)
    .toArray()
    .slice(0, maxElements)
    .flatMap((element) => absolute($(element).attr(attribute) ?? '', base) ?? [])
  return [...new Set(urls)]
}

export const maxElements = 500
