import { mkdir, writeFile } from 'node:fs/promises'

/** One row of figures. A peer is measured in the same run; then the ratio counts, not the absolute figure. */
export interface Result {
  /** Name of the row, with its unit and its peer. */
  readonly what: string
  readonly ours: number
  readonly peer?: number
  readonly ratio?: number
  /** The target. */
  readonly wanted: string
  readonly note?: string
}

/** Prints the rows, and writes them as JSON into the cache folder of node_modules. */
export async function report(results: readonly Result[]): Promise<void> {
  for (const { what, ours, peer, ratio, wanted, note } of results) {
    const figures =
      peer === undefined || ratio === undefined
        ? round(ours)
        : `${round(ours)} to ${round(peer)}, ratio ${round(ratio)}`
    process.stdout.write(`${what}\n    ${figures} (target: ${wanted})${note ? `; ${note}` : ''}\n`)
  }
  const folder = new URL('../../node_modules/.cache/tollgate/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const file = new URL('bench.json', folder)
  await writeFile(
    file,
    JSON.stringify({ at: new Date().toISOString(), node: process.version, results }, null, 2),
  )
  process.stdout.write(`written to ${file.pathname}\n`)
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toPrecision(3)
}
