import { fail, type Outcome, pass } from '../../findings/check.ts'
import { counted, maxPlaces } from '../../findings/share.ts'
import { addressKey, shown } from '../../site/addresses.ts'
import {
  attributeOf,
  elementsWithin,
  hasAttribute,
  type PageElement,
  spokenText,
} from '../../site/html/elements.ts'
import { scriptedTargets } from '../../site/html/scripted/scripted-targets.ts'
import { around, textWithin } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'
import { isBackdrop } from './backdrops.ts'
import { markupOf } from './markup.ts'

/** Judges whether what can be clicked is a button or a link, which the accessibility tree shows. */

/** An empty handler, as some pages have for touch screens, is no action. Nor is one that only stops a click. */
function isIdle(code: string): boolean {
  return /^(?:\s|;|return(?:\s+(?:true|false))?(?=;|\s|$)|void\(0\)|(?:event|e)\.(?:stopPropagation|preventDefault|stopImmediatePropagation)\(\))*$/.test(
    code.slice(0, 200),
  )
}

/** A page to which a link leads as well, or the page itself: crawlers know it. */
function isFound({ url, links }: Page, target: string): boolean {
  const key = addressKey(target)
  return addressKey(url) === key || links.some((link) => addressKey(link.url) === key)
}

/**
 * The elements around buttons, links and fields. A card that can be clicked and has a button in it is no control itself: a
 * button within a button is no HTML. Each is visited once, however deep a page nests them.
 */
function holdersOfControls({ elements }: Page): ReadonlySet<unknown> {
  const holders = new Set<unknown>()
  for (const { name, node } of elements) {
    if (!/^(?:a|button|input|select|textarea)$/.test(name)) continue
    for (let around = node.parent; around !== null && !holders.has(around); around = around.parent)
      holders.add(around)
  }
  return holders
}

/** What opens something else within a link or a button: HTML allows no control in another one. */
function isWithinLink(node: PageElement['node']): boolean {
  return around(node)
    .slice(0, 10)
    .some(({ name, attribs }) => name === 'button' || (name === 'a' && (attribs.href ?? '').trim() !== ''))
}

/**
 * A box that shows more of itself on a click, with a link in what it shows: `<div onclick="toggle(this)">Crowns <p>… <a>`. The
 * link does something else than the box. A menu has no text beside its links, and a button in a box may do the same.
 */
function opensItself({ node }: PageElement): boolean {
  const code = attributeOf(node, 'onclick').slice(0, 300)
  if (!/\bthis\b/.test(code) || !/toggle|expand|flip|reveal|accordion|collapse/i.test(code)) return false
  if (elementsWithin(node, 'button, input, select, textarea, [role=button]').length > 0) return false
  const own = textWithin([node], ({ name }) => name === 'a')
  return own.length <= maxBox && /\p{L}{2}/u.test(own)
}

/** Longer ones are parts of a page. */
const maxBox = 600

