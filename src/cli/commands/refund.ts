import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { refundSchema } from '../../edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../edge/handlers/payments/replies.ts'
import { type Access, asksGateway, type GatewayOptions, GatewayUnusable, openGateway } from './gateway.ts'
import { harmless, note, print } from './output.ts'

/** `tollgate refund`: money leaves for good, so whoever gives it back sees first how much and to whom. */
export function addRefundCommand(program: Command, access: Access): void {
  const refund = program
    .command('refund')
    .description('Give the money of a payment back to its payer.')
    .argument('<id>', 'id of the payment: 0x and 64 hex digits')
    .option('-y, --yes', 'do not ask')
  asksGateway(refund).action(async (id: string, options: GatewayOptions & { yes?: boolean }) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/payments/${encodeURIComponent(id)}`
    const payment = await gateway.get(path, {}, bookedSchema)
    const { amount, payer, operation, state } = payment
    note(`Payment ${payment.paymentId}: ${amount} USDC of ${payer} for ${operation}, ${state}.`)
    if (state !== 'refunded' && !options.yes) await confirm(`Give ${amount} USDC back to ${payer}?`)

    const outcome = await gateway.post(`${path}/refund`, {}, refundSchema)
    if (outcome.state !== 'refunded') process.exitCode = 1
    if (options.json) return print(JSON.stringify(outcome))
    if (outcome.state === 'refunded') return print(`refunded in transaction ${outcome.transaction}`)
    print(`not refunded yet: ${outcome.failure ?? 'the outcome is not known'}`)
    note('The gateway goes on with it; the same command tells how it stands.')
  })
}

/** @throws GatewayUnusable unless a person at a terminal says yes. */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new GatewayUnusable('Nothing was refunded: without a terminal, say --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${harmless(question)} [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  throw new GatewayUnusable('Nothing was refunded.')
}
