import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { refundSchema } from '../../edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../edge/handlers/payments/replies.ts'
import { CommandError } from '../command-error.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { harmless, note, print } from '../output.ts'

/** `tollgate refund`: shows amount and payer and asks before it sends, because a refund cannot be taken back. */
export function addRefundCommand(program: Command, access: Access): void {
  const refund = program
    .command('refund')
    .description('Send the money of a payment back to its payer.')
    .argument('<id>', 'id of the payment: 0x and 64 hex digits')
    .option('-y, --yes', 'do not ask for confirmation')
  addGatewayOptions(refund).action(async (id: string, options: GatewayOptions & { yes?: boolean }) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/payments/${encodeURIComponent(id)}`
    const payment = await gateway.get(path, {}, bookedSchema)
    const { amount, payer, operation, state } = payment
    note(`Payment ${payment.paymentId}: ${amount} USDC of ${payer} for ${operation}, ${state}.`)
    if (state !== 'refunded' && !options.yes) await confirm(`Refund ${amount} USDC to ${payer}?`)

    const outcome = await gateway.post(`${path}/refund`, {}, refundSchema)
    if (outcome.state !== 'refunded') process.exitCode = 1
    if (options.json) return print(JSON.stringify(outcome))
    if (outcome.state === 'refunded') return print(`refunded in transaction ${outcome.transaction}`)
    print(`not refunded yet: ${outcome.failure ?? 'the outcome is not known'}`)
    note('The gateway keeps trying. Run the same command again to see the state.')
  })
}

/** @throws CommandError unless a person at a terminal says yes. */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError('Nothing was refunded: without a terminal, pass --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await terminal.question(`${harmless(question)} [y/N] `)
    if (/^y(es)?$/i.test(reply.trim())) return
  } finally {
    terminal.close()
  }
  throw new CommandError('Nothing was refunded.')
}
