import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { idleControlsOf } from '../../findings/dead-ends/idle-controls.ts'
import { missingPartsOf } from '../../findings/dead-ends/missing-parts.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Agent, byWords, kindLanguages } from '../agent.ts'
import { judgeAria } from './aria.ts'
import { judgeAutocomplete } from './autocomplete.ts'
import { type CallToAction, findCallToAction } from './call-to-action.ts'
import { judgeNames } from './control-names.ts'
import { judgeLanguage } from './declared-language.ts'
import { judgeAlternatives, judgeLabels } from './element-names.ts'
import { judgeLandmarks } from './landmarks.ts'
import { markupOf } from './markup.ts'
import { judgeControls } from './real-controls.ts'

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
