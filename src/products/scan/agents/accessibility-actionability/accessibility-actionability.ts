import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { idleControlsOf } from '../../findings/dead-ends/idle-controls.ts'
import { missingPartsOf } from '../../findings/dead-ends/missing-parts.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { scriptThatWrites } from '../../findings/scripted/scripted-parts.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { absolute, addressKey, shown } from '../../site/addresses.ts'
import { attributeOf, hasAttribute, type PageElement, spokenText } from '../../site/html/elements.ts'
import { scriptedTargets } from '../../site/html/scripted/scripted-targets.ts'
import { around, isElement, labelOf } from '../../site/html/visible-text.ts'
import { isNamedTrail } from '../../site/shown-trail.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Agent, byWords, kindLanguages } from '../agent.ts'
import { judgeAria } from './aria.ts'
import { judgeAutocomplete } from './autocomplete.ts'
import { isBackdrop } from './backdrops.ts'
import { type CallToAction, findCallToAction } from './call-to-action.ts'
import { judgeNames } from './control-names.ts'
import { judgeLanguage } from './declared-language.ts'
import { judgeAlternatives, judgeLabels } from './element-names.ts'
import { markupOf } from './markup.ts'

/**
 * Whether a program that works with the accessibility tree can operate the pages. The checks see the HTML
 * but not what scripts add later, so their texts speak of the HTML.
 */
export const accessibilityActionability: Agent = {
  id: 'accessibility-actionability',
  name: 'Accessibility for agents',
  checks: [
    { id: 'labels', title: 'Form fields have labels', weight: 5, run: needsPages(judgeLabels) },
    { id: 'names', title: 'Buttons and links have names', weight: 5, run: needsPages(judgeNames) },
    { id: 'lang', title: 'The language is declared', weight: 3, run: needsPages(judgeLanguage) },
    { id: 'alt', title: 'Images have alternative text', weight: 3, run: needsPages(judgeAlternatives) },
    { id: 'real-controls', title: 'Actions are real controls', weight: 3, run: needsPages(judgeControls) },
    {
      id: 'landmarks',
      title: 'Main part and navigation are marked',
      weight: 2,
      run: unlessShell(needsPages(judgeLandmarks)),
    },
    { id: 'aria-valid', title: 'ARIA is valid', weight: 2, run: needsPages(judgeAria) },
    {
      id: 'autocomplete',
      title: 'Personal fields say what they hold',
      weight: 2,
      run: needsPages(judgeAutocomplete),
    },
    {
      id: 'cta',
      title: 'The next step can be operated',
      weight: 2,
      run: byWords(kindLanguages, needsHome(judgeCallToAction)),
    },
    { id: 'iframes', title: 'Frames have titles', weight: 1, run: needsPages(judgeFrames) },
  ],
}

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

