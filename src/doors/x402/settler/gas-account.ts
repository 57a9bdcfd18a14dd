import { setTimeout as pause } from 'node:timers/promises'
import type { Address, Hex, PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { GasPrice } from './gas-price.ts'
import { createOutbox, type Sent } from './pending-transactions.ts'
import { type ContractCall, createSender, type Signer } from './sender.ts'

/**
 * One account that pays the gas of settlements. Nonces are counted here, because two transactions that ask
 * the node at once get the same one; and none is given away before it is signed for, because a nonce that
 * is never used holds up all that follow.
 */
export interface GasAccount {
  readonly address: Address
  /** Whether what is sent now is likely to be mined soon. Nothing may be sent while it is not. */
  readonly isFree: boolean
  /** How many transactions are on their way. */
  readonly outstanding: number
  /** For how long the chain has not taken what is on its way, in milliseconds. */
  waitedMs(): number
  /**
   * Signs and sends a transaction, and sees to it that it is mined.
   * @throws SendError when none is on its way.
   */
  send(call: ContractCall, gas: bigint): Promise<Sent>
  close(): void
}

export class SendError extends Error {
  override readonly name = 'SendError'
  /** Of what the node refused, in case it keeps it all the same; unset when nothing was signed. */
  readonly hash: Hex | undefined

  constructor(hash: Hex | undefined, options: { cause: unknown }) {
    super('a settlement could not be sent', options)
    this.hash = hash
  }
}

export interface GasAccountOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly signer: Signer
  readonly gasPrice: GasPrice
  readonly replaceAfterMs: number
  readonly signTimeoutMs: number
  /** Called when a transaction has left the account's queue, so that the account may be free again. */
  readonly onChange: () => void
  readonly onReplaced: () => void
  readonly log: Log
}

const maxTries = 8
/** Two gateways that lost a nonce to each other must not ask for the next one in step. */
const stepMs = 20
/** Nodes keep no more than sixteen transactions of one account for certain; and what gathers meanwhile shares the next. */
const maxOutstanding = 16

export function createGasAccount(options: GasAccountOptions): GasAccount {
  const { client, gasPrice, replaceAfterMs } = options
  const sender = createSender(options)
  const outbox = createOutbox({ ...options, sender })
  const { address } = sender
  let nextNonce: number | undefined
  let isSending = false

  async function send(call: ContractCall, gas: bigint): Promise<Sent> {
    for (let tries = 1; ; tries += 1) {
      const [fees, nonce] = await Promise.all([gasPrice.offer(), nextNonce ?? askNonce()])
      const signed = await sender.sign(call, { nonce, gas, fees })
      const answer = await sender.broadcast(signed)
      if (answer.kind !== 'refused') {
        nextNonce = nonce + 1
        return outbox.add({ nonce, call, gas, signed })
      }
      // Another gateway may send from this account as well and have used the nonce; or the price has moved.
      nextNonce = undefined
      gasPrice.forget()
      if (tries === maxTries) throw new SendError(signed.hash, { cause: answer.cause })
      await pause(Math.random() * stepMs * tries)
    }
  }

  /** A node that has lost some of ours counts too few: theirs are not free. */
  async function askNonce(): Promise<number> {
    const counted = await client.getTransactionCount({ address, blockTag: 'pending' })
    return Math.max(counted, outbox.nextNonce ?? 0)
  }

  return {
    address,
    get isFree() {
      return !isSending && outbox.size < maxOutstanding && outbox.waitedMs() < replaceAfterMs
    },
    get outstanding() {
      return outbox.size
    },
    waitedMs: outbox.waitedMs,
    async send(call, gas) {
      isSending = true
      try {
        return await send(call, gas)
      } catch (cause) {
        throw cause instanceof SendError ? cause : new SendError(undefined, { cause })
      } finally {
        isSending = false
      }
    },
    close: outbox.close,
  }
}
