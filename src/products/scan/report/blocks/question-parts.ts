import { typedPages } from '../../agents/structured-data/page-type.ts'
import { shown } from '../../site/addresses.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { type Element, isElement, isHidden, textWithin } from '../../site/html/visible-text.ts'
import { asksQuestion } from '../../site/html/words.ts'
import { isSamplePhone, writtenNumbers } from '../../site/phone-numbers.ts'
import type { Page, Site } from '../../site/site.ts'
import type { PagePart } from './page-parts.ts'

/** The FAQPage for pages of questions that do not say so, with the questions and answers that stand on the page. */
export function questionParts(site: Site): PagePart[] {
  return typedPages(site)
    .filter(({ kind, isDeclared }) => kind === 'questions' && !isDeclared)
    .flatMap(({ page }) => {
      const pairs = pairsOn(page)
      if (pairs.length < 2 || nodesOf(page, 'FAQPage').length > 0) return []
      const mainEntity = pairs.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      }))
      return [{ page, node: { '@type': 'FAQPage', mainEntity } }]
    })
}

interface Pair {
  readonly question: string
  readonly answer: string
}

/**
 * Reads questions with their answers: those that unfold, those of a definition list, and headings and bold lines that ask,
 * with all up to the next one. An answer is taken whole or not at all, because half of one can say the opposite.
 */
function pairsOn({ $ }: Pick<Page, '$'>): readonly Pair[] {
  const found = new Map<string, string>()
  const add = (question: string, answer: readonly Element[]) => {
    const [asked, said] = [question.trim(), textWithin(answer)]
    // The number of a template would be published once more.
    if ((said.match(writtenNumbers) ?? []).some(isSamplePhone)) return
    const isPair =
      /[?？؟]$/u.test(asked) && asksQuestion(asked) && asked.length <= 300 && /[\p{L}\p{N}]/u.test(said)
    if (!isPair || said.length > maxAnswer || found.size >= maxPairs || found.has(asked)) return
    found.set(shown(asked, 300), shown(said, maxAnswer + 1))
  }
  for (const element of $('details, dt, h2, h3, h4, h5, p:has(> strong, > b)').toArray().slice(0, 500)) {
    if (isHidden(element) || (element.name === 'p' && !isBoldQuestion(element))) continue
    if (element.name === 'details') {
      const parts = element.children.filter(isElement)
      const summary = parts.find(({ name }) => name === 'summary')
      if (summary)
        add(
          textWithin([summary]),
          parts.filter((part) => part !== summary),
        )
    } else add(textWithin([element]), answerTo(element))
  }
  return [...found].map(([question, answer]) => ({ question, answer }))
}

const maxAnswer = 1_500
const maxPairs = 30

/** A paragraph that is bold as a whole, and asks: a heading that was not marked as one. */
function isBoldQuestion(element: Element): boolean {
  if (element.name !== 'p' || !/[?？؟]$/u.test(textWithin([element]).trim())) return false
  return element.children.every((child) =>
    isElement(child)
      ? /^(?:strong|b|br)$/.test(child.name)
      : child.type !== 'text' || child.data.trim() === '',
  )
}

/**
 * What follows the question, or the box around it: in a list that unfolds, question and answer stand in boxes of their own.
 */
function answerTo(element: Element): readonly Element[] {
  const behind = answerAfter(element)
  const { parent } = element
  // A box with more in it holds the answer, too.
  if (parent === null || !isElement(parent) || parent.children.filter(isElement).length > 3) return behind
  const isAlone =
    textWithin(behind).trim() === '' && textWithin([parent]).trim() === textWithin([element]).trim()
  if (!isAlone) return behind
  const answer = answerAfter(parent)
  const next = answer.findIndex(holdsHeading)
  return next < 0 ? answer : answer.slice(0, next)
}

function holdsHeading(element: Element): boolean {
  return element.children.some(
    (child) => isElement(child) && (/^(?:h[1-6]|dt)$/.test(child.name) || holdsHeading(child)),
  )
}

/** What follows up to the next question or heading. */
function answerAfter(element: Element): readonly Element[] {
  const answer: Element[] = []
  const end = element.name === 'dt' ? /^dt$/ : /^h[1-6]$/
  for (let next = element.next; next !== null; next = next.next) {
    if (!isElement(next)) continue
    if (end.test(next.name) || isBoldQuestion(next)) break
    answer.push(next)
  }
  return answer
}
