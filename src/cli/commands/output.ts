/**
 * What commands write. Standard output holds the answer alone; what is said along the way goes to standard
 * error. What a server sends is shown with care: it must not move the cursor or forge a line.
 */

export function print(line: string): void {
  process.stdout.write(`${harmless(line)}\n`)
}

export function note(line: string): void {
  process.stderr.write(`${harmless(line)}\n`)
}

/** Control and direction characters are shown as ?. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '?')
}

/** Lines of columns, each as wide as its widest cell; columns whose cells are amounts or counts end together. */
export function table(rows: readonly (readonly string[])[], rightAligned: readonly number[] = []): string {
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

/** Says how a list goes on, if it does. */
export function sayMore(cursor: string | null): void {
  if (cursor !== null) note(`There are more: --cursor ${cursor}`)
}
