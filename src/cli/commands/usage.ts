import type { Command } from 'commander'
import { parseUsdc } from '../../core/money.ts'
import { callsSchema, usageSchema } from '../../edge/handlers/operator/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { addPeriodOptions, formatTime } from '../time.ts'

/**
 * `tollgate usage`: shows the usage of metered calls with its price and its cost, in total or call by call.
 */
export function addUsageCommand(program: Command, access: Access): void {
  const usage = program
    .command('usage')
    .description('Show what metered calls used, what it is worth and what it cost.')
    .option('--calls', 'list the calls, newest first')
    .option('--operation <id>', 'with --calls: only calls of this operation')
    .option('--door <door>', 'with --calls: only calls by this door: open, free, key or payment')
    .option('--limit <number>', 'with --calls: how many at most, up to 500')
    .option('--cursor <cursor>', 'with --calls: next page, as the last output names it')
  addGatewayOptions(addPeriodOptions(usage)).action(async (options: UsageOptions) => {
    if (options.calls) await listCalls(options, access)
    else await showTotals(options, access)
  })
}

interface UsageOptions extends GatewayOptions {
  calls?: boolean
  operation?: string
  door?: string
  since?: string
  until?: string
  limit?: string
  cursor?: string
}

async function showTotals(options: UsageOptions, access: Access): Promise<void> {
  const { since, until } = options
  const gateway = await openGateway(options, access)
  const sums = await gateway.get('/operator/usage', { since, until }, usageSchema)
  if (options.json) return print(JSON.stringify(sums))
  const hasRefunds = sums.usage.some(({ refunded }) => !isZero(refunded))
  const rows = sums.usage.map((line) => [
    line.operation,
    line.door,
    String(line.calls),
    line.input,
    line.output,
    line.unit ?? '-',
    line.amount,
    line.taken,
    ...(hasRefunds ? [line.refunded] : []),
    line.cost,
    line.margin ?? '-',
  ])
  const used = ['', 'door', 'calls', 'input', 'output', 'unit', 'worth']
  const head = [...used, 'taken', ...(hasRefunds ? ['refunded'] : []), 'cost', 'margin']
  if (rows.length > 0) print(table([head, ...rows], [2, 3, 4, 6, 7, 8, 9, 10]))
  else note('Nothing was metered.')
  const costs = sums.costs.map((line) => [
    line.upstream,
    line.operation,
    line.state,
    String(line.payments),
    line.amount,
  ])
  if (costs.length > 0)
    print(`\n${table([['upstream', 'for', 'state', 'payments', 'USDC'], ...costs], [3, 4])}`)
}

async function listCalls(options: UsageOptions, access: Access): Promise<void> {
  const { operation, door, since, until, limit, cursor } = options
  const gateway = await openGateway(options, access)
  const query = { operation, door, since, until, limit, cursor }
  const page = await gateway.get('/operator/usage/calls', query, callsSchema)
  if (options.json) return print(JSON.stringify(page))
  const hasRefunds = page.calls.some(({ refunded }) => refunded !== null && !isZero(refunded))
  const rows = page.calls.map((call) => [
    formatTime(call.createdAt),
    call.operation,
    call.door,
    `${call.input}+${call.output} ${call.unit ?? '-'}${call.isEstimate ? ' (estimated)' : ''}`,
    call.amount,
    call.taken ?? '-',
    ...(hasRefunds ? [call.refunded ?? '-'] : []),
    call.cost,
    call.subject,
  ])
  const refunded = hasRefunds ? ['refunded'] : []
  const head = ['', 'operation', 'door', 'used', 'USDC', 'taken', ...refunded, 'cost', 'by']
  if (rows.length > 0) print(table([head, ...rows], hasRefunds ? [4, 5, 6, 7] : [4, 5, 6]))
  else note('No call matches.')
  noteNextPage(page.nextCursor)
}

function isZero(usdc: string): boolean {
  return parseUsdc(usdc) === 0n
}
