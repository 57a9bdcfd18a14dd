import { parseArgs } from 'node:util'
import { z } from 'zod'
import { soakAbuse } from './abuse/command.ts'
import { type ChaosOptions, type ChaosReport, runChaos } from './chaos.ts'
import { type CopiesReport, runCopies } from './copies.ts'
import { soakEdge } from './edge/command.ts'
import { openGatewayProcess } from './gateway-process.ts'
import { soakHelp } from './help.ts'
import { soakInsights } from './insights/command.ts'
import { type MeteredReport, runMetered } from './metered/metered.ts'
import { startPostgres } from './postgres.ts'
import { soakWebhooks } from './webhooks/command.ts'

/**
 * `npm run soak`: the long form of the soak, whose short form is a test. Each run prints a line of JSON on standard
 * output and a sentence on standard error. It exits with 1 when money, a run or a reply was lost or given twice.
 *
 *     npm run soak -- --help
 *     npm run soak -- --seed tuesday --payments 5000 --kills 40 --rounds 1000
 *     npm run soak -- metered --calls 10000 --paid 0.15 --aborts 0.1
 *     npm run soak -- abuse
 *     npm run soak -- edge
 *     npm run soak -- insights
 *     npm run soak -- webhooks
 */
const [run, ...ownOptions] = process.argv.slice(2)
const ownRuns = new Map([
  ['abuse', soakAbuse],
  ['edge', soakEdge],
  ['insights', soakInsights],
  ['webhooks', soakWebhooks],
])
const ownRun = ownRuns.get(run ?? '')
if (ownRun) {
  const exceeded = await ownRun(ownOptions).catch((error: unknown) => {
    process.stderr.write(`The soak failed: ${error instanceof Error ? error.message : error}\n`)
    return 1
  })
  process.exit(exceeded === 0 ? 0 : 1)
}

if (process.argv.includes('--help')) {
  process.stdout.write(soakHelp)
  process.exit(0)
}

const count = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)
const share = z
  .string()
  .regex(/^(0(\.\d+)?|1)$/, 'must be a share from 0 to 1')
  .transform(Number)
const settings = z.object({
  seed: z
    .string()
    .regex(/^\w{1,30}$/, 'must be up to 30 letters and digits')
    .default('1'),
  payments: count.default(2_000),
  payers: count.default(20),
  'at-once': count.default(24),
  kills: count.default(20),
  outages: count.default(7),
  'store-cuts': count.default(9),
  faults: share.default(0.03),
  drops: share.default(0.15),
  doubles: share.default(0.1),
  'front-runs': share.default(0.1),
  reorg: count.default(5),
  'settled-by': z.enum(['gateway', 'facilitator']).default('gateway'),
  timing: z.enum(['after', 'before']).default('after'),
  envelopes: z.enum(['all', 'plain']).default('all'),
  rounds: count.default(200),
  calls: count.default(10_000),
  paid: share.default(0.15),
  aborts: share.default(0.1),
})
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(Object.keys(settings.shape).map((name) => [name, { type: 'string' as const }])),
})
const given = settings.safeParse(values)
const runs = z.union([z.tuple([]), z.tuple([z.literal('metered')])], {
  error: 'the named runs are metered, abuse, edge, insights and webhooks',
})
const named = runs.safeParse(positionals)
if (!given.success || !named.success) {
  for (const { error } of [given, named]) if (error) process.stderr.write(`${z.prettifyError(error)}\n`)
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)))
const violations = await (named.data.length > 0 ? soakMetered : soak)(given.data).catch((error: unknown) => {
  process.stderr.write(`The soak failed: ${error instanceof Error ? error.message : error}\n`)
  return 1
})
process.exit(violations === 0 ? 0 : 1)

