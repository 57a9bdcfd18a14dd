import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
} from '../../findings/check.ts'
import { filledWithQuestions } from '../../findings/scripted/filled-pages.ts'
import { counted, judgeShare, portion } from '../../findings/share.ts'
import { type FaqSection, faqSection } from '../../signals/questions/faq-section.ts'
import type { Signals } from '../../signals/signals.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { inMenuOf } from '../../site/contact/menus.ts'
import { spokenText } from '../../site/html/elements.ts'
import { linkedWords } from '../../site/html/main/boxes-beside.ts'
import { isBelowTitle, type Section } from '../../site/html/main/main-part.ts'
import { around, type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import { asksQuestion, countWords } from '../../site/html/words.ts'
import { isByVisitors } from '../../site/kinds/page-kinds.ts'
import { linksToKind, noticesOf, pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import { headingFaults, isLevelChange, maxWordsBetweenHeadings } from './heading-order.ts'

/**
 * The checks of how the text is divided: headings, questions with their answers, lists and tables. Engines
 * cut passages along these lines.
 */
export function judgeHierarchy(all: readonly Page[]): Outcome {
  const pages = all.filter(
    ({ headings, mainText }) =>
      headings.length > 1 ||
      (headings.length === 1 && countWords(mainText) > maxTinyWords) ||
      countWords(mainText) > maxWordsBetweenHeadings,
  )
  if (pages.length === 0)
    return notApplicable('The content pages have no headings, and too little text to need any.')
  const faulty = pages.flatMap((page) => {
    const [fault, ...more] = headingFaults(page)
    return fault === undefined ? [] : [{ url: page.url, value: fault, more }]
  })
  const good = pages.length - faulty.length
  const [first] = faulty
  const isOrder = first !== undefined && isLevelChange(first.value)
  const judged = judgeShare(
    good,
    pages.length,
    {
      reason: `${
        faulty.length === 0
          ? `${portion(good, pages.length, 'content page', 'has', 'have')} headings in order and often enough`
          : `${portion(faulty.length, pages.length, 'content page', 'has', 'have')} ${faultsIn(faulty)}`
      }. Programs quote what stands below a heading, and see by the next one where it ends.`,
      // Each may have another fault.
      fix: `${first === undefined ? '' : headingFix(first.url, [first.value, ...first.more])}${first !== undefined && / becomes /.test(first.value) && faulty.some(({ value, more }) => [value, ...more].some((one) => one.startsWith('more than'))) ? ' Where a passage is too long, make titles in it headings, or ask for new ones.' : ''}${faulty.length < 2 ? '' : ` Then mend the headings of ${faulty.length === 2 ? 'one more page' : `${faulty.length - 1} more pages`}.`}`,
    },
    first === undefined
      ? pages.map(describeHeadings)
      : faulty.flatMap(({ url, value, more }) => [value, ...more].map((one) => ({ url, value: one }))),
  )
  const isSkipping = faulty.some(({ value, more }) => [value, ...more].some(isLevelChange))
  return asking(judged, isOrder ? { kind: 'heading-order' } : { kind: 'subheadings', isSkipping })
}

/** Of a page with one heading and no more words there is nothing to divide. */
const maxTinyWords = 8

function faultsIn(faulty: readonly { readonly value: string; readonly more: readonly string[] }[]): string {
  const isLong = (one: string) => one.startsWith('more than')
  const long = faulty.filter(({ value, more }) => [value, ...more].some(isLong)).length
  const [order, length] = [
    'headings out of order',
    `more than ${maxWordsBetweenHeadings} words without a subheading`,
  ]
  if (long === 0) return order
  return faulty.every(({ value }) => isLong(value)) ? length : `${order}, or ${length}`
}

/** 2 of "h5 "Root canals" becomes h3 (2 times)". */
function timesOf(fault: string): number {
  return Number(/\((\d+) times\)$/.exec(fault)?.[1] ?? 1)
}

function headingFix(url: string, [fault = '', ...rest]: readonly string[]): string {
  // The first may stand several times, too.
  const changes = [fault, ...rest].filter((one) => !one.startsWith('more than'))
  const others = changes.reduce((sum, one) => sum + timesOf(one), 0) - 1
  const change = isLevelChange(fault)
    ? fault.replace(/ (?:follows an h\d|is the first heading), and/, '')
    : undefined
  return change === undefined
    ? `Put a subheading at least every ${maxWordsBetweenHeadings} words on ${shown(url)}: make titles that stand there headings, or write new ones.`
    : `Correct the headings of ${shown(url)} as listed: ${change}${others === 0 ? '' : `, and ${others} more change with it`}. Let the style keep their look.`
}

function describeHeadings({ url, headings }: Page): Evidence {
  return { url, value: `${counted(headings.length, 'heading')} in order` }
}

/**
 * The words below the first heading, with those below its own subheadings. Another question has an answer of its own, whatever
 * its level is, and so has a box that stands beside that of a whole answer.
 */
function answerWords([question, ...next]: readonly Section[]): number {
  if (question === undefined) return 0
  const box = question.node === undefined ? undefined : boxOf(question.node)
  let words = question.words
  for (const part of next) {
    if (part.level <= question.level || (words > 0 && asksQuestion(part.heading))) break
    const isInBox = box === undefined || part.node === undefined || around(part.node).includes(box)
    if (words >= leastAnswer && !isInBox) break
    words += part.words
  }
  return words
}

const leastAnswer = 20

/** The element in which a heading stands beside what follows it. A box around the heading alone is none. */
function boxOf(heading: Element): Element | undefined {
  return around(heading).find(({ children }) => children.filter(isElement).length > 1)
}

export function judgeQuestions(pages: readonly Page[], site: Site, { faq }: Signals): Outcome {
  // "Who are we?" in a privacy notice is a heading of its template.
  const notices = noticesOf(site)
  const asked = pages.filter((page) => !(notices.has(page) || isByVisitors(page.url)))
  const questions = asked.flatMap((page) =>
    page.mainPart.sections.flatMap((section, place, sections) =>
      isBelowTitle(section, sections) && !section.isTeaser && asksQuestion(section.heading)
        ? [{ ...section, words: answerWords(sections.slice(place)), url: page.url }]
        : [],
    ),
  )
  const good = questions.filter(({ words }) => words >= 20 && words <= 80)
  const misfits = questions.filter((one) => !good.includes(one))
  const quoted = good.length >= 2 ? good : [...misfits, ...good]
  const evidence = quoted.slice(0, 5).map(({ url, heading, words }) => ({
    url,
    value: `"${shown(heading, 100)}", answered in ${counted(words, 'word')}`,
  }))
  if (good.length >= 2)
    return pass(`${good.length} questions in headings are answered in 20 to 80 words.`, ...evidence)
  // Answers that a button unfolds cannot be measured here, but they are there.
  if (faq.how === 'pairs') return pass(`One page answers ${faq.pairs} questions.`, ...faq.evidence)
  const [unread] = faq.how === 'unknown' ? faq.evidence : []
  if (unread !== undefined)
    return unmeasured(`Questions may stand on a page that was not read: ${unread.value}.`)
  if (faq.how === 'unknown' && faq.pairs > 0)
    return unmeasured('The pages that may answer more questions were not read.')
  const filled = filledWithQuestions(site)
  if (filled !== undefined)
    return unmeasured(
      `A script writes the questions of ${shown(filled.page.url)}. No scripts are run, so they were not read.`,
    )
  const start = pages[0]?.url ?? ''
  const words = pages.reduce((sum, { mainText }) => sum + countWords(mainText), 0)
  if (questions.length === 0 && words < 100)
    return notApplicable(
      `The content pages have only ${counted(words, 'word')}, too few to ask for questions.`,
    )
  const statement =
    questions.length === 0
      ? `No subheading with a question and its answer was found on ${counted(asked.length, 'page')}; two with an answer of 20 to 80 words below are enough.`
      : `${portion(good.length, questions.length, 'question heading', 'has', 'have')} an answer of 20 to 80 words below; this check asks for two such answers.`
  const [misfit] = misfits
  const section = faqSection(site, faq)
  const hasQuestions = questions.length >= 2 && misfit !== undefined
  const found = fail(
    `${statement} Question and answer together are a passage that an answer engine can quote.`,
    hasQuestions
      ? `Give "${shown(misfit.heading, 100)}" on ${shown(misfit.url)} an answer of 20 to 80 words; it has ${counted(misfit.words, 'word')} now.`
      : section !== undefined && section.pairs >= 2 && !section.areHeadings
        ? `On ${shown(section.url)}, make the questions below “${shownInQuotes(section.heading, 80)}” headings (h3). Put an answer of 20 to 80 words below each.`
        : `${placeToAsk(site, section)}, write the questions visitors ask as headings (h2 or h3), two or more. Put an answer of 20 to 80 words below each.`,
    ...(evidence.length > 0
      ? evidence
      : [
          {
            url: start,
            value: `no question with its answer below a subheading on ${counted(asked.length, 'page')}`,
          },
        ]),
  )
  return hasQuestions ? asking(found, { kind: 'other-answers' }) : found
}

/** Where the questions go, as the beginning of a sentence. */
function placeToAsk(site: Site, section: FaqSection | undefined): string {
  if (section !== undefined) return `On ${shown(section.url)}, below “${shownInQuotes(section.heading, 80)}”`
  const url = faqOf(site)
  return `On ${url === undefined ? `a new page ${inMenuOf(site)}` : shown(url)}`
}

/** The address of the site's FAQ page: one that was read, or else one that is linked. */
function faqOf(site: Site): string | undefined {
  const linked = linksToKind(site, 'faq').find(({ isInternal }) => isInternal)
  return pagesOfKind(site, 'faq')[0]?.url ?? linked?.url
}

export function judgeLists(content: readonly Page[], site: Site): Outcome {
  // What a script puts in place of "Loading …" may be a table.
  const pages = content.filter(({ mainText }) => !isLoading.test(mainText.slice(0, 20_000)))
  const sizes = pages.map((page) => ({
    page,
    // What a program says is no prose that a list would order.
    words: Math.max(0, countWords(page.mainText) - page.mainPart.codeWords),
    lists: page.mainPart.lists + listsBeside(page),
  }))
  const words = sizes.reduce((sum, one) => sum + one.words, 0)
  const lists = sizes.reduce((sum, one) => sum + one.lists, 0)
  if (lists === 0 && words < 500) {
    return notApplicable(`The content pages have only ${counted(words, 'word')}, too few to ask for lists.`)
  }
  const sparse = sizes.filter((one) => one.lists * 500 < one.words).sort((a, b) => b.words - a.words)
  const evidence = (sparse.length > 0 ? sparse : sizes).slice(0, 5).map(({ page, ...one }) => ({
    url: page.url,
    value: `lists and tables: ${one.lists} in ${counted(one.words, 'word')}`,
  }))
  const reason = `Lists and tables on the content pages: ${lists} in ${counted(words, 'word')}.`
  // A few words above the measure are not told as a lack.
  if (words <= lists * 510) return pass(reason, ...evidence)
  const elsewhere = listsElsewhere(content, site)
  if (words <= (lists + elsewhere) * 510)
    return pass(
      `${reason} ${counted(elsewhere, 'more stands', 'more stand')} on other pages or in boxes that a click opens.`,
      ...evidence,
    )
  const rows = pages.reduce((sum, page) => sum + tablesOfBoxes(page), 0)
  if (words <= (lists + rows) * 510)
    return unmeasured(
      `${reason} ${counted(rows, 'group')} of boxes with a name and a value in each may be a table to readers.`,
    )
  const found = fail(
    `${reason} One per 500 words is asked for: comparisons and steps are easier to take out of a list than out of prose.`,
    'Turn steps, prices or comparisons that stand in prose into lists or tables. One in 500 words is enough, and a story may stay prose.',
    ...evidence,
  )
  return asking(found, { kind: 'lists' })
}

const isLoading =
  /(?<!\p{L})(?:loading|lädt|wird geladen|chargement|cargando|caricamento|carregando|yükleniyor|загрузка)\s?(?:\.{2,3}|…)/iu

/** A menu of dishes is no prose, and a dialog is closed at first. Their lists can be read as well. */
function listsElsewhere(content: readonly Page[], site: Site): number {
  const notices = noticesOf(site)
  const others = site.pages.filter((page) => !(content.includes(page) || notices.has(page)))
  const closed = content.flatMap(({ elements }) =>
    elements
      .filter(({ name, isHidden }) => isHidden && (name === 'ul' || name === 'ol'))
      .slice(0, maxClosed)
      .filter(
        ({ node, region }) =>
          region !== 'nav' &&
          region !== 'footer' &&
          node.children.filter(isElement).length >= 2 &&
          !around(node).some((outer) => outer.name === 'nav') &&
          countWords(spokenText(node, 60)) >= 6 &&
          linkedWords(node) === 0,
      ),
  ).length
  return others.reduce((sum, page) => sum + page.mainPart.lists, 0) + closed
}

/** A hostile page nests thousands of them. */
const maxClosed = 100

/** Lists in boxes beside the text, such as "At a glance". A list of links leads to other pages. */
function listsBeside({ elements }: Page): number {
  return elements.filter(
    ({ name, node, region, isHidden }) =>
      region === 'aside' &&
      !isHidden &&
      (name === 'ul' || name === 'ol') &&
      node.children.filter(isElement).length >= 2 &&
      linkedWords(node) * 2 < countWords(textWithin([node])),
  ).length
}

/** Four boxes of a kind or more, each with two boxes in it: a name and its value. */
function tablesOfBoxes({ elements }: Page): number {
  const rows = new Map<unknown, number>()
  for (const { node, isHidden } of elements) {
    const parts = isHidden || node.name !== 'div' ? [] : node.children.filter(isElement)
    if (parts.length !== 2 || parts.some((part) => part.children.some(isElement))) continue
    rows.set(node.parent, (rows.get(node.parent) ?? 0) + 1)
  }
  return [...rows.values()].filter((count) => count >= 4).length
}
