import { setTimeout as pause } from 'node:timers/promises'
import { rejectOnAbort } from '../concurrency.ts'
import { bodies } from './bodies.ts'
import { burners } from './burners.ts'
import { callerFaults } from './caller-faults.ts'
import type { Felt } from './callers/felt.ts'
import { openHonestPayers } from './callers/honest.ts'
import { readOffers } from './callers/requests.ts'
import { type Cost, measureCosts } from './costs.ts'
import { drains } from './drains.ts'
import { floods } from './floods.ts'
import { playScene } from './play-scene.ts'
import { repeats } from './repeats.ts'
import { judgeRun, type Loss, type SceneReport } from './report/verdict.ts'
import type { Numbers, Scene } from './scene.ts'
import { openStage, type Stage } from './stage.ts'
import { streams } from './streams.ts'
import { upto } from './upto.ts'

/**
 * Plays attacks against two gateways while honest payers call, and says what the attacker, the gateways and the honest
 * payers spent. No money is missing after these attacks; what they take is work, gas and room, which only a comparison
 * of both sides shows.
 */
export interface AbuseOptions {
  /** An empty database. */
  readonly databaseUrl: string
  /** The names of the scenes to play; `costs` measures each kind of bad payment alone. */
  readonly only: readonly SceneName[]
  readonly numbers: Omit<Numbers, 'bystanders' | 'offers'>
  /** Calls of honest payers in a second, and their wallets of each kind. */
  readonly honestRate: number
  readonly honestWallets: number
  readonly quietSeconds: number
  /** Further settings of the gateways. */
  readonly settings: Readonly<Record<string, string>>
  /** What may be lost within a minute, in atomic units. */
  readonly maxUnsettled: bigint
  readonly progress: (line: string) => void
  /** Stops the run early and closes everything it has started. */
  readonly stop: AbortSignal
  /** Receives the report of each scene as soon as it is made. */
  readonly report: (scene: SceneReport) => void
}

export interface AbuseReport {
  readonly quiet: Felt | undefined
  readonly scenes: readonly SceneReport[]
  readonly costs: readonly Cost[]
  readonly worstMinute: bigint
  readonly nodeCallsPerPayment: number
  readonly seconds: number
  readonly violations: readonly string[]
}

/** Large bodies come late, because a process keeps much of the memory that it once took. The last scene kills a gateway. */
// The last ones use up what new payers may have unsettled, which `repeats` and `floods` need for their first payments.
const scenes: readonly Scene[] = [callerFaults, repeats, floods, bodies, burners, streams, drains, upto]
export const sceneNames = [
  'streams',
  'drains',
  'burners',
  'caller-faults',
  'repeats',
  'floods',
  'bodies',
  'upto',
  'costs',
] as const
type SceneName = (typeof sceneNames)[number]

const warmUpMs = 4_000

export async function runAbuse(options: AbuseOptions): Promise<AbuseReport> {
  const startedAt = performance.now()
  const stage = await openStage(options.databaseUrl, options.settings)
  try {
    const played = await Promise.race([playAll(stage, options), rejectOnAbort(options.stop)])
    return { ...played, seconds: Math.round((performance.now() - startedAt) / 1_000) }
  } finally {
    await stage.close()
  }
}

async function playAll(stage: Stage, options: AbuseOptions): Promise<Omit<AbuseReport, 'seconds'>> {
  const [one, other] = stage.replicas
  const offers = [await readOffers(one.url), await readOffers(other.url)] as const
  const wanted = scenes.filter(({ name }) => options.only.some((chosen) => chosen === name))
  // First, while the gateways are idle.
  const costs = options.only.includes('costs')
    ? await measureCosts(stage, { ...options.numbers, offers, bystanders: [] })
    : []
  const honest = await openHonestPayers({
    chain: stage.chain,
    urls: [one.url, other.url],
    settlers: stage.settlers,
    rate: options.honestRate,
    wallets: options.honestWallets,
  })
  try {
    if (wanted.length === 0)
      return { ...judgeRun([], [], options.maxUnsettled), quiet: undefined, scenes: [], costs }
    await honest.during(() => pause(warmUpMs))
    options.progress('the quiet phase begins')
    const quiet = (await honest.during(() => pause(options.quietSeconds * 1_000))).felt
    const numbers = { ...options.numbers, offers, bystanders: honest.addresses }
    const reports: SceneReport[] = []
    const losses: Loss[] = []
    for (const scene of wanted) {
      if (scene.isHonest) await waitForCredit(losses)
      options.progress(`${scene.name}: ${scene.attack}`)
      const played = await playScene(stage, honest, scene, { numbers, quiet })
      reports.push(played.report)
      losses.push(...played.losses)
      options.report(played.report)
    }
    const { violations, ...sums } = judgeRun(reports, losses, options.maxUnsettled)
    const all = [...reports.flatMap((report) => report.violations), ...violations]
    return { ...sums, quiet, scenes: reports, costs, violations: all }
  } finally {
    await honest.close()
  }
}

/** Waits until the last loss is a minute ago: until then honest payers who are new may get no credit. */
async function waitForCredit(losses: readonly Loss[]): Promise<void> {
  const last = Math.max(...losses.filter(({ worth }) => worth > 0n).map(({ at }) => at))
  await pause(Math.max(0, last + 65_000 - performance.now()))
}
