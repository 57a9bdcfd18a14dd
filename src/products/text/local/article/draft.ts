import { countWords, wordLimits } from '../../count-words.ts'
import type { BlogParts } from '../../parts.ts'
import { renderBlog } from '../../render.ts'

/**
 * An article before it is cut to length. Optional sentences carry a rank and are dropped, highest rank first, until
 * the article has the length that is sold.
 */

/** A sentence that always stays, or an optional one with its rank. */
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

/** Below the limit, so that another way of counting hyphens does not exceed it. */
const targetWords = 1130

/**
 * Drops optional sentences until the article fits.
 * @throws RangeError when no choice of sentences is within the limits: then the draft is at fault, not the request.
 */
export function fitToLength(draft: Draft): BlogParts {
  const ranks = [...new Set(linesOf(draft).map(rankOf))].toSorted((a, b) => b - a)
  for (const maxRank of ranks) {
    const parts = keepUpTo(draft, maxRank)
    const words = countWords(renderBlog(parts).content)
    const isLast = maxRank === ranks.at(-1)
    if (words > (isLast ? wordLimits.max : targetWords)) continue
    if (words < wordLimits.min) break
    return parts
  }
  throw new RangeError(`the article “${draft.title}” cannot be cut to its length`)
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

function keepUpTo(draft: Draft, maxRank: number): BlogParts {
  const paragraph = (lines: readonly Line[]) =>
    lines
      .filter((line) => rankOf(line) <= maxRank)
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
