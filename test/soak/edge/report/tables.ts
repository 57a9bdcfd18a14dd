import { listTimes, withCommas, writeTable } from '../../table.ts'
import type { CaseReport } from './verdict.ts'

/** The table of results of `test/soak/README.md`. */
export function writeCases(cases: readonly CaseReport[]): string {
  const rows = cases.map(({ name, probes: { gateway, peer }, attacker, gateway: { peakMb }, verdict }) => [
    `\`${name}\``,
    withCommas(gateway.probes),
    ms(gateway.p50),
    ms(gateway.p99),
    ms(gateway.max),
    `${ms(peer.p99)}, ${ms(peer.max)}`,
    peakMb === undefined ? 'ended' : withCommas(peakMb),
    withCommas(attacker.requests),
    megabytes(attacker.sentBytes),
    megabytes(attacker.receivedBytes),
    fewAnswers(attacker.answers),
    verdict,
  ])
  return writeTable([columns, ...rows])
}

const columns = [
  'case',
  'probes',
  'p50, ms',
  'p99, ms',
  'max, ms',
  'bare server: p99, max',
  'peak MB',
  'requests',
  'sent, MB',
  'got, MB',
  'answers',
  'measure',
]

/** One case as lines of text, as soon as it is over. */
export function describeCase(played: CaseReport): string {
  const { name, seconds, probes, attacker, gateway } = played
  const { gateway: felt, peer } = probes
  return [
    `${name}: ${played.verdict}`,
    `  probes: ${felt.probes}, p50 ${ms(felt.p50)}, p99 ${ms(felt.p99)}, max ${ms(felt.max)} ms; bare server: p50 ${ms(peer.p50)}, p99 ${ms(peer.p99)}, max ${ms(peer.max)} ms; own lag of the prober ${probes.lagMs} ms, of the attacker ${attacker.lagMs} ms`,
    `  gateway: at most ${gateway.peakMb ?? '-'} MB, ${gateway.cpuMs ?? '-'} ms of CPU in ${seconds} s and ${gateway.cpuWaitMs ?? '-'} ms of waiting for one, ${gateway.nodeCalls} calls to the node, ${gateway.storeCalls} transactions of the store`,
    `  attacker: ${withCommas(attacker.requests)} requests, ${megabytes(attacker.sentBytes)} MB sent, ${megabytes(attacker.receivedBytes)} MB got: ${listTimes(attacker.answers)}`,
    ...played.violations.map((violation) => `  OUTSIDE ${violation}`),
    '',
  ].join('\n')
}

const ms = (value: number) => (value >= 10 ? withCommas(Math.round(value)) : value.toFixed(1))
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** The most frequent ones. */
function fewAnswers(answers: CaseReport['attacker']['answers']): string {
  const often = Object.entries(answers).sort(([, one], [, other]) => other - one)
  return often
    .slice(0, 3)
    .map(([answer]) => answer)
    .join(', ')
}
