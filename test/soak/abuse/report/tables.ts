import { formatUsdc } from '../../../../src/core/money.ts'
import type { Cost } from '../costs.ts'
import type { SceneReport } from './verdict.ts'

/** The tables of `test/soak/README.md`, so that a new run replaces them without a copying mistake. */

export function writeResults(scenes: readonly SceneReport[]): string {
  const rows = scenes.map(({ scene, payments, attacker, gateways, honest }) => [
    `\`${scene}\``,
    count(payments),
    count(attacker.gas),
    attacker.runs === 0 ? '0' : `${count(attacker.runs)} (${attacker.mostOfOneWallet})`,
    formatUsdc(attacker.worth),
    count(gateways.handlerRuns),
    count(gateways.upstreamCalls),
    count(gateways.nodeCalls),
    count(gateways.gasForNothing),
    gateways.peakMb.map(count).join(' and '),
    count(honest.p50),
    count(Object.values(honest.refusals).reduce((sum, times) => sum + times, 0)),
  ])
  return writeTable([resultColumns, ...rows])
}

const resultColumns = [
  'scene',
  'payments',
  'attacker’s gas',
  'runs for nothing (most by one wallet)',
  'worth, USDC',
  'handler runs',
  'upstream calls',
  'calls to the node',
  'gas for nothing',
  'peak MB',
  'honest p50, ms',
  'honest refused',
]

export function writeCosts(costs: readonly Cost[]): string {
  const rows = costs.map(({ kind, nodeCalls, statements, cpuMicroseconds, answers }) => [
    kind,
    nodeCalls.toFixed(2),
    statements.toFixed(2),
    count(cpuMicroseconds),
    Object.keys(answers).join(', '),
  ])
  return writeTable([['bad payment', 'calls to the node', 'store statements', 'CPU µs', 'answer'], ...rows])
}

const count = (value: number | bigint): string => value.toLocaleString('en')

/** Markdown with columns of even width; the first row is the head. */
function writeTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line), ''].join('\n')
}
