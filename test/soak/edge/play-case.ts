import { setTimeout as pause } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { cpuMs } from '../../bench/servers.ts'
import { cpuWaitMs } from '../meters/cpu-wait.ts'
import { readPeakMb, resetPeak } from '../meters/memory.ts'
import { type Attempt, openAttacker } from './attacker/attacker.ts'
import type { Case, Sizes } from './case.ts'
import { type CaseReport, judgeCase } from './report/verdict.ts'
import type { Stage } from './stage.ts'

/** An attack that is not over by then is broken off. */
const longestMs = 180_000
/** The probes go on for a moment, for what the gateway still has to do. */
const afterMs = 300

/** Plays one case with the probes beside it, at a gateway that is calm. */
export async function playCase(
  stage: Stage,
  one: Case,
  { sizes, seed, turn }: { readonly sizes: Sizes; readonly seed: string; readonly turn: number },
): Promise<CaseReport> {
  if (!(await stage.isCalm())) await stage.restart()
  const { gateway, prober, farEnd, chain, operatorToken } = stage
  const { pid, url } = gateway
  const { close: _, ...place } = farEnd
  const attacker = await openAttacker({
    name: one.name,
    seed,
    turn,
    url,
    farEnd: place,
    rpcUrl: chain.rpcUrl,
    operatorToken,
    sizes,
  })
  try {
    await stage.isCalm()
    await resetPeak(pid)
    const before = { ...(await stage.spent()), cpuMs: await cpuMs(pid), waitMs: await cpuWaitMs(pid) }
    const startedAt = performance.now()
    const probing = prober.begin()
    const attempt = await withinTime(attacker.attack())
    await pause(afterMs)
    const seconds = (performance.now() - startedAt) / 1_000
    const probes = await probing.stop()
    const hasEnded = gateway.hasEnded
    const spent = await stage.spent()
    return judgeCase({
      name: one.name,
      seconds: Number(seconds.toFixed(1)),
      probes,
      attacker: { ...attempt.figures, lagMs: attempt.lagMs },
      gateway: {
        // What the system knew of a process that has ended is gone with it.
        ...(hasEnded
          ? undefined
          : {
              peakMb: await readPeakMb(pid),
              cpuMs: (await cpuMs(pid)) - before.cpuMs,
              cpuWaitMs: Math.round((await cpuWaitMs(pid)) - before.waitMs),
            }),
        nodeCalls: spent.nodeCalls - before.nodeCalls,
        storeCalls: spent.storeCalls - before.storeCalls,
      },
      faults: [...attempt.faults, ...(hasEnded ? ['the gateway has ended'] : [])],
    })
  } finally {
    await attacker.close()
  }
}

const nothing: Attempt = {
  figures: { requests: 0, sentBytes: 0, receivedBytes: 0, answers: {} },
  faults: [`the attack was not over after ${longestMs / 1_000} s`],
  lagMs: 0,
}

function withinTime(attack: Promise<Attempt>): Promise<Attempt> {
  return pTimeout(attack, { milliseconds: longestMs, fallback: () => nothing })
}