export function judgeControls(pages: readonly Page[]): Outcome {
  const fake = pages.flatMap((page) => {
    const holders = holdersOfControls(page)
    return page.elements
      .filter(
        ({ name, node }) =>
          (/^(?:div|span|img)$/.test(name) || (name === 'a' && !hasAttribute(node, 'href'))) &&
          hasAttribute(node, 'onclick') &&
          !isIdle(attributeOf(node, 'onclick')) &&
          attributeOf(node, 'role') === '' &&
          !isBackdrop(node),
      )
      .filter((element) => !holders.has(element.node) || opensItself(element))
      .map((element) => ({
        url: page.url,
        value: `onclick without a role: ${markupOf(element)}`,
        kind: element.name === 'img' ? 'picture' : holders.has(element.node) ? 'box' : 'other',
        isNameless: spokenText(element.node) === '' && attributeOf(element.node, 'alt') === '',
        isInForm: element.form !== undefined,
        isInLink: isWithinLink(element.node),
      }))
  })
  const ordered = pages.flatMap((page) =>
    page.elements
      .filter(({ node }) => /^\+?0*[1-9]\d{0,5}$/.test(attributeOf(node, 'tabindex')))
      .map((element) => ({
        url: page.url,
        value: `tabindex="${attributeOf(element.node, 'tabindex')}": ${markupOf(element)}`,
      })),
  )
  const opening = pages.flatMap((page) =>
    scriptedTargets(page)
      .filter(({ url }) => !isFound(page, url))
      .map(({ url, text }) => ({
        url: page.url,
        value: `"${shown(text, 40)}" opens ${shown(url)} by a script`,
      })),
  )
  if (fake.length === 0 && ordered.length === 0 && opening[0] !== undefined)
    return fail(
      `${counted(opening.length, 'control')} ${opening.length === 1 ? 'opens a page' : 'open pages'} by a script and ${opening.length === 1 ? 'is no link' : 'are no links'}. Crawlers and agents that run no scripts do not find these pages.`,
      `Turn what opens a page into a link with its address; begin with ${opening[0].value} on ${shown(opening[0].url)}.`,
      ...opening.slice(0, maxPlaces),
    )
  const [first] = [...fake, ...ordered]
  if (first === undefined) {
    return pass(
      'Nothing with an onclick attribute lacks a role, and nothing changes the order of focus. No control opens a page by a script.',
      {
        url: pages[0]?.url ?? '',
        value: `0 onclick outside of buttons and links, 0 positive tabindex on ${counted(pages.length, 'page')}`,
      },
    )
  }
  return fail(
    [
      ...(fake.length > 0
        ? [
            `${counted(fake.length, 'element')} with onclick ${fake.length === 1 ? 'is' : 'are'} neither a button nor a link with an address. Such actions are missing in the accessibility tree.`,
          ]
        : []),
      ...(ordered.length > 0
        ? [
            `${counted(ordered.length, 'element')} ${ordered.length === 1 ? 'has' : 'have'} a positive tabindex, which changes the order of focus.`,
          ]
        : []),
    ].join(' '),
    `${fake.length > 0 ? orderFor(fake) : `Remove positive tabindex values; begin with ${placeOf(first)}.`}${fake.some(({ isNameless }) => isNameless) ? ' Say in an aria-label what each does that shows no text.' : ''}${fake.some(({ isInLink }) => isInLink) ? ' Move what stands within another link or button out of it first.' : ''}${fake.some(({ isInForm }) => isInForm) ? ' Within a form, give the button the type “button”, or it sends the form.' : ''}`,
    ...[...fake, ...ordered].slice(0, maxPlaces).map(({ url, value }) => ({ url, value })),
  )
}

interface Fake {
  readonly url: string
  readonly value: string
  readonly kind: string
}

function placeOf({ url, value }: Pick<Fake, 'url' | 'value'>): string {
  return `${value.replace(/^[^<]*: (?=<)/, '')} on ${shown(url)}`
}

/** A picture turned into a button would be none, and a link may stand in no button: each gets a button of its own. */
function orderFor(fake: readonly Fake[]): string {
  const [other, picture, box] = ['other', 'picture', 'box'].map((kind) =>
    fake.find((one) => one.kind === kind),
  )
  const begin = (one: Fake, isFirst: boolean) => (isFirst ? `; begin with ${placeOf(one)}` : '')
  return [
    other && `Turn elements with onclick into <button> or <a href>${begin(other, true)}.`,
    picture &&
      `Put each picture with onclick into a <button> that takes the onclick${begin(picture, other === undefined)}. Its class and alt stay on the picture.`,
    box &&
      `Put into each box that opens on a click a <button> that takes the onclick${begin(box, other === undefined && picture === undefined)}. Put it around the title of the box, so that no link stands within it, and let “this” still mean the box.`,
  ]
    .filter((order) => order !== undefined)
    .join(' ')
}
