import type { Command } from 'commander'
import type { z } from 'zod'
import {
  listSchema,
  reconciliationSchema,
  strangersSchema,
  totalsSchema,
} from '../../edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../edge/handlers/payments/replies.ts'
import { addExportCommand } from './export.ts'
import { type Access, asksGateway, type GatewayOptions, openGateway } from './gateway.ts'
import { note, print, sayMore, table } from './output.ts'
import { between, since, time } from './time.ts'

/** `tollgate ledger`: the books of a running gateway. */
export function addLedgerCommands(program: Command, access: Access): void {
  const ledger = program.command('ledger').description('The books of a running gateway.')
  addListCommand(ledger, access)
  addShowCommand(ledger, access)
  addTotalsCommand(ledger, access)
  addExportCommand(ledger, access)
  addReconcileCommand(ledger, access)
  addStrangersCommand(ledger, access)
}

interface PageOptions extends GatewayOptions {
  limit?: string
  cursor?: string
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
    .description('List payments, the newest first.')
    .option('--state <state>', 'only those in this state')
    .option('--operation <id>', 'only those for this operation')
    .option('--payer <address>', 'only those of this payer')
  paged(asksGateway(between(list))).action(async (options: ListOptions) => {
    const { state, operation, payer, since, until, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const query = { state, operation, payer, since, until, limit, cursor }
    const page = await gateway.get('/operator/payments', query, listSchema)
    if (options.json) return print(JSON.stringify(page))
    const rows = page.payments.map((row) => [
      time(row.createdAt),
      row.state,
      row.amount,
      row.operation,
      row.paymentId,
    ])
    if (rows.length > 0) print(table(rows, [2]))
    else note('There are no such payments.')
    sayMore(page.nextCursor)
  })
}

function addShowCommand(ledger: Command, access: Access): void {
  const show = ledger
    .command('show')
    .description('Show all that the books say of a payment.')
    .argument('<id>', 'id of the payment: 0x and 64 hex digits')
  asksGateway(show).action(async (id: string, options: GatewayOptions) => {
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
    value === null ? '-' : times.has(name) ? time(Number(value)) : String(value),
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
  const totals = ledger.command('totals').description('Add the books up, by operation and state.')
  asksGateway(totals).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const sums = await gateway.get('/operator/totals', {}, totalsSchema)
    if (options.json) return print(JSON.stringify(sums))
    const { operations, taken, refunded, net, strangers } = sums
    const rows = [
      ...operations.map((line) => [line.operation, line.state, String(line.payments), line.amount]),
      ['taken', '', String(taken.payments), taken.amount],
      ['refunded', '', String(refunded.payments), refunded.amount],
      ['net', '', '', net.amount],
      ['strangers', '', String(strangers.transfers), strangers.amount],
    ]
    print(table([['', 'state', 'number', 'USDC'], ...rows], [2, 3]))
  })
}

function addReconcileCommand(ledger: Command, access: Access): void {
  const reconcile = ledger
    .command('reconcile')
    .description('Compare the books with the chain; fails when they do not close.')
    .addOption(since('from when on: 24h, 7d, a date or a time; else the last day'))
  asksGateway(reconcile).action(async (options: GatewayOptions & { since?: string }) => {
    const gateway = await openGateway(options, access)
    const body = { since: options.since }
    const report = await gateway.post('/operator/reconcile', body, reconciliationSchema)
    if (!report.closes) process.exitCode = 1
    if (options.json) return print(JSON.stringify(report))
    const { chain, books, difference, strangers, missing } = report
    note(`Blocks ${report.fromBlock} to ${report.toBlock}; final up to ${report.finalizedBlock}.`)
    print(
      table(
        [
          ['on the chain', String(chain.transfers), chain.amount],
          ['in the books', String(books.payments), books.amount],
          ['difference', '', difference.amount],
        ],
        [1, 2],
      ),
    )
    for (const { transaction, payer, amount } of strangers) {
      print(`stranger: ${amount} USDC from ${payer} in ${transaction}`)
    }
    for (const { paymentId, transaction, amount } of missing) {
      print(`missing on the chain: ${amount} USDC of payment ${paymentId}, booked in ${transaction}`)
    }
    note(report.closes ? 'The books close with the chain.' : 'The books do not close with the chain.')
  })
}

function addStrangersCommand(ledger: Command, access: Access): void {
  const strangers = ledger
    .command('strangers')
    .description('List transfers that came in and belong to no payment.')
  paged(asksGateway(strangers)).action(async (options: PageOptions) => {
    const gateway = await openGateway(options, access)
    const { limit, cursor } = options
    const page = await gateway.get('/operator/strangers', { limit, cursor }, strangersSchema)
    if (options.json) return print(JSON.stringify(page))
    const rows = page.strangers.map((row) => [time(row.seenAt), row.amount, row.payer, row.transaction])
    if (rows.length > 0) print(table(rows, [1]))
    else note('No transfer came in that belongs to no payment.')
    sayMore(page.nextCursor)
  })
}

function paged(command: Command): Command {
  return command
    .option('--limit <number>', 'how many at most, up to 500')
    .option('--cursor <cursor>', 'where to go on, as the last answer says')
}
