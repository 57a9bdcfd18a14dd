import type { Block } from '../../findings/results.ts'

/**
 * Writes the beginning of a text without its marks, for those who write and see no code: `<h2>` becomes a line that they
 * mark as a heading. Blocks of code stay as they are.
 */
export function inWordsOnly(block: Block): Block {
  if (block.kind !== 'html' || /<(?:script|meta|link)\b/.test(block.text)) return block
  const lines = block.text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/^<h2>/, 'Heading: ')
        .replace(/^<p>/, 'Text: ')
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    )
  return { ...block, kind: 'text', text: `${lines.join('\n')}\n` }
}
