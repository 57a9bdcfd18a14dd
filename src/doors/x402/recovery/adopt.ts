import {
  type Address,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { GatewayError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { UnmatchedTransferRow } from '../../../platform/store/rows/settlement.ts'
import { findPayment, paymentsIn } from '../../ledger/find-payment.ts'
import { type ReceivingAccount, receivingAccounts } from '../../ledger/receiving-accounts.ts'
import { type Adoption, adopt } from '../../ledger/reconciling/adopt.ts'
import { openingBlock } from '../../ledger/reconciling/inbound.ts'
import {
  dismissTransfer,
  transferState,
  unmatchedTransfersOf,
} from '../../ledger/reconciling/unmatched-transfers.ts'
import type { Currency } from '../../ledger/totals.ts'
import { findReceipt } from '../evidence/find-receipt.ts'
import { type SignedTransfer, signedTransfersIn } from '../evidence/signed-transfers.ts'
import { tokenAbi } from '../evidence/token.ts'
import { paymentId } from '../wire/requirements.ts'
import { isSameHex } from '../wire/types.ts'
import { transferPaymentId } from './match-transfers.ts'
import { hex } from './payment-row.ts'
import type { Reconciliation } from './reconcile.ts'
import type { Refund, Refunds } from './refund.ts'

/**
 * What an operator can do with unmatched transfers: adopt them as payments, refund them, or dismiss them. Only
 * transfers that the reconciliation has recorded are touched: those are final, and each is recorded once.
 */
export interface Adoptions {
  /**
   * Makes sure that the transfers of a transaction are recorded.
   * @throws GatewayError TRANSFER_NOT_FOUND or TRANSFER_CONFLICT with the reason why none is.
   */
  find(transaction: Hex): Promise<void>
  /**
   * Writes transfers into the books as payments. An `exact` payment becomes owed: its payer's repeated call is
   * served, or it is refunded. An `upto` payment becomes final, because its amount is taken only once the
   * call was served. Dismissed transfers stay dismissed: a key may have been given for one of them.
   * @throws GatewayError TRANSFER_NOT_FOUND; TRANSFER_CONFLICT when none of them is a payment afterwards.
   */
  adopt(transaction: Hex, choice: TransferChoice): Promise<readonly AdoptedTransfer[]>
  /**
   * Gives one transfer back to its sender, once, also a plain one, but not a dismissed one.
   * @throws GatewayError TRANSFER_NOT_FOUND, TRANSFER_CONFLICT, REFUND_IMPOSSIBLE.
   */
  refund(
    transaction: Hex,
    choice: TransferChoice,
    reason: string | undefined,
  ): Promise<Refund & { readonly id: string }>
  /**
   * Records why a transfer needs no payment, or all of one payer.
   * @throws GatewayError TRANSFER_NOT_FOUND, TRANSFER_CONFLICT.
   */
  dismiss(transaction: Hex, choice: TransferChoice, reason: string): Promise<readonly UnmatchedTransferRow[]>
}

/** Which transfers of a transaction are meant; all when empty. */
interface TransferChoice {
  readonly payer?: string | undefined
  readonly logIndex?: number | undefined
}

interface AdoptedTransfer {
  readonly transfer: UnmatchedTransferRow
  /** `known` when it was a payment before. */
  readonly outcome: 'adopted' | 'known' | 'dismissed' | 'left'
  /** Null when it was left, or is dismissed. */
  readonly paymentId: string | null
  /** Why it was left. */
  readonly problem: string | null
}

interface AdoptionOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly reconciliation: Pick<Reconciliation, 'advance'>
  readonly refunds: Refunds
  readonly log: Log
}

export function createAdoptions(options: AdoptionOptions): Adoptions {
  return new ChainAdoptions(options)
}

class ChainAdoptions implements Adoptions {
  readonly #options: AdoptionOptions
  readonly #currency: Currency

  constructor(options: AdoptionOptions) {
    const { chainId, usdc } = options.network
    this.#options = options
    this.#currency = { chainId, asset: usdc.address.toLowerCase() }
  }

  async find(transaction: Hex): Promise<void> {
    await this.#find(transaction, {})
  }

  async adopt(transaction: Hex, choice: TransferChoice): Promise<readonly AdoptedTransfer[]> {
    const found = await this.#find(transaction, choice)
    const signed = await this.#readSigned(transaction, found)
    const outcomes: AdoptedTransfer[] = []
    for (const transfer of found) {
      const authorization = signed.get(transfer.logIndex)
      outcomes.push(
        resolved(transfer) ??
          (authorization
            ? await this.#adoptSigned(transfer, authorization)
            : { transfer, outcome: 'left', paymentId: null, problem: unsigned }),
      )
    }
    if (outcomes.some(({ paymentId: payment }) => payment !== null)) return outcomes
    const left = outcomes.find(({ outcome }) => outcome === 'left')
    throw conflict(left?.problem ?? outcomes.map(({ transfer }) => whyDismissed(transfer)).join('; '))
  }

  async refund(transaction: Hex, choice: TransferChoice, reason: string | undefined) {
    const { refunds } = this.#options
    const found = await this.#find(transaction, choice)
    const [transfer] = found
    if (!transfer || found.length > 1) throw chooseOne(found)
    if (transferState(transfer) === 'dismissed') throw conflict(whyDismissed(transfer))
    const id = transfer.paymentId ?? (await this.#adoptForRefund(transfer))
    return { id, ...(await refunds.refund(id, { reason })) }
  }

  async dismiss(transaction: Hex, choice: TransferChoice, reason: string) {
    const { books } = this.#options
    const found = await this.#find(transaction, choice)
    // One transaction of a settler holds the payments of many calls.
    if (found.length > 1 && choice.payer === undefined) throw chooseOne(found)
    requireNoPayment(found)
    for (const transfer of found) await dismissTransfer(books, transfer, reason)
    const after = await this.#recorded(transaction, choice)
    // Another operator may have adopted one since.
    requireNoPayment(after)
    return after
  }

  async #adoptSigned(transfer: UnmatchedTransferRow, signed: SignedTransfer): Promise<AdoptedTransfer> {
    const id = this.#idOf(transfer, signed)
    if (!(await this.#write(transfer, signed, id))) {
      // Another operator may have adopted or dismissed it since.
      const [again] = await this.#recorded(transfer.transaction, transfer)
      return (
        (again && resolved(again)) ?? {
          transfer,
          outcome: 'left',
          paymentId: null,
          problem: otherTransfer(id),
        }
      )
    }
    return { transfer, outcome: 'adopted', paymentId: id, problem: null }
  }

  /**
   * Makes the payment that a refund gives back. A payment's own id is used where the transfer carried one out,
   * so that its payer learns of the refund by repeating the call.
   */
  async #adoptForRefund(transfer: UnmatchedTransferRow): Promise<string> {
    const { books, network, refunds } = this.#options
    const { transaction, logIndex, payer, amount } = transfer
    if (isAddressEqual(hex(payer), zeroAddress)) throw conflict(minted)
    // It would come back as the next unmatched transfer.
    const accounts = await receivingAccounts(books, this.#currency)
    if (accounts.some(({ payTo }) => payTo === payer)) throw conflict(moved)
    // Before the transfer becomes a payment that is owed and cannot be paid back.
    await refunds.requireFunds(amount)
    const signed = (await this.#readSigned(hex(transaction), [transfer])).get(logIndex)
    const own = signed && this.#idOf(transfer, signed)
    const isTaken = own !== undefined && (await findPayment(books, own)) !== undefined
    const id =
      own === undefined || isTaken ? transferPaymentId(network.chainId, hex(transaction), logIndex) : own
    const plain: SignedTransfer = {
      nonce: id,
      value: amount,
      validAfter: 0n,
      validBefore: 0n,
      signature: '0x',
    }
    if (await this.#write(transfer, (!isTaken && signed) || plain, id)) return id
    const [again] = await this.#recorded(transaction, transfer)
    if (again && again.paymentId !== null) return again.paymentId
    throw conflict(again && transferState(again) === 'dismissed' ? whyDismissed(again) : otherTransfer(id))
  }

  async #write(transfer: UnmatchedTransferRow, signed: SignedTransfer, id: Hex): Promise<boolean> {
    const { books, log } = this.#options
    const { facilitator } = signed
    const adoption: Adoption = {
      id,
      nonce: signed.nonce.toLowerCase(),
      scheme: facilitator ? 'upto' : 'exact',
      authorized: signed.value,
      facilitator: facilitator?.toLowerCase() ?? null,
      validAfter: signed.validAfter.toString(),
      validBefore: signed.validBefore.toString(),
      signature: signed.signature,
      state: facilitator ? 'final' : 'paid',
    }
    const isAdopted = await adopt(books, transfer, adoption)
    if (isAdopted) log.warn({ payment: id, transaction: transfer.transaction }, 'a transfer was adopted')
    return isAdopted
  }

  #idOf({ payer }: UnmatchedTransferRow, { nonce, permit2 }: SignedTransfer): Hex {
    const { chainId, usdc } = this.#options.network
    return paymentId(chainId, usdc.address, hex(payer), nonce, permit2)
  }

  async #readSigned(transaction: Hex, transfers: readonly UnmatchedTransferRow[]) {
    const { client, network } = this.#options
    const receipt = await client.getTransactionReceipt({ hash: transaction })
    const asked = transfers.map(({ logIndex, payer, amount }) => ({ logIndex, payer: hex(payer), amount }))
    return signedTransfersIn(client, receipt, network.usdc.address, asked)
  }

  /** @throws GatewayError TRANSFER_NOT_FOUND, TRANSFER_CONFLICT. */
  async #find(transaction: Hex, choice: TransferChoice): Promise<UnmatchedTransferRow[]> {
    const recorded = await this.#recorded(transaction, choice)
    if (recorded.length > 0) return recorded
    await this.#options.reconciliation.advance()
    const found = await this.#recorded(transaction, choice)
    if (found.length > 0) return found
    const others = await this.#recorded(transaction, {})
    throw others.length > 0
      ? notFound(`the transaction has other unmatched transfers: ${listed(others)}`)
      : await this.#whyNotRecorded(transaction)
  }

  async #recorded(transaction: string, { payer, logIndex }: TransferChoice): Promise<UnmatchedTransferRow[]> {
    const rows = await unmatchedTransfersOf(this.#options.books, this.#currency, [transaction])
    return rows.filter(
      (row) =>
        (payer === undefined || row.payer === payer) && (logIndex === undefined || row.logIndex === logIndex),
    )
  }

  async #whyNotRecorded(transaction: Hex): Promise<GatewayError> {
    const { books, client, network } = this.#options
    const receipt = await findReceipt(client, transaction)
    if (!receipt) return notFound('the chain has no transaction with this hash')
    if (receipt.status === 'reverted') return notFound('the transaction was reverted and moved no money')
    const accounts = await receivingAccounts(books, this.#currency)
    const recipients = transfersIn(receipt, network.usdc.address).map(({ to }) => to)
    const received = accounts.filter(({ payTo }) => recipients.some((to) => isSameHex(payTo, to)))
    if (received.length === 0) {
      const ours = accounts.map(({ payTo }) => payTo).join(', ')
      return notFound(`the transaction moves no USDC to ${ours}`)
    }
    const { chainId } = network
    const { blockNumber } = receipt
    const booked = await paymentsIn(books, { chainId, transaction, blockNumber })
    if (booked.length > 0) return conflict(`it is in the books already, as payment ${booked.join(', ')}`)
    const openings = await Promise.all(received.map((account) => this.#describeOpening(account, blockNumber)))
    if (openings.every((opening) => opening !== undefined)) {
      return conflict(`it is of block ${blockNumber}, and these books count ${openings.join(' and ')}`)
    }
    const { number: finalized } = await client.getBlock({ blockTag: 'finalized', includeTransactions: false })
    return conflict(
      blockNumber > finalized
        ? `its block ${blockNumber} is not final yet, and the chain is final up to ${finalized}: try again later`
        : 'its payment may still be in progress: try again in a minute',
    )
  }

  /** Which transfers to an account these books count; undefined when a transfer of this block is among them. */
  async #describeOpening(account: ReceivingAccount, block: bigint): Promise<string | undefined> {
    const opening = await openingBlock(this.#options.books, account)
    return opening === undefined || block > opening
      ? undefined
      : `transfers to ${account.payTo} after block ${opening}`
  }
}

function transfersIn({ logs }: TransactionReceipt, asset: Address): { readonly to: Address }[] {
  const own = logs.filter((log) => isSameHex(log.address, asset))
  return parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs: own })
    .map(({ args }) => args)
    .filter(({ value }) => value > 0n)
}

