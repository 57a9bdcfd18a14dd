import { load } from 'cheerio'
import type { Block } from '../../findings/results.ts'

/**
 * Writes a block of HTML as plain text, for those who see no code where they write: `<h2>` becomes a line that they mark as
 * a heading. What belongs into the code of a page stays as it is.
 */
export function inWordsOnly(block: Block): Block {
  if (block.kind !== 'html' || /<(?:script|meta|link)\b/.test(block.text)) return block
  const $ = load(block.text, {}, false)
  $('h2').prepend('Heading: ')
  $('p').prepend('Text: ')
  return { ...block, kind: 'text', text: `${$.root().text().trimEnd()}\n` }
}
