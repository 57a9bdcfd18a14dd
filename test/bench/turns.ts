import type { BenchServer } from './servers.ts'

/** A server as one kind of caller uses it. */
export interface Target {
  readonly server: BenchServer
  /** The API key that the calls bear. */
  readonly key: string | undefined
}

const rounds = 7

/**
 * Measures the targets by turns, several times, so that a busy moment of the machine affects all of them. The first
 * round warms up and does not count.
 * @returns a function that gives the figures of one target.
 */
export async function measureByTurns<Figure>(
  targets: readonly Target[],
  measure: (
    server: { readonly url: string; readonly pid: number },
    headers: Readonly<Record<string, string>>,
  ) => Promise<Figure>,
): Promise<(target: Target) => readonly Figure[]> {
  const figures = new Map<Target, Figure[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      const { server, key } = target
      const figure = await measure(
        { url: `${server.url}/api/analyze`, pid: server.pid },
        key === undefined ? {} : { 'x-mcp-api-key': key },
      )
      if (round > 0) figures.set(target, [...(figures.get(target) ?? []), figure])
    }
  }
  return (target) => figures.get(target) ?? []
}
