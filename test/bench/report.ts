import { mkdir, writeFile } from 'node:fs/promises'

/** One measured figure. Where there is a peer, it was measured in the same run and the ratio is what counts. */
export interface Result {
  readonly what: string
  readonly ours: number
  readonly peer?: number
  readonly ratio?: number
  readonly wanted: string
  readonly note?: string
}

/** Prints the figures, and writes them as JSON beside the compiled contracts' cache. */
export async function report(results: readonly Result[]): Promise<void> {
  for (const { what, ours, peer, ratio, wanted, note } of results) {
    const figures =
      peer === undefined || ratio === undefined
        ? round(ours)
        : `${round(ours)} to ${round(peer)}, ratio ${round(ratio)}`
    process.stdout.write(`${what}\n    ${figures} (wanted: ${wanted})${note ? `; ${note}` : ''}\n`)
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
