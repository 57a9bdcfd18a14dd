import type { AttackerFigures } from '../attacker/tally.ts'
import type { Probes } from '../probe/prober.ts'

/** What one case did to everyone. */
export interface CaseReport {
  readonly name: string
  readonly seconds: number
  readonly probes: Probes
  readonly attacker: AttackerFigures & { readonly lagMs: number }
  readonly gateway: {
    /** Resident megabytes; undefined, like the next two, when the process has ended. */
    readonly peakMb?: number
    readonly cpuMs?: number
    /** How long its event loop was ready to run and had no CPU. */
    readonly cpuWaitMs?: number
    /** During the case, with what the gateway calls by itself. */
    readonly nodeCalls: number
    readonly storeCalls: number
  }
  readonly verdict: Verdict
  /** What was outside of the measure, or went wrong. */
  readonly violations: readonly string[]
}

/**
 * `machine too slow`: only times were exceeded, not by much, and the bare server beside the gateway was slow at the same
 * time, so the gateway may not be the cause.
 */
type Verdict = 'within' | 'outside' | 'machine too slow'

/** The measure. */
export const most = { p99Ms: 100, maxMs: 250, memoryMb: 600 } as const

/**
 * The bare server does next to nothing for a probe. When it takes this share of the measure, others took its time; so they
 * did when the gateway had no CPU for this share of the whole time. What the gateway takes beyond the measure can be
 * theirs up to so many times the time of the bare server.
 */
const slow = { share: 0.5, waitShare: 0.25, times: 4 } as const

export function judgeCase({
  faults,
  ...report
}: Omit<CaseReport, 'verdict' | 'violations'> & { readonly faults: readonly string[] }): CaseReport {
  const { gateway: felt, peer } = report.probes
  const { peakMb, cpuWaitMs = 0 } = report.gateway
  const times = [
    felt.p99 > most.p99Ms && `the p99 of the probes was ${felt.p99} ms`,
    felt.max > most.maxMs && `a probe took ${felt.max} ms`,
  ].filter((violation) => violation !== false)
  const others = [
    felt.failed > 0 && `${felt.failed} of ${felt.probes} probes failed`,
    peakMb !== undefined && peakMb >= most.memoryMb && `the gateway took ${peakMb} MB`,
    ...faults,
  ].filter((violation) => violation !== false)
  const isMachineSlow =
    peer.p99 > most.p99Ms * slow.share ||
    peer.max > most.maxMs * slow.share ||
    cpuWaitMs > report.seconds * 1_000 * slow.waitShare
  const canBeMachine =
    isMachineSlow &&
    felt.p99 <= most.p99Ms + slow.times * peer.p99 &&
    felt.max <= most.maxMs + slow.times * peer.max
  const violations = [...times, ...others]
  const verdict =
    violations.length === 0 ? 'within' : others.length === 0 && canBeMachine ? 'machine too slow' : 'outside'
  return { ...report, verdict, violations }
}
