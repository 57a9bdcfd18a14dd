import { rejectOnAbort } from '../concurrency.ts'
import type { Case, Sizes } from './case.ts'
import { playCase } from './play-case.ts'
import type { CaseReport } from './report/verdict.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * Attacks the HTTP edge of one gateway, one case after the other, and probes `/health` beside each attack: no caller may
 * hold up the others, or take the memory of all.
 */
export interface EdgeOptions {
  /** An empty database. */
  readonly databaseUrl: string
  readonly cases: readonly Case[]
  readonly sizes: Sizes
  readonly seed: string
  /** How often a case is played at most while the machine is too slow to judge its times. */
  readonly tries: number
  /** Further settings of the gateway. */
  readonly settings: Readonly<Record<string, string>>
  readonly progress: (line: string) => void
  /** Receives the report of each case as soon as it is made. */
  readonly report: (played: CaseReport) => void
  /** Stops the run early and closes everything it has started. */
  readonly stop: AbortSignal
}

export interface EdgeReport {
  readonly cases: readonly CaseReport[]
  readonly seconds: number
}

export async function runEdge(options: EdgeOptions): Promise<EdgeReport> {
  const startedAt = performance.now()
  const stage = await openStage(options.databaseUrl, options.settings)
  try {
    const cases = await Promise.race([playAll(stage, options), rejectOnAbort(options.stop)])
    return { cases, seconds: Math.round((performance.now() - startedAt) / 1_000) }
  } finally {
    await stage.close()
  }
}

async function playAll(stage: Stage, options: EdgeOptions): Promise<CaseReport[]> {
  const { sizes, seed, tries, progress } = options
  const reports: CaseReport[] = []
  let turn = 0

  /** Plays a case again where the bare server beside the gateway was slow, too. */
  async function playUntilJudged(one: Case): Promise<CaseReport> {
    for (let left = tries - 1; ; left -= 1) {
      turn += 1
      const played = await playCase(stage, one, { sizes, seed, turn })
      // What a case has left behind must not count for the next one.
      if (played.verdict !== 'within') await stage.restart()
      if (played.verdict !== 'machine too slow' || left <= 0) return played
      progress(`${one.name} is played again: the machine was too slow to judge it`)
    }
  }

  for (const one of options.cases) {
    progress(`${one.name}: ${one.attack}`)
    const played = await playUntilJudged(one)
    options.report(played)
    reports.push(played)
  }
  return reports
}
