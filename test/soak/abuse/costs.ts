import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs } from '../../bench/servers.ts'
import { createBadPayments } from './bad-payments.ts'
import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import type { Numbers } from './scene.ts'
import type { Stage } from './stage.ts'

/**
 * What one bad payment of each kind costs a gateway that does nothing else. What the gateway does by itself meanwhile is
 * measured first and taken off.
 */
export interface Cost {
  readonly kind: string
  readonly answers: Readonly<Record<string, number>>
  readonly nodeCalls: number
  readonly statements: number
  readonly cpuMicroseconds: number
}

const idleMs = 3_000
/** Enough for the clock of the kernel, which counts in ten milliseconds. */
const payments = 200

export async function measureCosts(stage: Stage, numbers: Numbers): Promise<Cost[]> {
  const { attackers, nodeCalls, replicas } = stage
  const [{ pid, store, url }] = replicas
  // Each address sends one of a kind: limits by address are not what is measured here.
  const kinds = await createBadPayments(stage, { ...numbers, addresses: payments })

  async function spent() {
    return {
      nodeCalls: nodeCalls.total,
      statements: store.statements,
      cpuMs: await cpuMs(pid),
      at: performance.now(),
    }
  }
  /** What `work` spent beyond what the gateway spends by itself. */
  async function spentOn(work: () => Promise<unknown>, idle = { nodeCalls: 0, statements: 0, cpuMs: 0 }) {
    const before = await spent()
    await work()
    const after = await spent()
    const ms = after.at - before.at
    return {
      nodeCalls: after.nodeCalls - before.nodeCalls - idle.nodeCalls * ms,
      statements: after.statements - before.statements - idle.statements * ms,
      cpuMs: after.cpuMs - before.cpuMs - idle.cpuMs * ms,
      ms,
    }
  }

  const alone = await spentOn(() => pause(idleMs))
  const idle = {
    nodeCalls: alone.nodeCalls / alone.ms,
    statements: alone.statements / alone.ms,
    cpuMs: alone.cpuMs / alone.ms,
  }
  const costs: Cost[] = []
  for (const { kind, make } of kinds) {
    const requests: CallerRequest[] = []
    for (let n = 0; n < payments; n += 1) requests.push(await make(n, url))
    let answers: Cost['answers'] = {}
    const spent = await spentOn(async () => {
      answers = tallyAnswers(await attackers.send(requests, { atOnce: 8, patienceMs: 20_000 }))
    }, idle)
    costs.push({
      kind,
      answers,
      nodeCalls: round(spent.nodeCalls / payments, 2),
      statements: round(spent.statements / payments, 2),
      cpuMicroseconds: round((1_000 * spent.cpuMs) / payments, 0),
    })
  }
  return costs
}

function round(value: number, digits: number): number {
  return Math.max(0, Number(value.toFixed(digits)))
}
