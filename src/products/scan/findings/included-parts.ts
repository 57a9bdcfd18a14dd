import { shown } from '../site/addresses.ts'
import { attributeOf } from '../site/html/elements.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * A file that a script puts into a page in a browser: `<div w3-include-html="menu.html">`. The scan runs no scripts, so
 * what that file says was not seen.
 * @returns its address as the page writes it
 */
export function includedPart({ home }: Pick<Site, 'home'>): string | undefined {
  const part = home?.elements.map(includeOf).find((address) => address !== '')
  return part === undefined ? undefined : shown(part, 60)
}

function includeOf({ name, node }: Page['elements'][number]): string {
  if (name === 'include-fragment') return attributeOf(node, 'src')
  const loads = /(?:^|[\s,])load(?:$|[\s,])/.test(attributeOf(node, 'hx-trigger'))
  const written = [
    'w3-include-html',
    'data-include',
    'data-include-html',
    'include-html',
    'data-w3-include-html',
  ]
  const address = written.map((attribute) => attributeOf(node, attribute)).find((one) => one !== '')
  return address ?? (loads ? attributeOf(node, 'hx-get') : '')
}
