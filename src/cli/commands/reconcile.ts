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
    const { accounts, chain, books, difference, strangers: unmatched, missing } = report
    note(`Blocks ${report.fromBlock} to ${report.toBlock}; final up to ${report.finalizedBlock}.`)
    if (accounts.length > 1) print(accountTable(accounts))
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
    for (const { transaction, payer, amount } of unmatched) {
      print(`unmatched transfer: ${amount} USDC from ${payer} in ${transaction}`)
    }
    for (const { paymentId, transaction, amount } of missing) {
      print(`missing on the chain: ${amount} USDC of payment ${paymentId}, booked in ${transaction}`)
    }
    note(verdict(report))
  })
}

/** One line for each account, where `PAY_TO` was changed. */
function accountTable(accounts: z.infer<typeof reconciliationSchema>['accounts']): string {
  const columns = ['account', 'transfers', 'USDC', 'payments', 'USDC', 'difference']
  const rows = accounts.map(({ payTo, chain, books, difference }) => [
    payTo,
    String(chain.transfers),
    chain.amount,
    String(books.payments),
    books.amount,
    difference.amount,
  ])
  return table([columns, ...rows], [1, 2, 3, 4, 5])
}

function verdict({ closes, strangers: unmatched }: z.infer<typeof reconciliationSchema>): string {
  if (!closes) return 'The books do not match the chain.'
  return unmatched.length === 0
    ? 'The books match the chain.'
    : 'The books match the chain, except for the unmatched transfers above.'
}