function judgeControls(pages: readonly Page[]): Outcome {
  const fake = pages.flatMap((page) => {
    const holders = holdersOfControls(page)
    return page.elements
      .filter(
        ({ name, node }) =>
          (/^(?:div|span|img)$/.test(name) || (name === 'a' && !hasAttribute(node, 'href'))) &&
          hasAttribute(node, 'onclick') &&
          !isIdle(attributeOf(node, 'onclick')) &&
          attributeOf(node, 'role') === '' &&
          !holders.has(node) &&
          !isBackdrop(node),
      )
      .map((element) => ({
        url: page.url,
        value: `onclick without a role: ${markupOf(element)}`,
        isNameless: spokenText(element.node) === '',
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
    `${fake.length > 0 ? 'Turn elements with onclick into <button> or <a href>' : 'Remove positive tabindex values'}; begin with ${first.value.replace(/^[^<]*: (?=<)/, '')} on ${shown(first.url)}.${fake.some(({ isNameless }) => isNameless) ? ' Say in an aria-label what each does that shows no text.' : ''}${fake.some(({ isInLink }) => isInLink) ? ' Move what stands within another link or button out of it first.' : ''}${fake.some(({ isInForm }) => isInForm) ? ' Within a form, give the button the type “button”, or it sends the form.' : ''}`,
    ...[...fake, ...ordered].slice(0, maxPlaces).map(({ url, value }) => ({ url, value })),
  )
}

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

function judgeLandmarks(pages: readonly Page[], site: Site): Outcome {
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
    unmarked.some(({ missing }) => missing.length < lacked.length)
      ? lacked.map((region) => orderToMark(region, unmarked)).join(' ')
      : unmarked.length > 1 && unmarked.length === pages.length
        ? `Put ${lacked.map((name, at) => (name === 'main' ? 'the content of each page into <main>' : `${at > 0 ? 'its menu' : 'the menu of each page'} into <nav>`)).join(' and ')}, beginning with ${shown(first.url)}.`
        : `Put ${lacked.map((name) => (name === 'main' ? `the content of ${shown(first.url)} into <main>` : `${lacked.length > 1 ? 'its menu' : `the menu of ${shown(first.url)}`} into <nav>`)).join(' and ')}${unmarked.length > 1 ? `, and likewise on ${counted(unmarked.length - 1, 'more page')}` : ''}.`,
    ...unmarked.slice(0, maxPlaces).map(({ url, value }): Evidence => ({ url, value })),
  )
}

/** The address of a link for words that are a mail address, or that name a number to call: "Call 944 547 2437". */
function contactIn(text: string): string | undefined {
  const mail = /^[\w.+-]+@[\w.-]+\.[a-z]{2,}$/i.exec(text.trim())?.[0]
  if (mail !== undefined) return `mailto:${mail}`
  const [phone = ''] = /\+?\(?\d[\d\s()./-]{5,20}\d/.exec(text) ?? []
  const digits = phone.replace(/[^\d+]/g, '')
  return digits.replace('+', '').length >= 7 ? `tel:${digits}` : undefined
}

function judgeCallToAction(home: Page, site: Site): Outcome {
  const step = findCallToAction(
    home,
    new Set([...missingPartsOf(site), ...idleControlsOf(site)].map(({ node }) => node)),
  )
  if (step === undefined)
    return notApplicable('The page asks for no next step that was recognised by its words.')
  const evidence = { url: home.url, value: shown(`"${step.text}": ${step.markup}`, 160) }
  const contact = contactIn(step.text)
  if (step.isOperable)
    return pass(`The next step, "${shown(step.text, 60)}", is a link or a button.`, evidence)
  return fail(
    `What visitors are asked to do next, "${shown(step.text, 60)}", ${whyInoperable(step)}. ${step.isDead ? 'An agent' : 'An agent that runs no scripts'} cannot do it.`,
    contact === undefined
      ? step.isLink
        ? `Give the link "${shown(step.text, 60)}" on ${shown(home.url)} the address of the page, or of the part of this page, where visitors can do it.`
        : `Make "${shown(step.text, 60)}" on ${shown(home.url)} an <a href> to where visitors can do it, or a <button> that does it.`
      : `Make "${shown(step.text, 60)}" an <a href="${contact}">, on each page that has it.`,
    evidence,
  )
}

function whyInoperable({ isDead, isLink }: CallToAction): string {
  if (!isDead) return 'is neither a link with an address nor a button'
  return isLink
    ? 'is a link to a part that the page does not have'
    : 'is a button that does nothing: no script listens to it'
}

function judgeFrames(pages: readonly Page[]): Outcome {
  const frames = pages.flatMap((page) =>
    page.elements
      .filter(
        ({ name, node, isHidden }) =>
          name === 'iframe' && !isHidden && !['0', '1'].includes(attributeOf(node, 'width')),
      )
      .map((element) => ({ page, element })),
  )
  if (frames.length === 0) return notApplicable('No page that was read shows a frame.')
  const unnamed = frames.filter(
    ({ element: { node } }) => attributeOf(node, 'title') === '' && attributeOf(node, 'aria-label') === '',
  )
  const [first] = unnamed
  const quote = (list: typeof frames) =>
    list.slice(0, maxPlaces).map(({ page, element }) => ({ url: page.url, value: markupOf(element) }))
  if (first === undefined)
    return pass(
      `${frames.length === 1 ? 'The frame' : `Each of ${frames.length} frames`} has a title.`,
      ...quote(frames),
    )
  return fail(
    `${unnamed.length} of ${counted(frames.length, 'frame')} ${unnamed.length === 1 ? 'has' : 'have'} no title, so an agent does not know what is embedded.`,
    `Add a title to ${markupOf(first.element)} on ${shown(first.page.url)} that says what it holds.${andTheRest(unnamed.length - 1, 'embedded page')}`,
    ...quote(unnamed),
  )
}
