import { z } from 'zod'
import { formatUsdc, parseUsdc } from '../../../src/core/money.ts'
import { count, listOf, readOptions, settings, stopOnSignal } from '../options.ts'
import { startPostgres } from '../postgres.ts'
import { createRandom } from '../random.ts'
import { listTimes } from '../table.ts'
import { type AbuseReport, runAbuse, sceneNames } from './abuse.ts'
import { writeCosts, writeResults } from './report/tables.ts'
import type { SceneReport } from './report/verdict.ts'
import { burnTimes } from './scene.ts'

/**
 * `npm run soak -- abuse`: prints the report of each scene on standard error, and one line of JSON with all of them on
 * standard output.
 *
 *     npm run soak -- abuse
 *     npm run soak -- abuse --only drains,burners --drain-wallets 40 --burn-when spent --seed tuesday
 *     npm run soak -- abuse --set MAX_UNSETTLED_USDC=2.00
 */
const optionsSchema = z.object({
  only: listOf(sceneNames),
  seed: z.string().default('1'),
  'stream-wallets': count(3),
  streams: count(100),
  'drain-wallets': count(24),
  drains: count(20),
  burners: count(9),
  burns: count(10),
  'burn-when': listOf(burnTimes),
  'burn-blocks': count(8),
  'burn-share': count(3),
  'burn-keep': count(0),
  connections: count(100),
  'body-kb': count(9_500),
  repeats: count(300),
  'flood-rate': count(300),
  'flood-seconds': count(8),
  addresses: count(8),
  'upto-payments': count(60),
  'honest-rate': count(8),
  'honest-wallets': count(4),
  'quiet-seconds': count(12),
  set: settings,
  help: z.boolean().default(false),
})

/** @returns the number of measures that were exceeded. @throws z.ZodError for options that it does not know. */
export async function soakAbuse(args: readonly string[]): Promise<number> {
  const { help, ...given } = readOptions(args, optionsSchema, ['help'])
  if (help) {
    process.stdout.write(helpText())
    return 0
  }
  const stop = stopOnSignal()
  const postgres = await startPostgres()
  try {
    const report = await runAbuse({
      databaseUrl: await postgres.createDatabase('abuse'),
      only: given.only,
      numbers: {
        random: createRandom(`${given.seed} abuse`),
        streamWallets: given['stream-wallets'],
        streams: given.streams,
        drainWallets: given['drain-wallets'],
        drains: given.drains,
        burners: given.burners,
        burns: given.burns,
        burnWhen: given['burn-when'],
        burnBlocks: given['burn-blocks'],
        burnShare: given['burn-share'],
        burnKeep: given['burn-keep'],
        connections: given.connections,
        bodyBytes: given['body-kb'] * 1_000,
        repeats: given.repeats,
        floodRate: given['flood-rate'],
        floodSeconds: given['flood-seconds'],
        addresses: given.addresses,
        uptoPayments: given['upto-payments'],
      },
      honestRate: given['honest-rate'],
      honestWallets: given['honest-wallets'],
      quietSeconds: given['quiet-seconds'],
      settings: given.set,
      maxUnsettled: parseUsdc(given.set.MAX_UNSETTLED_USDC ?? '5.00'),
      stop,
      progress: (line) => void process.stderr.write(`abuse: ${line}\n`),
      report: (scene) => void process.stderr.write(describeScene(scene)),
    })
    const line = JSON.stringify({ run: 'abuse', options: given, ...report }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    process.stdout.write(`${line}\n`)
    process.stderr.write(describeRun(report))
    return report.violations.length
  } finally {
    await postgres.stop()
  }
}

function helpText(): string {
  return `npm run soak -- abuse [options]

Plays attacks against two gateways beside honest payers, and compares what the attacker got for nothing, what the gateways
spent, and what honest payers felt. Exits with 1 when a measure is exceeded.

  --only NAMES            scenes, separated by commas; all when left out: ${sceneNames.join(', ')}
  --seed TEXT             other moments, orders and choices; 1
  --stream-wallets 3      wallets that stream and move their money, each with --streams 100 streams
  --drain-wallets 24      wallets that drain themselves, each with --drains 20 payments
  --burners 9             wallet contracts that burn gas, each with --burns 10 payments
  --burn-when MOMENTS     when they burn: ${burnTimes.join(', ')}; with --burn-blocks 8, --burn-share 3, --burn-keep 0
  --connections 100       connections that send large bodies of --body-kb 9500 beside worthless payments
  --repeats 300           repeats of each bad payment
  --flood-rate 300        refused payments in a second, for --flood-seconds 8, from --addresses 8
  --upto-payments 60      honest upto payments over both gateways while one is killed
  --honest-rate 8         calls of honest payers in a second, by --honest-wallets 4 of each kind
  --quiet-seconds 12      how long honest payers call before the first attack
  --set NAME=VALUE        a setting of the gateways; may be repeated
  --help                  this text
`
}

function describeScene({ scene, attacker, gateways, honest, ...report }: SceneReport): string {
  const kinds = Object.entries(honest.byKind).map(([kind, { p50 }]) => `${kind} ${p50}`)
  return [
    `${scene}: ${report.payments} payments in ${report.seconds} s: ${listTimes(report.answers)}`,
    `  attacker: paid ${formatUsdc(attacker.paid)} USDC, spent ${attacker.gas} gas, got ${attacker.runs} runs worth ${formatUsdc(attacker.worth)} USDC for nothing, at most ${attacker.mostOfOneWallet} by one wallet`,
    `  gateways: ${gateways.handlerRuns} handler runs, ${gateways.upstreamCalls} upstream calls (${gateways.freeRequests} failed by the attacker's making), ${gateways.nodeCalls} calls to the node for the attacker (${listTimes(gateways.nodeMethods) || 'none'}), ${gateways.gasForNothing} gas for nothing, at most ${gateways.peakMb.join(' and ')} MB`,
    `  honest: ${honest.calls} calls, p50 ${honest.p50} ms (${kinds.join(', ')}), p99 ${honest.p99} ms, ${honest.signedAgain} signed again, refused: ${listTimes(honest.refusals) || 'none'}`,
    ...report.violations.map((violation) => `  EXCEEDED ${violation}`),
    '',
  ].join('\n')
}

function describeRun(report: AbuseReport): string {
  const { quiet, scenes, costs, worstMinute, nodeCallsPerPayment, seconds, violations } = report
  return [
    ...(scenes.length > 0 ? [writeResults(scenes)] : []),
    ...(costs.length > 0 ? [writeCosts(costs)] : []),
    `abuse: ${seconds} s; quiet p50 ${quiet?.p50 ?? '-'} ms, p99 ${quiet?.p99 ?? '-'} ms; ${formatUsdc(worstMinute)} USDC lost in the worst minute; ${nodeCallsPerPayment} calls to the node for a bad payment.`,
    violations.length === 0
      ? 'No measure was exceeded.'
      : `${violations.length} MEASURES WERE EXCEEDED:\n  ${violations.join('\n  ')}`,
    '',
  ].join('\n')
}
