import { z } from 'zod'
import { count, readOptions, settings, stopOnSignal } from '../options.ts'
import { startPostgres } from '../postgres.ts'
import type { Sizes } from './case.ts'
import { cases, kinds } from './cases/cases.ts'
import { runEdge } from './edge.ts'
import { describeCase, writeCases } from './report/tables.ts'
import { most } from './report/verdict.ts'

/**
 * `npm run soak -- edge`: prints each case on standard error, and at the end a table of all on standard output, or one
 * line of JSON.
 *
 *     npm run soak -- edge
 *     npm run soak -- edge --only pipelining,followers --seed tuesday --pipelined 8000 --followers 2000
 *     npm run soak -- edge --only tokens-escapes --body-mb 4.5 --json
 */
const optionsSchema = z.object({
  only: z
    .string()
    .default(Object.keys(kinds).join(','))
    .transform((text, context) =>
      text.split(',').flatMap((word) => {
        const chosen = kinds[word] ?? cases.filter(({ name }) => name === word)
        if (chosen.length === 0)
          context.addIssue({ code: 'custom', message: `there is no case and no kind of cases ${word}` })
        return chosen
      }),
    ),
  seed: z.string().default('1'),
  seconds: count(6),
  pipelined: count(5_000),
  connections: count(50),
  'body-mb': z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .default(9.9),
  followers: count(1_000),
  rate: count(400),
  streams: count(500),
  upgrades: count(40),
  idle: count(10_000),
  tries: count(2),
  set: settings,
  json: z.boolean().default(false),
  help: z.boolean().default(false),
})

/** @returns the number of cases that are outside of the measure, or could not be judged. */
export async function soakEdge(args: readonly string[]): Promise<number> {
  const { only, set, json, help, ...given } = readOptions(args, optionsSchema, ['json', 'help'])
  if (help) {
    process.stdout.write(helpText())
    return 0
  }
  const stop = stopOnSignal()
  const postgres = await startPostgres()
  try {
    const report = await runEdge({
      databaseUrl: await postgres.createDatabase('edge'),
      cases: only,
      sizes: sizesOf(given),
      seed: given.seed,
      tries: given.tries,
      settings: set,
      stop,
      progress: (line) => void process.stderr.write(`edge: ${line}\n`),
      report: (played) => void process.stderr.write(describeCase(played)),
    })
    process.stdout.write(
      json ? `${JSON.stringify({ run: 'edge', options: given, ...report })}\n` : writeCases(report.cases),
    )
    const outside = report.cases.filter(({ verdict }) => verdict === 'outside')
    const unjudged = report.cases.filter(({ verdict }) => verdict === 'machine too slow')
    process.stderr.write(
      `edge: ${report.cases.length} cases in ${report.seconds} s: ${outside.length} outside of the measure, ${unjudged.length} not judged because the machine was too slow.\n`,
    )
    return outside.length + unjudged.length
  } finally {
    await postgres.stop()
  }
}

function sizesOf(given: Omit<z.infer<typeof optionsSchema>, 'only' | 'set' | 'json' | 'help'>): Sizes {
  const { 'body-mb': bodyMb, seed: _seed, tries: _tries, ...sizes } = given
  return { ...sizes, bodyBytes: Math.round(bodyMb * 1_000_000) }
}

function helpText(): string {
  const list = Object.entries(kinds).map(([kind, own]) =>
    [`  ${kind}`, ...own.map(({ name, attack }) => `    ${name.padEnd(32)}${attack}`)].join('\n'),
  )
  return `npm run soak -- edge [options]

Attacks a gateway and probes /health beside each attack: p99 at most ${most.p99Ms} ms, at most ${most.maxMs} ms, less than
${most.memoryMb} MB. Exits with 1 when a case is outside of this measure.

  --only NAMES        cases or kinds of cases, separated by commas; all when left out
  --seed TEXT         other bodies, bursts and sizes (up to a fifth more or less); 1
  --seconds 6         how long an attack that is repeated goes on
  --pipelined 5000    requests on one connection that do not wait
  --connections 50    connections of a burst
  --body-mb 9.9       size of a JSON body
  --followers 1000    followers of one scan
  --rate 400          payments in a second
  --streams 500       streamed replies at the same time
  --upgrades 40       refused upgrades at the same time
  --idle 10000        connections that send nothing
  --tries 2           how often a case is played at most while the machine is too slow to judge it
  --set NAME=VALUE    a setting of the gateway; may be repeated
  --json              one line of JSON instead of the table
  --help              this text

Cases:
${list.join('\n')}
`
}