/** What became of a transfer that is not open any more; undefined when it is. */
function resolved(transfer: UnmatchedTransferRow): AdoptedTransfer | undefined {
  const { paymentId: known } = transfer
  switch (transferState(transfer)) {
    case 'adopted':
      return { transfer, outcome: 'known', paymentId: known, problem: null }
    case 'dismissed':
      return { transfer, outcome: 'dismissed', paymentId: null, problem: null }
    case 'open':
      return undefined
  }
}

/** @throws GatewayError TRANSFER_CONFLICT. */
function requireNoPayment(transfers: readonly UnmatchedTransferRow[]): void {
  const payment = transfers.find(({ paymentId: known }) => known !== null)
  if (payment) throw conflict(`the transfer ${listed([payment])} is payment ${payment.paymentId}`)
}

/** Names transfers as an operator chooses them. */
function listed(transfers: readonly UnmatchedTransferRow[]): string {
  return transfers.map(({ logIndex, payer }) => `log index ${logIndex} from ${payer}`).join(', ')
}

const unsigned =
  'the chain does not show that it carried out a payment, so no call can be served for it: refund it, or dismiss it with a reason'
const minted = 'it was minted and has no sender: dismiss it with a reason'
const moved = 'it comes from an account that payments go to, or went to: dismiss it with a reason'

function chooseOne(found: readonly UnmatchedTransferRow[]): GatewayError {
  return conflict(`the transaction has several transfers, so choose one: ${listed(found)}`)
}

function whyDismissed(transfer: UnmatchedTransferRow): string {
  return `the transfer ${listed([transfer])} was dismissed, so it is neither adopted nor refunded; the reason was: ${transfer.dismissal ?? ''}`
}

function otherTransfer(id: string): string {
  return `the books have payment ${id} with another transfer or amount: refund this one, or dismiss it with a reason`
}

function notFound(problem: string): GatewayError {
  return new GatewayError('TRANSFER_NOT_FOUND', { problem })
}

function conflict(problem: string): GatewayError {
  return new GatewayError('TRANSFER_CONFLICT', { problem })
}
