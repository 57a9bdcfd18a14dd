import type { Command } from 'commander'
import type { z } from 'zod'
import { reconciliationSchema } from '../../edge/handlers/operator/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, print, table } from '../output.ts'
import { sinceOption } from '../time.ts'

/** `tollgate ledger reconcile`: compares the books with the chain, transfer by transfer. */
export function addReconcileCommand(ledger: Command, access: Access): void {
  const reconcile = ledger
    .command('reconcile')
    .description('Compare the books with the chain; exits with 1 when they differ.')
    .addOption(sinceOption('start of the period: 24h, 7d, a date or a time; by default 24h'))
  addGatewayOptions(reconcile).action(async (options: GatewayOptions & { since?: string }) => {
    const gateway = await openGateway(options, access)
    const body = { since: options.since }
    const report = await gateway.post('/operator/reconcile', body, reconciliationSchema)
    if (!report.closes) process.exitCode = 1
    if (options.json) return print(JSON.stringify(report))
    const { accounts, strangers: unmatched, earlier, missing } = report
    note(`Blocks ${report.fromBlock} to ${report.toBlock}; final up to ${report.finalizedBlock}.`)
    if (accounts.length > 1) print(accountTable(accounts))
    print(sumTable(report))
    for (const { transaction, payer, payTo, amount, block } of unmatched) {
      const to = accounts.length > 1 ? ` to ${payTo}` : ''
      const later = block > report.finalizedBlock ? ', not final yet' : ''
      print(`unmatched transfer: ${amount} USDC from ${payer}${to} in ${transaction}${later}`)
    }
    if (earlier.transfers > 0) {
      print(`unmatched transfers of earlier blocks: ${earlier.transfers}, of ${earlier.amount} USDC`)
    }
    for (const { paymentId, transaction, amount } of missing) {
      print(`missing on the chain: ${amount} USDC of payment ${paymentId}, booked in ${transaction}`)
    }
    note(verdict(report))
  })
}

type Report = z.infer<typeof reconciliationSchema>

/** The sums of which there are none most of the time are left out then. */
function sumTable({ chain, books, pending, dismissed, difference }: Report): string {
  const rows = [
    ['on the chain', String(chain.transfers), chain.amount],
    ['in the books', String(books.payments), books.amount],
    ...(pending.transfers > 0 ? [['about to be booked', String(pending.transfers), pending.amount]] : []),
    ...(dismissed.transfers > 0 ? [['dismissed', String(dismissed.transfers), dismissed.amount]] : []),
    ['difference', '', difference.amount],
  ]
  return table(rows, [1, 2])
}

/** One line for each account, where `PAY_TO` was changed. */
function accountTable(accounts: Report['accounts']): string {
  const hasPending = accounts.some(({ pending }) => pending.transfers > 0)
  const hasDismissed = accounts.some(({ dismissed }) => dismissed.transfers > 0)
  const head = ['account', 'transfers', 'USDC', 'payments', 'USDC']
  const rows = accounts.map(({ payTo, chain, books, pending, dismissed, difference }) => [
    payTo,
    String(chain.transfers),
    chain.amount,
    String(books.payments),
    books.amount,
    ...(hasPending ? [pending.amount] : []),
    ...(hasDismissed ? [dismissed.amount] : []),
    difference.amount,
  ])
  const seldom = [...(hasPending ? ['about to be booked'] : []), ...(hasDismissed ? ['dismissed'] : [])]
  return table([[...head, ...seldom, 'difference'], ...rows], [1, 2, 3, 4, 5, 6, 7])
}

function verdict(report: Report): string {
  const { closes, strangers: unmatched, earlier, missing } = report
  if (closes) return 'The books match the chain.'
  return [
    'The books do not match the chain.',
    ...(earlier.transfers > 0 ? ['tollgate ledger strangers lists all unmatched transfers.'] : []),
    ...(unmatched.length + earlier.transfers > 0 ? [whatToDo] : []),
    ...(missing.length > 0 ? [whyMissing] : []),
  ].join('\n')
}

const whatToDo = `For each unmatched transfer, once it is final, do one of these (src/cli/README.md, "Unmatched transfers"):
  tollgate ledger adopt TRANSACTION     it paid for a call: serve the payer who repeats that call
  tollgate refund TRANSACTION           send the money back to its sender
  tollgate ledger dismiss TRANSACTION --reason '…'     it needs neither`

const whyMissing =
  'For payments that are missing on the chain see src/cli/README.md, "A chain that reorganizes".'
