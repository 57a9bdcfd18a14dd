import { type Command, InvalidArgumentError } from 'commander'
import {
  adoptionSchema,
  transfersSchema,
  unmatchedTransfersSchema,
} from '../../edge/handlers/operator/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, oneLine, print, table } from '../output.ts'
import { addPageOptions, type PageOptions } from '../page-options.ts'
import { formatTime } from '../time.ts'

/**
 * `tollgate ledger strangers`, `adopt` and `dismiss`: unmatched transfers, and what becomes of them. `tollgate refund`
 * gives them back. `stranger` is the name that the command, the endpoint and the table keep for them.
 */
export function addStrangerCommands(ledger: Command, access: Access): void {
  addListCommand(ledger, access)
  addAdoptCommand(ledger, access)
  addDismissCommand(ledger, access)
}

function addListCommand(ledger: Command, access: Access): void {
  const list = ledger
    .command('strangers')
    .description('List unmatched transfers: USDC that came in and belongs to no payment.')
    .option('--state <state>', 'open (the default), adopted, dismissed, or all')
    .option('--transaction <hash>', 'only transfers of this transaction, in any state')
  addPageOptions(addGatewayOptions(list)).action(
    async (options: PageOptions & { state?: string; transaction?: string }) => {
      const gateway = await openGateway(options, access)
      const { state, transaction, limit, cursor } = options
      const query = { state, transaction, limit, cursor }
      const page = await gateway.get('/operator/strangers', query, unmatchedTransfersSchema)
      if (options.json) return print(JSON.stringify(page))
      const rows = page.strangers.map((row) => [
        formatTime(row.seenAt),
        row.amount,
        row.payer,
        row.transaction,
        row.state === 'adopted' ? `payment ${row.paymentId}` : (row.reason ?? ''),
      ])
      const head = ['', 'USDC', 'from', 'transaction', 'resolved as']
      if (rows.length > 0) print(table([head, ...rows], [1]))
      else note('There are no unmatched transfers.')
      noteNextPage(page.nextCursor)
    },
  )
}

function addAdoptCommand(ledger: Command, access: Access): void {
  const adopt = addChoice(
    ledger
      .command('adopt')
      .description('Write the open unmatched transfers of a transaction into the books as payments.'),
  )
  addGatewayOptions(adopt).action(async (transaction: string, options: GatewayOptions & TransferChoice) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/strangers/${encodeURIComponent(transaction)}/adopt`
    const { payer, logIndex } = options
    const { transfers, ...reply } = await gateway.post(path, { payer, logIndex }, adoptionSchema)
    // One that is left keeps the books from closing, so a script must not go on.
    if (transfers.some(({ outcome }) => outcome === 'left')) process.exitCode = 1
    if (options.json) return print(JSON.stringify({ ...reply, transfers }))
    for (const { outcome, amount, payer: from, paymentId, problem, reason, logIndex: index } of transfers) {
      const what = `${amount} USDC from ${from}`
      if (outcome === 'adopted') print(`adopted: ${what} is payment ${paymentId}`)
      else if (outcome === 'known') print(`in the books already: ${what} is payment ${paymentId}`)
      else if (outcome === 'dismissed')
        print(`dismissed before: ${what}, log index ${index}: ${oneLine(reason ?? '')}`)
      else print(`left: ${what}, log index ${index}: ${oneLine(problem ?? '')}`)
    }
  })
}

function addDismissCommand(ledger: Command, access: Access): void {
  const dismiss = addChoice(
    ledger
      .command('dismiss')
      .description('Record why an unmatched transfer needs no payment.')
      .requiredOption('--reason <text>', 'one line for the books'),
  )
  addGatewayOptions(dismiss).action(
    async (transaction: string, options: GatewayOptions & TransferChoice & { reason: string }) => {
      const gateway = await openGateway(options, access)
      const path = `/operator/strangers/${encodeURIComponent(transaction)}/dismiss`
      const { payer, logIndex, reason } = options
      const reply = await gateway.post(path, { payer, logIndex, reason }, transfersSchema)
      if (options.json) return print(JSON.stringify(reply))
      for (const { amount, payer: from } of reply.strangers) print(`dismissed: ${amount} USDC from ${from}`)
    },
  )
}

export interface TransferChoice {
  payer?: string
  logIndex?: number
}

/** Adds the transaction, and the options that choose among its transfers. */
function addChoice(command: Command): Command {
  return addTransferOptions(
    command.argument('<transaction>', 'hash of the transaction: 0x and 64 hex digits'),
  )
}

export function addTransferOptions(command: Command): Command {
  return command
    .option('--payer <address>', 'of several transfers in the transaction, those of this sender')
    .option('--log-index <number>', 'of several transfers in the transaction, this one', parseIndex)
}

function parseIndex(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
