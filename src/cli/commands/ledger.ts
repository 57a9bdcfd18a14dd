import { type Command, Option } from 'commander'
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
  network?: string
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
    .option('--network <network>', 'base, base-sepolia or all; by default the one in use')
  addPageOptions(addGatewayOptions(addPeriodOptions(list))).action(async (options: ListOptions) => {
    const { state, operation, payer, network, since, until, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const query = { state, operation, payer, network, since, until, limit, cursor }
    const page = await gateway.get('/operator/payments', query, paymentListSchema)
    if (options.json) return print(JSON.stringify(page))
    const rows = page.payments.map((row) => [
      formatTime(row.createdAt),
      row.state,
      row.amount,
      ...(network === undefined ? [] : [row.network]),
      row.operation,
      row.paymentId,
      row.refundAmount ?? '',
    ])
    const head = ['', 'state', 'USDC', 'operation', 'payment', 'refund']
    if (rows.length > 0) print(table([head, ...rows], [2]))
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

interface TotalsOptions extends GatewayOptions {
  since?: string
  until?: string
  by?: string
}

function addTotalsCommand(ledger: Command, access: Access): void {
  const totals = ledger
    .command('totals')
    .description('Add up the books by operation and state, or by day or month.')
    .addOption(new Option('--by <period>', 'one line for each day or month (UTC)').choices(['day', 'month']))
    .addHelpText('after', timeOfMoney)
  addGatewayOptions(addPeriodOptions(totals)).action(async (options: TotalsOptions) => {
    const { since, until, by } = options
    const gateway = await openGateway(options, access)
    const sums = await gateway.get('/operator/totals', { since, until, by }, totalsSchema)
    if (options.json) return print(JSON.stringify(sums))
    print(sums.periods ? periodTable(sums, sums.periods) : totalsTable(sums))
  })
}

const timeOfMoney = `
A row of an operation has the whole amounts of its payments, also of refunded
ones. What went back of them, in whole or in part, is "money given back".

What counts in a period:
  payment             when its money came in; while none has, when it was made
  refund              when the money was back
  unmatched transfer  when it was found
  gas                 when the transaction was seen in a block
So the sums agree with the journal of the same period.`

type Totals = z.infer<typeof totalsSchema>

function totalsTable({
  operations,
  taken,
  refunded,
  net,
  strangers: unmatched,
  dismissed,
  gas,
}: Totals): string {
  const rows = [
    ...operations.map((line) => [line.operation, named(line.state), String(line.payments), line.amount]),
    ['money taken', '', String(taken.payments), taken.amount],
    ['money given back', '', String(refunded.payments), refunded.amount],
    ['money kept (net)', '', '', net.amount],
    ['unmatched transfers', '', String(unmatched.transfers), unmatched.amount],
    ...(dismissed.transfers > 0
      ? [['dismissed transfers', '', String(dismissed.transfers), dismissed.amount]]
      : []),
  ]
  const head = ['', 'state', 'number', 'USDC']
  return `${table([head, ...rows], [2, 3])}\n\n${table(
    [
      ['', 'number', 'ETH'],
      ['gas paid', String(gas.transactions), gas.amount],
      ...(gas.reverted.transactions > 0
        ? [['of it for nothing', String(gas.reverted.transactions), gas.reverted.amount]]
        : []),
    ],
    [1, 2],
  )}`
}

/** These rows have the whole amounts of payments of which a part may have gone back. */
function named(state: Totals['operations'][number]['state']): string {
  return state === 'refunded' || state === 'refunding' ? `${state}, all or part` : state
}

function periodTable(sums: Totals, periods: NonNullable<Totals['periods']>): string {
  const hasDismissed = sums.dismissed.transfers > 0
  const rows = [...periods, { ...sums, period: 'all' }].map((one) => [
    one.period,
    String(one.taken.payments),
    one.taken.amount,
    one.refunded.amount,
    one.net.amount,
    one.strangers.amount,
    ...(hasDismissed ? [one.dismissed.amount] : []),
    one.gas.amount,
  ])
  const head = ['', 'payments', 'taken', 'given back', 'net', 'unmatched']
  const more = [...(hasDismissed ? ['dismissed'] : []), 'gas (ETH)']
  return table([[...head, ...more], ...rows], [1, 2, 3, 4, 5, 6, 7])
}
