/**
 * The one rule for the length of an article. Word count and length are part of what is sold: a rule that counted
 * markup or list numbers would promise more words than the buyer reads.
 */

/** The length of an article in words, from part 4.15 of the specification. */
export const wordLimits = { min: 800, max: 1200 } as const

/**
 * Counts the words a reader sees in rendered markdown. A word is a run of characters between spaces that holds at
 * least one letter or digit: "follow-up" is one word, and a dash between spaces is none. Headings count; list numbers,
 * link targets, code fences, HTML tags, comments and entities do not. Scripts written without spaces (Chinese,
 * Japanese, Thai, Lao, Khmer, Burmese) are split into words by the Unicode segmenter.
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
 * Removes markup. Escaped characters become a neutral mark first: the reader sees `\*` and `&lt;` as text, so the
 * later steps must not take them for markup.
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
