import { isBlankPage } from '../../findings/blank-pages.ts'
import { type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { scriptThatWrites } from '../../findings/scripted/scripted-parts.ts'
import { counted, listed, maxPlaces } from '../../findings/share.ts'
import { absolute, addressKey, shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around, isElement, labelOf } from '../../site/html/visible-text.ts'
import { isNamedTrail } from '../../site/shown-trail.ts'
import type { Page, Site } from '../../site/site.ts'
import { rulesBetweenParts } from './rules-between-parts.ts'

/** Judges whether the main part and the menu are marked, so that a program finds where the content begins. */

/**
 * Three links or more to pages of its own that stand side by side, outside of footer and text. A site of one page may link
 * nothing of its own, and a page for one offer only what it sells.
 */
function hasMenu(page: Page): boolean {
  const inner = new Set(page.links.flatMap(({ url, isInternal }) => (isInternal ? addressKey(url) : [])))
  const places = new Map<unknown, Set<string>>()
  for (const { name, node, region } of page.elements) {
    const target =
      name === 'a' && region !== 'footer' ? absolute(attributeOf(node, 'href'), page.url) : undefined
    if (target === undefined || !inner.has(addressKey(target)) || labelOf(node).length > maxMenuItem) continue
    const place = isElement(node.parent) && node.parent.name === 'li' ? node.parent.parent : node.parent
    places.set(place, (places.get(place) ?? new Set()).add(addressKey(target)))
  }
  return [...places.values()].some(({ size }) => size >= 3)
}

const maxMenuItem = 40

interface Unmarked {
  readonly url: string
  readonly missing: readonly ('main' | 'nav')[]
}

/** Where one page lacks the one and another the other, each is ordered by itself. */
function orderToMark(region: 'main' | 'nav', unmarked: readonly Unmarked[]): string {
  const [first, ...others] = unmarked.filter(({ missing }) => missing.includes(region))
  if (first === undefined) return ''
  const what = region === 'main' ? 'the content' : 'the menu'
  return `Put ${what} of ${shown(first.url)} into <${region}>${others.length === 0 ? '' : `, and likewise on ${counted(others.length, 'more page')}`}.`
}

/** The trail that leads to a page is no menu of the site. */
function marks({ elements }: Page, landmark: 'main' | 'nav'): boolean {
  return elements.some(
    ({ region, node }) =>
      region === landmark && (landmark === 'main' || ![node, ...around(node)].some(isNamedTrail)),
  )
}

export function judgeLandmarks(read: readonly Page[], site: Site): Outcome {
  const written = read.filter((page) => !isBlankPage(page, site))
  const pages = written.length === 0 ? read : written
  const unmarked = pages.flatMap((page) => {
    const wanted = hasMenu(page) ? (['main', 'nav'] as const) : (['main'] as const)
    const missing = wanted.filter((region) => !marks(page, region))
    const value = `no ${missing.map((name) => `<${name}>`).join(' and no ')}`
    return missing.length === 0 ? [] : [{ url: page.url, value, missing }]
  })
  const lacked = (['main', 'nav'] as const).filter((region) =>
    unmarked.some(({ missing }) => missing.includes(region)),
  )
  const [first] = unmarked
  if (first === undefined) {
    const some = pages.find((page) => marks(page, 'nav'))
    return pass(
      `${pages.length === 1 ? 'The page' : `Each of ${pages.length} pages`} marks its main part${some === undefined ? '' : ' and its navigation'}.`,
      some === undefined
        ? { url: pages[0]?.url ?? '', value: '<main>; no menu was found that would have to be marked' }
        : { url: some.url, value: '<main> and <nav>' },
    )
  }
  const scripts = lacked.map((region) => scriptThatWrites(site, region))
  const [script] = scripts
  if (script !== undefined && !scripts.includes(undefined))
    return unmeasured(
      `In the HTML as sent ${lacked.map((name) => `<${name}>`).join(' and ')} ${lacked.length === 1 ? 'is' : 'are'} missing; ${script.name} writes ${lacked.length === 1 ? 'it' : 'them'}. Scripts are not run, so it was not seen.`,
    )
  return fail(
    `${unmarked.length} of ${counted(pages.length, 'page')} ${unmarked.length === 1 ? 'lacks' : 'lack'} ${lacked.map((name) => `a <${name}>`).join(' or ')}, so an agent has to guess where the ${lacked.includes('main') ? 'content begins' : 'menu is'}.`,
    `${orderFor(lacked, unmarked, pages.length)}${lacked.includes('main') ? keepLook(site) : ''}`,
    ...unmarked.slice(0, maxPlaces).map(({ url, value }): Evidence => ({ url, value })),
  )
}

function orderFor(
  lacked: readonly ('main' | 'nav')[],
  unmarked: readonly Unmarked[],
  countOfPages: number,
): string {
  const [first] = unmarked
  if (first === undefined) return ''
  if (unmarked.some(({ missing }) => missing.length < lacked.length))
    return lacked.map((region) => orderToMark(region, unmarked)).join(' ')
  if (unmarked.length > 1 && unmarked.length === countOfPages)
    return `Put ${lacked.map((name, at) => (name === 'main' ? 'the content of each page into <main>' : `${at > 0 ? 'its menu' : 'the menu of each page'} into <nav>`)).join(' and ')}, beginning with ${shown(first.url)}.`
  return `Put ${lacked.map((name) => (name === 'main' ? `the content of ${shown(first.url)} into <main>` : `${lacked.length > 1 ? 'its menu' : `the menu of ${shown(first.url)}`} into <nav>`)).join(' and ')}${unmarked.length > 1 ? `, and likewise on ${counted(unmarked.length - 1, 'more page')}` : ''}.`
}

/** With another element around the content, `section + footer` matches nothing any more. */
function keepLook(site: Site): string {
  const rules = rulesBetweenParts(site)
    .slice(0, maxRules)
    .map((rule) => `“${rule}”`)
  const such =
    rules.length === 0
      ? ''
      : ` The style has ${rules.length === 1 ? 'such a rule' : 'such rules'}: ${listed(rules)}.`
  return ` The pages shall look as before: change each style rule that depends on what stands next to header or footer.${such}`
}

const maxRules = 3
