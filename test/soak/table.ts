/** Tables of results as `test/soak/README.md` has them, so that a new run replaces them without a copying mistake. */

/** Markdown with columns of even width; the first row is the head. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line), ''].join('\n')
}

/** A number with commas between its thousands. */
export const withCommas = (value: number | bigint): string => value.toLocaleString('en')

/** Answers as a sentence: `3 × 200, 1 × 402`. */
export function listTimes(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([what, often]) => `${often} × ${what}`)
    .join(', ')
}
