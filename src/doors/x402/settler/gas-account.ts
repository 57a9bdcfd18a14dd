import { setTimeout as pause } from 'node:timers/promises'
import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { GasPurpose } from '../../../platform/store/rows/settlement.ts'
import type { GasPrice } from './gas-price.ts'
import { PendingTransactions, type SentTransaction } from './pending-transactions.ts'
import { type ContractCall, createSender, type Sender, type Signer } from './sender.ts'

export class SendError extends Error {
  override readonly name = 'SendError'
  /**
   * Of the transaction that the node refused, in case it keeps it after all; unset when nothing was signed.
   */
  readonly hash: Hex | undefined
  /** The account cannot pay for the transaction. */
  readonly lacksGas: boolean
  /** This process may not send from the account any more, and has sent nothing. */
  readonly isLost: boolean

  constructor(hash: Hex | undefined, options: { cause: unknown; lacksGas?: boolean; isLost?: boolean }) {
    super('a settlement could not be sent', options)
    this.hash = hash
    this.lacksGas = options.lacksGas ?? false
    this.isLost = options.isLost ?? false
  }
}

/** Which accounts this process may send from now, where several gateways have the same keys. */
export interface SendingRights {
  /**
   * The number of the present term of an account; undefined while this process must not send from it. With
   * another number, another process may have used nonces of the account since.
   */
  termOf(account: Address): number | undefined
  /** Whether other gateways can settle payments. */
  othersCanSend(): boolean
}

export interface GasAccountOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly signer: Signer
  readonly gasPrice: GasPrice
  readonly replaceAfterMs: number
  readonly signTimeoutMs: number
  /** Left out: all accounts are this process's alone. */
  readonly rights?: SendingRights | undefined
  /** Called with the receipt of each transaction that was mined: what it cost is ours to pay. */
  readonly onMined: (receipt: TransactionReceipt, purpose: GasPurpose) => void
  /** Called when a transaction was mined, so that the account may be free again. */
  readonly onChange: () => void
  readonly onReplaced: () => void
  readonly log: Log
}

const maxTries = 8
/** Two gateways that lost a nonce to each other must not ask for the next one at the same moment again. */
const stepMs = 20
/**
 * Nodes keep at least sixteen transactions of an account. Payments that gather meanwhile share the next one.
 */
const maxOutstanding = 16

/**
 * One account that pays the gas of settlements. It counts the nonces here, because two transactions that ask
 * the node at the same time get the same one. It uses up a nonce only once the transaction is signed and not
 * refused, because a nonce that is never used holds up all later ones.
 */
export class GasAccount {
  readonly address: Address
  readonly #options: GasAccountOptions
  readonly #sender: Sender
  readonly #pending: PendingTransactions
  #nextNonce: number | undefined
  /** The term in which `#nextNonce` was counted. */
  #term: number | undefined
  #isSending = false

  constructor(options: GasAccountOptions) {
    this.#options = options
    this.#sender = createSender({ ...options, maySend: () => this.isHeld })
    this.#pending = new PendingTransactions({
      ...options,
      sender: this.#sender,
      maySend: () => this.isHeld,
    })
    this.address = this.#sender.address
  }

  /** Whether this process may send from the account. */
  get isHeld(): boolean {
    return this.#termNow() !== undefined
  }

  /** Whether a transaction is being signed and handed to the node. */
  get isSending(): boolean {
    return this.#isSending
  }

  /** Whether a transaction sent now is likely to be mined soon. Nothing may be sent while it is false. */
  get isFree(): boolean {
    return (
      this.isHeld &&
      !this.#isSending &&
      this.#pending.size < maxOutstanding &&
      this.#pending.waitedMs() < this.#options.replaceAfterMs
    )
  }

  /** How many transactions are not mined yet. */
  get outstanding(): number {
    return this.#pending.size
  }

  /** How long the next of them has been waiting, in milliseconds. */
  waitedMs(): number {
    return this.#pending.waitedMs()
  }

  /**
   * Signs and sends a transaction, and follows it until it is mined.
   * @throws SendError when the node did not take it.
   */
  async send(call: ContractCall, gas: bigint, purpose: GasPurpose): Promise<SentTransaction> {
    this.#isSending = true
    try {
      return await this.#signAndSend(call, gas, purpose)
    } catch (cause) {
      throw cause instanceof SendError ? cause : new SendError(undefined, { cause })
    } finally {
      this.#isSending = false
    }
  }

  close(): void {
    this.#pending.close()
  }

  async #signAndSend(call: ContractCall, gas: bigint, purpose: GasPurpose): Promise<SentTransaction> {
    const { gasPrice } = this.#options
    /** Of an earlier try, which a node may keep after all. */
    let hash: Hex | undefined
    for (let tries = 1; ; tries += 1) {
      const term = this.#termNow()
      if (term === undefined) throw lost(hash)
      if (term !== this.#term) this.#nextNonce = undefined
      this.#term = term
      const [fees, nonce] = await Promise.all([gasPrice.offer(), this.#nextNonce ?? this.#askNonce()])
      const signed = await this.#sender.sign(call, { nonce, gas, fees })
      // The signer may be slow, and another process may have used this nonce meanwhile.
      if (term !== this.#termNow()) throw lost(hash)
      const broadcast = await this.#sender.broadcast(signed)
      switch (broadcast.kind) {
        case 'accepted':
        case 'unanswered':
          this.#nextNonce = nonce + 1
          return this.#pending.add({ nonce, call, gas, purpose, signed })
        case 'refused':
          // Another gateway may have used the nonce of this account, or the price has moved.
          this.#nextNonce = undefined
          gasPrice.forget()
          if (broadcast.lacksGas) throw new SendError(hash, broadcast)
          hash = signed.hash
          if (tries === maxTries) throw new SendError(hash, broadcast)
          await pause(Math.random() * stepMs * tries)
      }
    }
  }

  #termNow(): number | undefined {
    const { rights } = this.#options
    return rights ? rights.termOf(this.address) : 0
  }

  /** A node that lost some of our transactions counts too few; their nonces are not free. */
  async #askNonce(): Promise<number> {
    const { address } = this
    const counted = await this.#options.client.getTransactionCount({ address, blockTag: 'pending' })
    return Math.max(counted, this.#pending.nextNonce ?? 0)
  }
}

/** @param hash of a transaction that the node refused before. */
function lost(hash: Hex | undefined): SendError {
  const cause = new Error('this gateway may not send from the account any more')
  return new SendError(hash, { cause, isLost: hash === undefined })
}
