import { shown } from '../scan/site/addresses.ts'
import { wordsOf } from './words.ts'

/**
 * The part of a text around the first word that was searched for, as one line of plain text. A scanned site may have
 * written it: hidden characters appear as codes, and nothing in it can become an element of a page or a link of Markdown,
 * which could show one address and lead to another.
 * @param searched folded words, as `readQuery` and `readQuestion` return them.
 */
export function snippetOf(text: string, searched: Pick<ReadonlySet<string>, 'has'>): string {
  const found = wordsOf(text).find(
    (word) => searched.has(word.text) || (word.kind === 'pair' && searched.has([...word.text][0] ?? '')),
  )
  const start = wordStart(text, found === undefined ? 0 : Math.max(0, found.at - leadCharacters))
  const line = plainLine(text.slice(start), maxCharacters)
  return start === 0 ? line : `…${line}`
}

/** @param maxLength in characters; a longer text ends with an ellipsis. */
export function plainLine(text: string, maxLength: number): string {
  return shown(text, maxLength)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/\](?=[([])/g, '] ')
}

/** Moves a cut to the beginning of the next word, unless that is far away, as in scripts without spaces. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + leadCharacters / 2).search(/\s\S/u)
  return space === -1 ? wholeCharacter(text, at) : at + space + 1
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

const maxCharacters = 240
const leadCharacters = 60
