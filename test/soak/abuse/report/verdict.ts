import { listTimes } from '../../table.ts'
import type { Felt } from '../callers/felt.ts'
import type { ChainUse } from '../meters/gas.ts'
import type { Attempt, Measure, Scene, Taker } from '../scene.ts'

/** What one scene cost everyone. Amounts in atomic units. */
export interface SceneReport {
  readonly scene: string
  readonly seconds: number
  readonly payments: number
  /** Those that no money came from. */
  readonly badPayments: number
  readonly answers: Attempt['answers']
  readonly attacker: {
    readonly paid: bigint
    readonly gas: bigint
    /** What it got for nothing. */
    readonly runs: number
    readonly worth: bigint
    /** The most runs for nothing of one wallet. */
    readonly mostOfOneWallet: number
  }
  readonly gateways: {
    /** For the attacker. */
    readonly handlerRuns: number
    readonly upstreamCalls: number
    /** Upstream requests of calls that failed by the attacker's making. */
    readonly freeRequests: number
    readonly nodeCalls: number
    /** By method. */
    readonly nodeMethods: Readonly<Record<string, number>>
    readonly gasForNothing: bigint
    /** Resident megabytes of each process. */
    readonly peakMb: readonly number[]
  }
  readonly honest: Felt
  readonly violations: readonly string[]
}

/** Work that was not paid, and when it was taken. */
export interface Loss {
  readonly at: number
  readonly worth: bigint
}

/** The measures. */
const most = { gasRatio: 3n, p50Ratio: 2, memoryMb: 600, nodeCalls: 1, runs: 1, freeRequests: 10 }

/** What each wallet got and did not pay for. */
export function lossesOf(
  wallets: readonly Taker[],
  { received }: Pick<ChainUse, 'received'>,
): readonly (Loss & { readonly runs: number })[] {
  return wallets.map(({ payer, at, runs, worth }) => {
    const { amount, transfers } = received.get(payer.toLowerCase()) ?? { amount: 0n, transfers: 0 }
    return { at, runs: Math.max(0, runs - transfers), worth: worth > amount ? worth - amount : 0n }
  })
}

export function judgeScene(
  report: Omit<SceneReport, 'violations'>,
  { measures, isHonest }: Pick<Scene, 'isHonest' | 'measures'>,
  quiet: Felt,
  faults: readonly string[],
): string[] {
  const { attacker, badPayments, gateways, honest, seconds } = report
  const judged: Readonly<Record<Measure, string | false>> = {
    'unpaid runs':
      attacker.mostOfOneWallet > most.runs && `one wallet got ${attacker.mostOfOneWallet} runs for nothing`,
    gas:
      gateways.gasForNothing > most.gasRatio * attacker.gas &&
      `${gateways.gasForNothing} gas was spent for nothing, the attacker spent ${attacker.gas}`,
    'node calls':
      gateways.nodeCalls > most.nodeCalls * badPayments &&
      `${badPayments} bad payments took ${gateways.nodeCalls} calls to the node`,
    'upstream calls':
      gateways.freeRequests > most.freeRequests + seconds &&
      `${gateways.freeRequests} upstream requests for nothing in ${seconds} s`,
  }
  const refused = listTimes(honest.refusals)
  const violations = [
    ...faults,
    ...measures.map((measure) => judged[measure]),
    honest.p50 > most.p50Ratio * quiet.p50 &&
      `the p50 of honest payers was ${honest.p50} ms, in the quiet phase ${quiet.p50} ms`,
    honest.signedAgain > 0 &&
      !isHonest &&
      `${honest.signedAgain} honest payers had to sign for another account`,
    refused !== '' && `honest payers were refused: ${refused}`,
    Math.max(...gateways.peakMb) > most.memoryMb && `a gateway took ${Math.max(...gateways.peakMb)} MB`,
  ]
  return violations
    .filter((violation) => violation !== false)
    .map((violation) => `${report.scene}: ${violation}`)
}

/** Judges what no scene can show alone. @param maxUnsettled what may be lost within a minute, in atomic units. */
export function judgeRun(
  reports: readonly SceneReport[],
  losses: readonly Loss[],
  maxUnsettled: bigint,
): { readonly worstMinute: bigint; readonly nodeCallsPerPayment: number; readonly violations: string[] } {
  let worstMinute = 0n
  for (const { at: end } of losses) {
    const lost = losses
      .filter(({ at }) => at > end - 60_000 && at <= end)
      .reduce((total, { worth }) => total + worth, 0n)
    if (lost > worstMinute) worstMinute = lost
  }
  const payments = reports.reduce((sum, { badPayments }) => sum + badPayments, 0)
  const calls = reports.reduce((sum, { gateways }) => sum + gateways.nodeCalls, 0)
  const perPayment = Number((calls / Math.max(1, payments)).toFixed(2))
  const violations = [
    worstMinute > maxUnsettled &&
      `${worstMinute} atomic units were lost within a minute, at most ${maxUnsettled} may`,
    perPayment > most.nodeCalls && `a bad payment took ${perPayment} calls to the node on average`,
  ]
  return {
    worstMinute,
    nodeCallsPerPayment: perPayment,
    violations: violations.filter((violation) => violation !== false),
  }
}
