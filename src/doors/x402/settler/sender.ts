import pTimeout from 'p-timeout'
import secp256k1 from 'secp256k1'
import {
  type Address,
  type Hex,
  hexToBytes,
  keccak256,
  type PublicClient,
  RpcError,
  RpcRequestError,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  toHex,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Network } from '../../../platform/chain/networks.ts'
import { lacksGas } from '../evidence/lacks-gas.ts'
import type { Fees } from './gas-price.ts'

/** Signs the transactions of one account and hands them to the node. */
export interface Sender {
  readonly address: Address
  /** Rejects when the signer fails or does not reply in time; nothing was sent then. */
  sign(call: ContractCall, terms: TransactionTerms): Promise<SignedTransaction>
  broadcast(signed: SignedTransaction): Promise<BroadcastOutcome>
}

/** A key in this process, or one elsewhere that may be slow or fail. */
export interface Signer {
  readonly address: Address
  /** @returns the transaction with its signature, as it is broadcast. */
  signTransaction(transaction: TransactionSerializableEIP1559): Promise<Hex>
}

export interface ContractCall {
  readonly to: Address
  readonly data: Hex
}

interface TransactionTerms {
  readonly nonce: number
  readonly gas: bigint
  readonly fees: Fees
}

export interface SignedTransaction {
  readonly hash: Hex
  readonly serialized: Hex
  readonly fees: Fees
}

type BroadcastOutcome =
  | { readonly kind: 'accepted' }
  /** @property lacksGas the account cannot pay for it, so the node certainly did not take it. */
  | { readonly kind: 'refused'; readonly lacksGas: boolean; readonly cause: unknown }
  /** The node did not reply, so the transaction may be on its way. */
  | { readonly kind: 'unanswered'; readonly cause: unknown }

interface SenderOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly signer: Signer
  /** Longest wait for a signature. */
  readonly signTimeoutMs: number
  /** False while another process may use the account's nonces. */
  readonly maySend: () => boolean
}

export function createSender({ client, network, signer, signTimeoutMs, maySend }: SenderOptions): Sender {
  return {
    address: signer.address,

    async sign(call, { nonce, gas, fees }) {
      const chainId = network.chainId
      const request = { type: 'eip1559', chainId, nonce, gas, ...fees, ...call } as const
      // A signature that comes too late is dropped and never sent, so its nonce is free for another
      // transaction.
      const serialized = await pTimeout(signer.signTransaction(request), {
        milliseconds: signTimeoutMs,
        message: 'the signer did not reply in time',
      })
      return { hash: keccak256(serialized), serialized, fees }
    },

    async broadcast({ serialized }) {
      // Asked here, so that nothing goes out by another way: not even a transaction that was signed before.
      if (!maySend()) {
        const cause = new Error('another gateway may send from this account now')
        return { kind: 'refused', lacksGas: false, cause }
      }
      try {
        await client.sendRawTransaction({ serializedTransaction: serialized })
        return { kind: 'accepted' }
      } catch (cause) {
        if (!(cause instanceof RpcError || cause instanceof RpcRequestError)) {
          return { kind: 'unanswered', cause }
        }
        // The node has the transaction from an earlier attempt.
        if (/already (known|imported)|known transaction/i.test(cause.details)) return { kind: 'accepted' }
        return { kind: 'refused', lacksGas: lacksGas(cause), cause }
      }
    },
  }
}

/**
 * Creates the signer of a gas account whose key is in this process. It signs with libsecp256k1, because a
 * signature in JavaScript takes about half a millisecond in which no other call moves (no measurement kept
 * for signing; the row "recover its signer" of `npm run bench` compares both for recovery).
 */
export function createKeySigner(privateKey: Hex): Signer {
  const key = hexToBytes(privateKey)
  return {
    address: privateKeyToAddress(privateKey),
    async signTransaction(transaction) {
      // The nonce of the signature follows from key and hash (RFC 6979), as wallets have it.
      const { signature, recid } = secp256k1.ecdsaSign(
        keccak256(serializeTransaction(transaction), 'bytes'),
        key,
      )
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
      return serializeTransaction(transaction, { r: toHex(r), s: toHex(s), yParity: recid })
    },
  }
}
