import { shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * A file that a script puts into a page in a browser: `<div w3-include-html="menu.html">`. The scan runs no scripts, so
 * what that file says was not seen.
 * @returns its address as the page writes it
 */
export function includedPart({ home }: Pick<Site, 'home'>): string | undefined {
  const part = home?.elements.map(includeOf).find((address) => address !== '')
  return part === undefined ? undefined : shown(part, 60)
}

/** Whether such a file is put between header and footer, where it may hold most of the text. */
export function includesText({ elements }: Page): boolean {
  return elements.some(
    (element) => !/^(?:header|nav|footer)$/.test(element.region ?? '') && includeOf(element) !== '',
  )
}

function includeOf({ name, node }: Page['elements'][number]): string {
  if (name === 'include-fragment') return attributeOf(node, 'src')
  const loads = /(?:^|[\s,])load(?:$|[\s,])/.test(attributeOf(node, 'hx-trigger'))
  const address = Object.keys(node.attribs)
    .map((attribute) => ({ attribute, value: attributeOf(node, attribute).trim() }))
    .find(
      ({ attribute, value }) =>
        (including.test(attribute) && !/^(?:|true|false|\d+)$/i.test(value)) ||
        (loading.test(attribute) && isFile.test(value)),
    )?.value
  return address ?? (loads ? attributeOf(node, 'hx-get') : '')
}

/** "w3-include-html", "data-include", "data-include-path": there is no one name for it. */
const including = /^(?:data-)?(?:w3-)?(?:html-)?include(?:-(?:html|path|src|url|file|page|part))*$/

/** These names are used for other things, too, so their value has to be the address of a page. */
const loading = /^data-(?:partial|fragment|load)(?:-(?:html|path|src|url|file))*$/
const isFile = /^[\w./:-]{1,200}\.(?:x?html?|php|inc|tpl|shtml)(?:[?#]\S*)?$/i
