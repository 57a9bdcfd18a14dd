import { absolute, addressKey, shown } from './addresses.ts'
import { attributeOf, elementsWithin } from './html/elements.ts'
import { around, type Element, isElement, textWithin } from './html/visible-text.ts'
import type { Page } from './site.ts'

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
  const trail = page.elements.find(({ node, isHidden }) => !isHidden && isTrail(node, page))?.node
  if (trail === undefined) return undefined
  const links = elementsWithin(trail, 'a[href]').slice(0, maxSteps)
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

function isTrail(node: Element, page: Page): boolean {
  if (!/^(?:nav|ol|ul|div|p|section)$/.test(node.name)) return false
  return isNamedTrail(node) || isListedTrail(node, page)
}

/** Whether the element says by its class, its id or its label that it holds the way to the page. */
export function isNamedTrail(node: Element): boolean {
  const name = ['class', 'id', 'aria-label'].map((one) => attributeOf(node, one).slice(0, 200)).join(' ')
  return /(?:^|[\s_-])breadcrumbs?(?:$|[\s_-])/i.test(name)
}

/** A list of two to five steps without a name for it: the first leads to the root of the site, and the last is no link. */
function isListedTrail(node: Element, page: Page): boolean {
  if (node.name !== 'ul' && node.name !== 'ol') return false
  const steps = node.children.filter(isElement)
  const [first, last] = [steps[0], steps.at(-1)]
  if (steps.length < 2 || steps.length > 5 || first === undefined || last === undefined) return false
  const linkIn = (step: Element) => step.children.filter(isElement).find((child) => child.name === 'a')
  const [start] = [linkIn(first)]
  if (start === undefined || !steps.slice(1, -1).every((step) => linkIn(step) !== undefined)) return false
  const target = absolute(attributeOf(start, 'href'), page.url)
  const isRoot = target !== undefined && addressKey(target) === addressKey(new URL('/', page.url).href)
  return isRoot && last.children.every((child) => !isElement(child)) && textWithin([last]).trim() !== ''
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
