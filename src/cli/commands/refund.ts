import type { Command } from 'commander'
import type { z } from 'zod'
import { refundSchema, unmatchedTransfersSchema } from '../../edge/handlers/operator/replies.ts'
import { bookedSchema } from '../../edge/handlers/payments/replies.ts'
import { CommandError } from '../command-error.ts'
import { confirm } from '../confirm.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type Gateway, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, oneLine, print } from '../output.ts'
import { addTransferOptions, type TransferChoice } from './strangers.ts'

interface RefundOptions extends GatewayOptions, TransferChoice {
  amount?: string
  reason?: string
  beforeFinal?: boolean
  yes?: boolean
}

/** `tollgate refund`: shows amount and payer and asks before it sends, because a refund cannot be taken back. */
export function addRefundCommand(program: Command, access: Access): void {
  const refund = program
    .command('refund')
    .description('Send the money of a payment, or of an unmatched transfer, back to its payer.')
    .argument('<id>', 'id of the payment, or transaction of the transfer: 0x and 64 hex digits')
    .option('--amount <usdc>', 'only a part of a served payment, like 0.05')
    .option('--reason <text>', 'one line for the books')
    .option('--before-final', 'also while the chain may still drop the payment: the refund may then be lost')
    .option('-y, --yes', 'do not ask for confirmation')
  addGatewayOptions(addTransferOptions(refund)).action(async (id: string, options: RefundOptions) => {
    const gateway = await openGateway(options, access)
    const outcome =
      (await refundPayment(gateway, id, options)) ?? (await refundTransfer(gateway, id, options))
    if (outcome.state !== 'refunded') process.exitCode = 1
    if (options.json) return print(JSON.stringify(outcome))
    const before = outcome.alreadyRefunded ? 'already ' : ''
    if (outcome.state === 'refunded') return print(`${before}refunded in transaction ${outcome.transaction}`)
    print(`not refunded yet: ${oneLine(outcome.failure ?? 'the outcome is not known')}`)
    note('The gateway keeps trying. Run the same command again to see the state.')
  })
}

type Outcome = z.infer<typeof refundSchema>

/** @returns undefined when no payment has this id. */
async function refundPayment(
  gateway: Gateway,
  id: string,
  { amount: part, reason, beforeFinal, yes }: RefundOptions,
): Promise<Outcome | undefined> {
  const path = `/operator/payments/${encodeURIComponent(id)}`
  let payment: z.infer<typeof bookedSchema>
  try {
    payment = await gateway.get(path, {}, bookedSchema)
  } catch (error) {
    if (error instanceof CommandError && error.code === 'PAYMENT_NOT_FOUND') return undefined
    throw error
  }
  const { amount, payer, operation, state } = payment
  note(`Payment ${payment.paymentId}: ${amount} USDC of ${payer} for ${operation}, ${state}.`)
  if (state !== 'refunded') {
    const sum = part === undefined ? `${amount} USDC` : `${part} of ${amount} USDC`
    if (!yes) await confirm(`Refund ${sum} to ${payer}?`, 'Nothing was refunded')
    note(`Refunding ${sum} to ${payer}.`)
  }
  return gateway.post(`${path}/refund`, { amount: part, reason, beforeFinal }, refundSchema)
}

async function refundTransfer(
  gateway: Gateway,
  transaction: string,
  options: RefundOptions,
): Promise<Outcome> {
  const { amount: part, reason, payer, logIndex, yes } = options
  const strangers = await transfersOf(gateway, transaction)
  const chosen = strangers.filter(
    (row) =>
      (payer === undefined || row.payer.toLowerCase() === payer.toLowerCase()) &&
      (logIndex === undefined || row.logIndex === logIndex),
  )
  const [transfer] = chosen
  if (!transfer) {
    throw new CommandError('The transaction has no unmatched transfer that fits --payer and --log-index.')
  }
  if (chosen.length > 1) {
    const each = chosen.map((row) => `  --log-index ${row.logIndex}: ${row.amount} USDC from ${row.payer}`)
    throw new CommandError(
      ['The transaction has several unmatched transfers. Choose one:', ...each].join('\n'),
    )
  }
  const booked =
    transfer.paymentId === null ? undefined : await refundPayment(gateway, transfer.paymentId, options)
  if (booked) return booked
  if (part !== undefined) throw new CommandError('An unmatched transfer is refunded whole, without --amount.')
  const { amount, payer: sender, state } = transfer
  note(`Unmatched transfer in ${transfer.transaction}: ${amount} USDC of ${sender}, ${state}.`)
  if (!yes) await confirm(`Refund ${amount} USDC to ${sender}?`, 'Nothing was refunded')
  note(`Refunding ${amount} USDC to ${sender}.`)
  const path = `/operator/strangers/${encodeURIComponent(transaction)}/refund`
  return gateway.post(path, { logIndex: transfer.logIndex, reason }, refundSchema)
}

/** @throws CommandError that says why the books have none, such as a block that is not final yet. */
async function transfersOf(gateway: Gateway, transaction: string) {
  try {
    const query = { transaction, find: 'true' }
    return (await gateway.get('/operator/strangers', query, unmatchedTransfersSchema)).strangers
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { code, message } = error
    if (code !== 'TRANSFER_NOT_FOUND' && code !== 'TRANSFER_CONFLICT') throw error
    throw new CommandError(`No payment has this id. ${message}`, { code })
  }
}
