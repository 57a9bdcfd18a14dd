/**
 * How commands print. Standard output holds the result alone, so that it can be piped; progress and notes go to
 * standard error. Text from a server is printed without control and invisible characters: it must not move the cursor or forge a line.
 */

import { harmless } from '../core/text/visible.ts'

/** Prints a result on standard output. */
export function print(line: string): void {
  process.stdout.write(`${harmless(line)}\n`)
}

/** Prints progress or a note on standard error. */
export function note(line: string): void {
  process.stderr.write(`${harmless(line)}\n`)
}

/** Text that a caller, a website or another program wrote, for one line: it must not begin a line of its own. */
export function oneLine(text: string): string {
  return harmless(text, '')
}

/**
 * Lays rows out in columns, each as wide as its widest cell. Each cell stays in its line.
 * @param rightAligned indexes of the columns that hold amounts or counts.
 */
export function table(texts: readonly (readonly string[])[], rightAligned: readonly number[] = []): string {
  const rows = texts.map((row) => row.map(oneLine))
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return rightAligned.includes(column) ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Prints the option that shows the next page, if the list has one. */
export function noteNextPage(cursor: string | null): void {
  if (cursor !== null) note(`There are more: --cursor ${cursor}`)
}
