import { absolute, isSameSite, pathOf } from '../../addresses.ts'
import type { Page } from '../../site.ts'
import { attributeOf, spokenText } from '../elements.ts'

/** A page that a click opens by a script, where a crawler finds no link. */
export interface ScriptedTarget {
  readonly url: string
  readonly text: string
}

/** `<button onclick="location.href='about.html'">About</button>`: a menu that only a browser can follow. */
export function scriptedTargets(page: Page): readonly ScriptedTarget[] {
  return page.elements
    .flatMap(({ node, name, isHidden }) => {
      const code = name === 'a' || isHidden ? '' : attributeOf(node, 'onclick').slice(0, 500)
      const [, href] = opening.exec(code) ?? []
      const url = href === undefined ? undefined : absolute(href, page.url)
      if (url === undefined || !isSameSite(url, page.url) || isDocument.test(pathOf(url))) return []
      return [{ url, text: spokenText(node, 50).slice(0, 100) }]
    })
    .slice(0, maxTargets)
}

const opening =
  /(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\(|window\.open\()\s*["'`]([^"'`$]{1,300})["'`]/

/** No page of the site, and nothing that a scan would read. */
const isDocument = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|jpe?g|png|gif|webp|zip|mp[34]|ics|vcf)$/i

const maxTargets = 200
