import { absolute, addressKey, shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around, type Element, textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/** A page on the way from the home page to another, as the site calls and links it. */
export interface Step {
  readonly name: string
  readonly item: string
}

/**
 * The way that a page itself shows above its text: "Home / Shop / Wild Fig". Its last step is the page. Undefined where
 * it shows none, or one that does not begin with a link.
 */
export function shownTrail(page: Page): readonly Step[] | undefined {
  const trail = page.elements.find(({ node, isHidden }) => !isHidden && isTrail(node))?.node
  if (trail === undefined) return undefined
  const links = page.$(trail).find('a[href]').toArray().slice(0, maxSteps)
  const steps = links.flatMap((link) => {
    const item = absolute(attributeOf(link, 'href'), page.url)
    const name = shown(textWithin([link]).trim(), 120)
    return item === undefined || name === '' ? [] : [{ name, item }]
  })
  if (steps.length === 0) return undefined
  const above = steps.filter(({ item }) => addressKey(item) !== addressKey(page.url))
  const own = textBehind(trail, links.at(-1)) || steps.find((step) => !above.includes(step))?.name
  return own === undefined || above.length === 0 ? undefined : [...above, { name: own, item: page.url }]
}

const maxSteps = 8

function isTrail(node: Element): boolean {
  const name = ['class', 'id', 'aria-label'].map((one) => attributeOf(node, one).slice(0, 200)).join(' ')
  return /(?:^|[\s_-])breadcrumbs?(?:$|[\s_-])/i.test(name) && /^(?:nav|ol|ul|div|p|section)$/.test(node.name)
}

/** The words behind the last link, without the sign between the steps. */
function textBehind(trail: Element, last: Element | undefined): string {
  if (last === undefined) return ''
  const whole = textWithin([trail])
  const label = textWithin([last]).trim()
  const rest = whole.slice(whole.lastIndexOf(label) + label.length)
  const name = rest.replace(/^[^\p{L}\p{N}]+/u, '').trim()
  return around(last).includes(trail) ? shown(name, 120) : ''
}

/**
 * How the site calls its pages and where it links them, by `addressKey`. The words of the menu come first, because
 * a main heading is often a slogan. A link that leads nowhere names no page.
 */
export function stepsOf({ pages, repliesByAddress }: Site): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>()
  const add = (url: string, name: string) => {
    const key = addressKey(url)
    if (name !== '' && !steps.has(key)) steps.set(key, { name: shown(name, 120), item: url })
  }
  const links = pages
    .flatMap((page) => page.links)
    .filter(({ url, isInternal }) => isInternal && repliesByAddress.get(addressKey(url))?.status === 200)
  for (const { url, text } of links.filter(
    ({ isNavigation, text: label }) => isNavigation && label.length <= 60,
  ))
    add(url, text)
  for (const { url, headings } of pages) add(url, headings.find(({ level }) => level === 1)?.text ?? '')
  for (const { url, text } of links) add(url, text)
  return steps
}