async function soak(wanted: z.infer<typeof settings>): Promise<number> {
  const postgres = await startPostgres()
  try {
    let violations = 0
    if (wanted.payments > 0) {
      const chaos = await runChaos({
        databaseUrl: await postgres.createDatabase('chaos'),
        ...chaosOptions(wanted),
      })
      printReport('chaos', wanted, chaos, describeChaos(chaos))
      violations += chaos.violations.length
    }
    if (wanted.rounds > 0) {
      const { seed, rounds } = wanted
      const copies = await runCopies({
        databaseUrl: await postgres.createDatabase('copies'),
        seed,
        rounds,
      })
      printReport('copies', { seed }, copies, describeCopies(copies))
      violations += copies.violations.length
    }
    return violations
  } finally {
    await postgres.stop()
  }
}

async function soakMetered(wanted: z.infer<typeof settings>): Promise<number> {
  const postgres = await startPostgres()
  try {
    const { seed, calls, paid, aborts } = wanted
    const options = { seed, calls, atOnce: wanted['at-once'], wallets: wanted.payers, keys: 10 }
    const metered = await runMetered({
      databaseUrl: await postgres.createDatabase('metered'),
      ...options,
      paidShare: paid,
      abortShare: aborts,
      recoveryMs: 60_000,
      open: openGatewayProcess,
      stop: stop.signal,
      progress: (line) => void process.stderr.write(`metered: ${line}\n`),
    })
    printReport('metered', { ...options, paid, aborts }, metered, describeMetered(metered))
    return metered.violations.length
  } finally {
    await postgres.stop()
  }
}

function chaosOptions(wanted: z.infer<typeof settings>): Omit<ChaosOptions, 'databaseUrl'> {
  return {
    seed: wanted.seed,
    payments: wanted.payments,
    payers: wanted.payers,
    atOnce: wanted['at-once'],
    kills: wanted.kills,
    outages: wanted.outages,
    storeCuts: wanted['store-cuts'],
    faultShare: wanted.faults,
    dropShare: wanted.drops,
    doubleShare: wanted.doubles,
    frontRunShare: wanted['front-runs'],
    reorgDepth: wanted.reorg,
    settledBy: wanted['settled-by'],
    timing: wanted.timing,
    envelopes: wanted.envelopes,
    // Longer than a copy waits for the call in flight, and longer than any lease.
    attemptMs: 20_000,
    patienceMs: 120_000,
    // A payment that was unknown several times waits a minute for its next check.
    recoveryMs: 180_000,
    stop: stop.signal,
    progress: (line) => void process.stderr.write(`chaos: ${line}\n`),
  }
}

function printReport(
  run: string,
  options: object,
  report: { readonly violations: readonly string[] },
  summary: string,
): void {
  const line = JSON.stringify({ run, options, ...report }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  process.stdout.write(`${line}\n`)
  const { violations } = report
  const first = violations.slice(0, 20).join('\n  ')
  const verdict =
    violations.length === 0
      ? 'Nothing was lost or taken twice.'
      : `${violations.length} VIOLATIONS; the first:\n  ${first}`
  process.stderr.write(`${run}: ${summary} ${verdict}\n`)
}

function describeChaos(report: ChaosReport): string {
  const { payments, requests, cuts, kills, faults, frontRuns, droppedBlocks, runs, chain, seconds } = report
  return `${payments} payments in ${seconds} s, ${requests} requests (${cuts} cut off), ${kills} kills, ${faults} node faults, ${frontRuns} front-runs, ${droppedBlocks} blocks dropped: ${runs} runs, ${chain.transfers} transfers.`
}

function describeCopies({ rounds, copies, runs, transfers, seconds }: CopiesReport): string {
  return `${rounds} rounds of ${copies / Math.max(rounds, 1)} copies in ${seconds} s: ${runs} runs, ${transfers} transfers.`
}

function describeMetered({ calls, left, seconds, sums, doors, released }: MeteredReport): string {
  const counted = Object.entries(doors).map(
    ([door, { calls, estimates, units }]) => `${door} ${calls} (${estimates} estimated), ${units} units`,
  )
  return `${calls} calls in ${seconds} s, ${left} left by their callers; counted by ${counted.join('; by ')}. ${sums.chain} on the chain, ${sums.payments} in the books, ${sums.meterings} by the meter; ${released} payments released.`
}
