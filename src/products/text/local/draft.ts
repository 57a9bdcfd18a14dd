import { countWords, wordLimits } from '../count-words.ts'
import type { BlogParts } from '../parts.ts'
import { renderBlog } from '../render.ts'

/**
 * An article before its length is settled. Sentences that can be missed carry a rank, and they are
 * dropped from the last rank on until the article is within what the buyer paid for.
 */

/** A sentence that always stays, or one that may go; of those, the highest rank goes first. */
export type Line = string | { readonly text: string; readonly rank: number }

export interface Draft {
  readonly title: string
  readonly introduction: readonly (readonly Line[])[]
  readonly sections: readonly {
    readonly heading: string
    readonly paragraphs: readonly (readonly Line[])[]
    readonly steps?: readonly string[]
    readonly after?: readonly (readonly Line[])[]
  }[]
  readonly faq: readonly { readonly question: string; readonly answer: readonly Line[] }[]
}

/** Aimed at while cutting, so that the length does not depend on how a reader counts a hyphen. */
const target = 1130

/**
 * Settles the length.
 * @throws RangeError if no choice of sentences is within the limits; the frame is then wrong, not the request.
 */
export function settle(draft: Draft): BlogParts {
  const ranks = [...new Set(linesOf(draft).map(rankOf))].toSorted((a, b) => b - a)
  for (const highest of ranks) {
    const parts = keep(draft, highest)
    const words = countWords(renderBlog(parts).content)
    const isLast = highest === ranks.at(-1)
    if (words > (isLast ? wordLimits.most : target)) continue
    if (words < wordLimits.least) break
    return parts
  }
  throw new RangeError(`the article “${draft.title}” cannot be brought to its length`)
}

function linesOf(draft: Draft): readonly Line[] {
  return [
    ...draft.introduction.flat(),
    ...draft.sections.flatMap(({ paragraphs, after = [] }) => [...paragraphs.flat(), ...after.flat()]),
    ...draft.faq.flatMap(({ answer }) => answer),
  ]
}

function rankOf(line: Line): number {
  return typeof line === 'string' ? 0 : line.rank
}

function keep(draft: Draft, highest: number): BlogParts {
  const paragraph = (lines: readonly Line[]) =>
    lines
      .filter((line) => rankOf(line) <= highest)
      .map((line) => (typeof line === 'string' ? line : line.text))
      .join(' ')
  const paragraphs = (all: readonly (readonly Line[])[] = []) =>
    all.map(paragraph).filter((each) => each !== '')
  return {
    title: draft.title,
    introduction: paragraphs(draft.introduction),
    sections: draft.sections.map((section) => ({
      heading: section.heading,
      paragraphs: paragraphs(section.paragraphs),
      steps: [...(section.steps ?? [])],
      after: paragraphs(section.after),
    })),
    faq: draft.faq.map(({ question, answer }) => ({ question, answer: paragraph(answer) })),
  }
}
