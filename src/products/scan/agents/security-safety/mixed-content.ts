import { type Evidence, fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { headerOf } from '../../site/files/headers.ts'
import { candidatesOf } from '../../site/html/pictures/srcset.ts'
import { isElement } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Judges whether pages over https:// load parts over http://. Browsers block these parts, so agents see an
 * incomplete page.
 */
export function judgeMixed(pages: readonly Page[]): Outcome {
  const secure = pages.filter(({ url }) => url.startsWith('https:'))
  const [first] = secure
  if (!first) return notApplicable('The pages are served over http:// themselves.')
  const parts = secure.flatMap((page) => (isUpgraded(page) ? [] : insecureParts(page)))
  if (parts.length === 0) {
    return pass(`No part loaded over http:// was found on ${counted(secure.length, 'page')}.`, {
      url: first.url,
      value: 'no http:// subresource',
    })
  }
  return fail(
    `${counted(parts.length, 'part')} of the pages ${parts.length === 1 ? 'is' : 'are'} loaded over http://; browsers block such parts or others can replace them.`,
    `Load ${parts[0]?.value ?? ''} over https:// in ${parts[0]?.url ?? ''}.${andTheRest(parts.length - 1, 'part')}${parts.some(({ url, value }) => !value.includes(`//${new URL(url).host}`)) ? ' Where another server does not answer over https://, put a copy of the file on your own site, and load that.' : ''}`,
    ...parts.slice(0, maxPlaces),
  )
}

/** The page's policy makes browsers load all parts over https://. */
function isUpgraded(page: Page): boolean {
  const inMarkup = page
    .$('meta[http-equiv="content-security-policy" i]')
    .toArray()
    .map(({ attribs }) => attribs.content ?? '')
  const policy = [headerOf(page.reply, 'content-security-policy'), ...inMarkup].join(';')
  return /(?:^|[;,\s])upgrade-insecure-requests(?:$|[;,\s])/i.test(policy)
}

const loading: readonly (readonly [selector: string, attribute: string])[] = [
  ['script[src]', 'src'],
  ['img[src]', 'src'],
  ['img[srcset], source[srcset]', 'srcset'],
  ['iframe[src]', 'src'],
  ['audio[src], video[src], source[src], track[src], embed[src]', 'src'],
  ['video[poster]', 'poster'],
  ['object[data]', 'data'],
  ['link[href]', 'href'],
]

const loadingRels = /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|preload|modulepreload|manifest)(?:\s|$)/i

function insecureParts({ $, url }: Page): Evidence[] {
  const parts = loading.flatMap(([selector, attribute]) =>
    $(selector)
      .toArray()
      .slice(0, 2_000)
      .filter(isElement)
      .flatMap(({ name, attribs }) => {
        if (name === 'link' && !loadingRels.test(attribs.rel ?? '')) return []
        const address = addressesIn(attribs[attribute] ?? '', attribute).find((one) => /^http:/i.test(one))
        return address === undefined ? [] : [{ url, value: `<${name}> ${shown(address)}` }]
      }),
  )
  const styles = $('style')
    .toArray()
    .flatMap((style) => [
      ...$(style)
        .text()
        .slice(0, 500_000)
        .matchAll(/url\(\s{0,9}["']?(http:[^"')\s]{1,2000})/gi),
    ])
    .map(([, address = '']) => ({ url, value: `<style> ${shown(address)}` }))
  return [...parts, ...styles].slice(0, 100)
}

function addressesIn(value: string, attribute: string): string[] {
  return attribute === 'srcset' ? candidatesOf(value).map(({ address }) => address) : [value.trim()]
}
