/**
 * Markdown without its signs. A line of a list ends as a sentence, so that it can be quoted alone. Tables, lists of
 * links, and lists of operations with their fields are left out: each operation and each tier is a passage itself.
 */
export function plain(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^\s*\||^\s+- |^- `[A-Z]+ |^- \[[^\]]*\]\(/.test(line))
    .map(unmarked)
    .filter((line) => line !== '')
    .map((line) => (/[.!?:]$/.test(line) ? line : `${line}.`))
    .join(' ')
}

/** One line without its signs. */
export function unmarked(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*]|\d+\.)\s+/, '')
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 ($2)')
    .replace(/`|\*\*/g, '')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
