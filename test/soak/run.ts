import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type ChaosOptions, type ChaosReport, runChaos } from './chaos.ts'
import { type CopiesReport, runCopies } from './copies.ts'
import { startPostgres } from './postgres.ts'

/**
 * `npm run soak`: the long form of the soak, which the tests run briefly. Each of its two runs prints a
 * line of JSON on standard output and a sentence on standard error; it ends with 1 if anything was lost
 * or given twice.
 *
 *     npm run soak -- --seed tuesday --payments 5000 --kills 40 --rounds 1000
 */
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
  looks: z.enum(['all', 'plain']).default('all'),
  rounds: count.default(200),
})
const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(settings.shape).map((name) => [name, { type: 'string' as const }])),
})
const given = settings.safeParse(values)
if (!given.success) {
  process.stderr.write(`${z.prettifyError(given.error)}\n`)
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)))
const found = await soak(given.data).catch((error: unknown) => {
  process.stderr.write(`The soak came to no end: ${error instanceof Error ? error.message : error}\n`)
  return 1
})
process.exit(found === 0 ? 0 : 1)

async function soak(wanted: z.infer<typeof settings>): Promise<number> {
  const postgres = await startPostgres()
  try {
    let violations = 0
    if (wanted.payments > 0) {
      const report = await runChaos({
        databaseUrl: await postgres.emptyDatabase('chaos'),
        ...chaosOptions(wanted),
      })
      tell('chaos', wanted, report, describeChaos(report))
      violations += report.violations.length
    }
    if (wanted.rounds > 0) {
      const { seed, rounds } = wanted
      const report = await runCopies({
        databaseUrl: await postgres.emptyDatabase('copies'),
        seed,
        rounds,
      })
      tell('copies', { seed }, report, describeCopies(report))
      violations += report.violations.length
    }
    return violations
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
    looks: wanted.looks,
    // Longer than a copy of a call in flight is made to wait, and than any lease.
    attemptMs: 20_000,
    patienceMs: 120_000,
    // What was unknown often rests for a minute before it is looked at again.
    calmMs: 180_000,
    stop: stop.signal,
    progress: (line) => void process.stderr.write(`chaos: ${line}\n`),
  }
}

function tell(
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
      : `${violations.length} VIOLATIONS, of which the first are:\n  ${first}`
  process.stderr.write(`${run}: ${summary} ${verdict}\n`)
}

function describeChaos(report: ChaosReport): string {
  const { payments, requests, cuts, kills, faults, frontRuns, droppedBlocks, runs, chain, seconds } = report
  return `${payments} payments in ${seconds} s, ${requests} requests (${cuts} cut off), ${kills} kills, ${faults} faults of the node, ${frontRuns} front-runs, ${droppedBlocks} blocks dropped: ${runs} runs, ${chain.transfers} transfers.`
}

function describeCopies({ rounds, copies, runs, transfers, seconds }: CopiesReport): string {
  return `${rounds} rounds of ${copies / Math.max(rounds, 1)} copies in ${seconds} s: ${runs} runs, ${transfers} transfers.`
}
