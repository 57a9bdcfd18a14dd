import { setTimeout as pause } from 'node:timers/promises'
import { readPeakMb, resetPeak } from '../meters/memory.ts'
import type { Felt } from './callers/felt.ts'
import type { HonestPayers } from './callers/honest.ts'
import type { ChainUse } from './meters/gas.ts'
import { judgeScene, type Loss, lossesOf, type SceneReport } from './report/verdict.ts'
import { type Attempt, type Numbers, type Scene, waitFor } from './scene.ts'
import type { Stage } from './stage.ts'

/** How long settlements under way may take after an attack. */
const settleMs = 10_000
/** Honest payers go on after a short attack, so that their p50 is one of more than a few calls. */
const shortestMs = 6_000

/** Plays one scene while honest payers call, and compares all counters before and after it. */
export async function playScene(
  stage: Stage,
  honest: HonestPayers,
  scene: Scene,
  { numbers, quiet }: { readonly numbers: Numbers; readonly quiet: Felt },
): Promise<{ readonly report: SceneReport; readonly losses: readonly Loss[] }> {
  const { chain, farEnd, model, nodeCalls, replicas } = stage
  const firstBlock = await chain.client.getBlockNumber()
  const play = await scene.prepare(stage, numbers)
  const upstream = () => farEnd.requests - farEnd.runsOf('honest')
  const before = {
    upstream: upstream(),
    handler: model.total,
    nodeCalls: nodeCalls.ofSuspects,
    methods: nodeCalls.byMethod,
  }
  for (const { pid } of replicas) await resetPeak(pid)
  let startedAt = 0
  const { result: attempt, felt } = await honest.during(async () => {
    startedAt = performance.now()
    const attempt = await play()
    const payers = attempt.wallets.map(({ payer }) => payer)
    await waitFor(async () => (await stage.openPayments(payers)) === 0, settleMs)
    await pause(Math.max(0, startedAt + shortestMs - performance.now()))
    return attempt
  })
  const use = await stage.chainUse(firstBlock)
  const losses = lossesOf(attempt.wallets, use)
  const peakMb: number[] = []
  for (const { pid } of replicas) peakMb.push(await readPeakMb(pid))
  const report = {
    scene: scene.name,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    payments: attempt.payments,
    badPayments: scene.isHonest ? 0 : attempt.payments - paidBy(attempt, use),
    answers: attempt.answers,
    attacker: {
      paid: attempt.wallets.reduce(
        (sum, { payer }) => sum + (use.received.get(payer.toLowerCase())?.amount ?? 0n),
        0n,
      ),
      gas: use.ofOthers,
      runs: losses.reduce((sum, { runs }) => sum + runs, 0),
      worth: losses.reduce((sum, { worth }) => sum + worth, 0n),
      mostOfOneWallet: Math.max(0, ...losses.map(({ runs }) => runs)),
    },
    gateways: {
      handlerRuns: model.total - before.handler,
      upstreamCalls: upstream() - before.upstream,
      freeRequests: attempt.freeRequests ?? 0,
      nodeCalls: nodeCalls.ofSuspects - before.nodeCalls,
      nodeMethods: difference(nodeCalls.byMethod, before.methods),
      gasForNothing: use.wasted,
      peakMb,
    },
    honest: felt,
  }
  const violations = judgeScene(report, scene, quiet, attempt.faults)
  return { report: { ...report, violations }, losses }
}

function difference(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const changes = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change > 0))
}

/** How many payments of the attacker were carried out after all. */
function paidBy({ wallets }: Attempt, { received }: ChainUse): number {
  return wallets.reduce((sum, { payer }) => sum + (received.get(payer.toLowerCase())?.transfers ?? 0), 0)
}
