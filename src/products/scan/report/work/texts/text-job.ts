import { firstSentence, listOf } from '../../../../text/plain-text.ts'
import { type Issue, idOf } from '../../scoring.ts'
import { inCharacters, unitsPerWord } from '../characters.ts'
import { isOfText, lengthsIn, textParts, type WholeText } from './text-parts.ts'
import type { Wording } from './wording.ts'
import { alsoInLists, openPages, save } from './writing-steps.ts'

/** All work on the texts of the pages, as one action. */
export interface TextJob {
  /** The finding that names the action. */
  readonly lead: Issue
  readonly members: readonly Issue[]
  /** Undefined where it is one part, whose fix says it. */
  readonly title: string | undefined
  readonly why: string
  readonly steps: readonly string[]
}

/**
 * Makes one piece of work of what several checks ask of running text. As steps of their own they changed each other: the
 * longer text of one wants the figures and headings of another, and one paragraph answers two of them.
 * @param issues findings that ask for text, with how each is worded
 */
export function textJobOf(
  issues: readonly { readonly issue: Issue; readonly wording: Wording }[],
): TextJob | undefined {
  const found = textParts.flatMap((part) => {
    const one = issues.find(({ issue }) => idOf(issue) === part.id)
    return one === undefined || !isOfText(part.id, one.issue.fix) ? [] : [{ ...one, part }]
  })
  // The one asks for 300 words of a page, the other for 150 on the home page.
  const isLonger = found.some(({ part }) => part.id === 'content-answerability/depth')
  const members = found.filter(
    ({ part, wording }) =>
      !(isLonger && part.id === 'core-snapshot/ssr-text') &&
      // Who runs it is told where other work is done on the same page. Elsewhere it is a step of its own.
      (part.id !== 'entity-trust/about' ||
        found.some((other) => other.part !== part && other.part.pages(other.wording).includes(wording.page))),
  )
  const [first] = members
  if (first === undefined) return undefined
  const { language, hasTextLists } = first.wording
  const whole: WholeText = {
    added: new Map(members.flatMap(({ issue }) => [...lengthsIn(issue.fix)])),
    perWord: unitsPerWord(language),
    parts: new Set(members.map(({ part }) => part.id)),
  }
  const pages = [...new Set(members.flatMap(({ part, wording }) => part.pages(wording)))]
  const needs = listOf(members.map(({ part, wording }) => part.needs(wording, whole)))
  const steps = members.flatMap(({ part, wording }) =>
    part.steps(wording, whole).map((step) => step.replaceAll('PAGE', wording.page)),
  )
  return {
    lead: first.issue,
    members: members.map(({ issue }) => issue),
    title:
      members.length === 1
        ? undefined
        : inCharacters(
            pages.length === 1
              ? `Go over the text of ${pages[0]} once. Wanted: ${needs}.`
              : `Go over the texts of your main pages once, beginning with ${pages[0]}. Wanted: ${needs}.`,
            language,
          ),
    why:
      members.length === 1
        ? first.issue.reason
        : `${members.map(({ issue }) => firstSentence(issue.reason)).join(' ')} Engines quote short passages that say a thing plainly.`,
    steps: [openPages(pages), ...steps, save, ...(hasTextLists ? [alsoInLists] : [])].map((step) =>
      inCharacters(step, language),
    ),
  }
}
