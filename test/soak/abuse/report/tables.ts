import { formatUsdc } from '../../../../src/core/money.ts'
import { withCommas, writeTable } from '../../table.ts'
import type { Cost } from '../costs.ts'
import type { SceneReport } from './verdict.ts'

/** The tables of `test/soak/README.md`, so that a new run replaces them without a copying mistake. */

export function writeResults(scenes: readonly SceneReport[]): string {
  const rows = scenes.map(({ scene, payments, attacker, gateways, honest }) => [
    `\`${scene}\``,
    withCommas(payments),
    withCommas(attacker.gas),
    attacker.runs === 0 ? '0' : `${withCommas(attacker.runs)} (${attacker.mostOfOneWallet})`,
    formatUsdc(attacker.worth),
    withCommas(gateways.handlerRuns),
    withCommas(gateways.upstreamCalls),
    withCommas(gateways.nodeCalls),
    withCommas(gateways.gasForNothing),
    gateways.peakMb.map(withCommas).join(' and '),
    withCommas(honest.p50),
    withCommas(Object.values(honest.refusals).reduce((sum, times) => sum + times, 0)),
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
    withCommas(cpuMicroseconds),
    Object.keys(answers).join(', '),
  ])
  return writeTable([['bad payment', 'calls to the node', 'store statements', 'CPU µs', 'answer'], ...rows])
}
