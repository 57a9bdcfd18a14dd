import { listOf } from '../../../../text/plain-text.ts'
import { firstSentence } from '../../../../text/sentences.ts'
import { isTextWork, textKinds } from '../../../findings/work.ts'
import { decodedPart } from '../../../site/addresses.ts'
import type { Issue } from '../../scoring.ts'
import { inCharacters } from '../characters.ts'
import { needsOf, pagesOf, stepsOf, type TextPart, type WholeText } from './text-parts.ts'
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

interface Member {
  readonly issue: Issue
  readonly part: TextPart
}

/**
 * Makes one piece of work of what several checks ask of running text. As steps of their own they changed each other: the
 * longer text of one wants the figures and headings of another, and one paragraph answers two of them.
 * @param issues findings, of which those that ask for text are taken, with how each is worded
 */
export function textJobOf(
  issues: readonly { readonly issue: Issue; readonly wording: Wording }[],
): TextJob | undefined {
  const found = issues
    .flatMap(({ issue, wording: { page, evidence } }): Member[] =>
      isTextWork(issue.work) ? [{ issue, part: { work: issue.work, page, evidence } }] : [],
    )
    .toSorted((one, other) => placeInOrder(one) - placeInOrder(other))
  const members = found.filter((one) => !isAskedElsewhere(one, found) && !isApart(one, found))
  const [first] = members
  const { language, hasTextLists } = issues[0]?.wording ?? {}
  if (first === undefined) return undefined
  const whole: WholeText = {
    added: addedWords(members),
    kinds: new Set(members.map(({ part }) => part.work.kind)),
    opened: members.find(({ part }) => part.work.kind === 'opening')?.part.page,
  }
  const named = members.flatMap(({ part }) => pagesOf(part))
  // One address may be written in two ways, coded and as it is read.
  const pages = [
    ...new Map(
      (named.length === 0 ? [first.part.page] : named).map((page) => [decodedPart(page), page]),
    ).values(),
  ]
  const needs = listOf(members.map(({ part }) => needsOf(part)))
  const steps = members.flatMap(({ part }) => stepsOf(part, whole))
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

function placeInOrder({ part }: Member): number {
  return textKinds.indexOf(part.work.kind)
}

/** The one asks for 300 words of a page, the other for 150 on the home page. */
function isAskedElsewhere({ part }: Member, all: readonly Member[]): boolean {
  return part.work.kind === 'first-text' && all.some((other) => other.part.work.kind === 'length')
}

/** Who runs it is told where other work is done on the same page. Elsewhere it is a step of its own. */
function isApart({ part }: Member, all: readonly Member[]): boolean {
  return (
    part.work.kind === 'people' &&
    !all.some((other) => {
      const pages = pagesOf(other.part)
      return other.part !== part && (pages.length === 0 || pages.includes(part.page))
    })
  )
}

/** Of two that add to one page, the longer one counts: the one text serves both. */
function addedWords(members: readonly Member[]): ReadonlyMap<string, number> {
  const added = new Map<string, number>()
  for (const [page, more] of members.flatMap(({ part }) => addedBy(part)))
    added.set(page, Math.max(more, added.get(page) ?? 0))
  return added
}

function addedBy({ work, page }: TextPart): [string, number][] {
  if (work.kind === 'length') return work.pages.map(({ url, more }) => [url, more])
  if (work.kind === 'first-text') return [[page, 150]]
  return work.kind === 'people' ? [[page, work.more ?? 150]] : []
}
