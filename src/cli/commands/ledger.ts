import type { Command } from 'commander'
import type { z } from 'zod'
import { paymentListSchema, totalsSchema } from '../../edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../edge/handlers/payments/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { addPageOptions, type PageOptions } from '../page-options.ts'
import { addPeriodOptions, formatTime } from '../time.ts'
import { addExportCommand } from './export.ts'
import { addReconcileCommand } from './reconcile.ts'
import { addStrangerCommands } from './strangers.ts'

/** `tollgate ledger`: reads the books of a running gateway, exports them and compares them with the chain. */
export function addLedgerCommands(program: Command, access: Access): void {
  const ledger = program.command('ledger').description('Read the books of a running gateway.')
  addListCommand(ledger, access)
  addShowCommand(ledger, access)
  addTotalsCommand(ledger, access)
  addExportCommand(ledger, access)
  addReconcileCommand(ledger, access)
  addStrangerCommands(ledger, access)
}

interface ListOptions extends PageOptions {
  state?: string
  operation?: string
  payer?: string
  since?: string
  until?: string
}

function addListCommand(ledger: Command, access: Access): void {
  const list = ledger
    .command('list')
    .description('List payments, newest first.')
    .option('--state <state>', 'only payments in this state')
    .option('--operation <id>', 'only payments for this operation')
    .option('--payer <address>', 'only payments of this payer')
  addPageOptions(addGatewayOptions(addPeriodOptions(list))).action(async (options: ListOptions) => {
    const { state, operation, payer, since, until, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const query = { state, operation, payer, since, until, limit, cursor }
    const page = await gateway.get('/operator/payments', query, paymentListSchema)
    if (options.json) return print(JSON.stringify(page))
    const rows = page.payments.map((row) => [
      formatTime(row.createdAt),
      row.state,
      row.amount,
      row.operation,
      row.paymentId,
      row.refundAmount === null ? '' : `refund ${row.refundAmount}`,
    ])
    if (rows.length > 0) print(table(rows, [2]))
    else note('No payment matches.')
    noteNextPage(page.nextCursor)
  })
}

function addShowCommand(ledger: Command, access: Access): void {
  const show = ledger
    .command('show')
    .description('Show everything the books hold about one payment.')
    .argument('<id>', 'id of the payment: 0x and 64 hex digits')
  addGatewayOptions(show).action(async (id: string, options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const payment = await gateway.get(`/operator/payments/${encodeURIComponent(id)}`, {}, bookedSchema)
    print(options.json ? JSON.stringify(payment) : describe(payment))
  })
}

function describe(payment: z.infer<typeof bookedSchema>): string {
  const { reply, ...fields } = payment
  const times = new Set(['createdAt', 'updatedAt', 'settledAt', 'leaseUntil'])
  const rows = Object.entries(fields).map(([name, value]) => [
    name,
    value === null ? '-' : times.has(name) ? formatTime(Number(value)) : String(value),
  ])
  return table([
    ...rows,
    [
      'reply',
      reply ? `status ${reply.status}, ${reply.bytes === null ? 'streamed' : `${reply.bytes} bytes`}` : '-',
    ],
  ])
}

function addTotalsCommand(ledger: Command, access: Access): void {
  const totals = ledger.command('totals').description('Add up the books by operation and state.')
  addGatewayOptions(totals).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const sums = await gateway.get('/operator/totals', {}, totalsSchema)
    if (options.json) return print(JSON.stringify(sums))
    const { operations, taken, refunded, net, strangers: unmatched, dismissed } = sums
    const rows = [
      ...operations.map((line) => [line.operation, line.state, String(line.payments), line.amount]),
      ['taken', '', String(taken.payments), taken.amount],
      ['refunded', '', String(refunded.payments), refunded.amount],
      ['net', '', '', net.amount],
      ['unmatched transfers', '', String(unmatched.transfers), unmatched.amount],
      ...(dismissed.transfers > 0
        ? [['dismissed transfers', '', String(dismissed.transfers), dismissed.amount]]
        : []),
    ]
    print(table([['', 'state', 'number', 'USDC'], ...rows], [2, 3]))
  })
}
