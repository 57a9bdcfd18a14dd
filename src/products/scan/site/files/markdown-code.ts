/**
 * Markdown without its code, in blocks and in lines. What stands there is a sample: its addresses have
 * placeholders such as `YOUR-SLUG`, and lead nowhere.
 */
export function withoutCode(markdown: string): string {
  let isCode = false
  return markdown
    .split('\n')
    .filter((line) => {
      const isFence = /^ {0,3}(?:```|~~~)/.test(line)
      if (isFence) isCode = !isCode
      return !isFence && !isCode
    })
    .map((line) => line.replace(/`[^`]{0,2000}`/g, ' '))
    .join('\n')
}
