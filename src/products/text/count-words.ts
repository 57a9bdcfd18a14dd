/**
 * The one rule by which articles are measured. The word count is published and the length is part of
 * what is sold, so a rule that counted markup or list numbers would overstate what the buyer reads.
 */

/** How long an article is, by the specification's part 4.15. */
export const wordLimits = { least: 800, most: 1200 } as const

/**
 * Counts the words a reader sees in rendered markdown. A word is a run of characters between spaces
 * that holds at least one letter or digit, so "follow-up" is one and a dash standing alone is none.
 * Headings count; list numbers, link targets, code fences, HTML tags, comments and entities do not.
 * Runs in a script written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are cut into
 * words by the Unicode segmenter.
 */
export function countWords(markdown: string): number {
  return readableText(markdown)
    .split(/\s+/u)
    .filter((run) => /[\p{L}\p{N}]/u.test(run))
    .reduce((count, run) => count + (unspaced.test(run) ? segmentsIn(run) : 1), 0)
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

function segmentsIn(run: string): number {
  return [...segmenter.segment(run)].filter((segment) => segment.isWordLike).length
}

/**
 * Takes markup away. Escaped characters go first and become a neutral mark, because `\*` and `&lt;`
 * are text to the reader and must not be mistaken for the markup they were escaped from.
 */
function readableText(markdown: string): string {
  return markdown
    .replace(/\\[!-/:-@[-`{-~]/g, '·')
    .replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi, '·')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/^ {0,3}(?:```|~~~).*$/gm, ' ')
    .replace(/^ {0,3}\[[^\]\n]+\]:.*$/gm, ' ')
    .replace(/!?\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>\n]*>/gi, ' ')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+/gm, '')
    .replace(/\|/g, ' ')
    .replace(/[*`~]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
}
