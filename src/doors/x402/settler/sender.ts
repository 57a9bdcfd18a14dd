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
import type { Fees } from './gas-price.ts'
import { within } from './within.ts'

/**
 * Signs transactions of one account and hands them to the node. Whether the node took one is a question
 * with three answers, and the third is the dangerous one: no answer at all, when it may be on its way.
 */
export interface Sender {
  readonly address: Address
  /** Rejects when the signer fails or does not answer in time; nothing has left then. */
  sign(call: ContractCall, terms: Terms): Promise<Signed>
  broadcast(signed: Signed): Promise<BroadcastOutcome>
}

/** A key in this process, or one elsewhere that may take its time and fail. */
export interface Signer {
  readonly address: Address
  /** @returns the transaction with its signature, as it is broadcast. */
  signTransaction(transaction: TransactionSerializableEIP1559): Promise<Hex>
}

export interface ContractCall {
  readonly to: Address
  readonly data: Hex
}

interface Terms {
  readonly nonce: number
  readonly gas: bigint
  readonly fees: Fees
}

export interface Signed {
  readonly hash: Hex
  readonly serialized: Hex
  readonly fees: Fees
}

type BroadcastOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly cause: unknown }
  | { readonly kind: 'none'; readonly cause: unknown }

interface SenderOptions {
  readonly client: PublicClient
  readonly network: Network
  readonly signer: Signer
  /** Longest wait for a signature. */
  readonly signTimeoutMs: number
}

export function createSender({ client, network, signer, signTimeoutMs }: SenderOptions): Sender {
  return {
    address: signer.address,

    async sign(call, { nonce, gas, fees }) {
      const chainId = network.chainId
      const request = { type: 'eip1559', chainId, nonce, gas, ...fees, ...call } as const
      // A signature that comes too late is never sent, so its nonce is free for another.
      const signature = signer.signTransaction(request)
      const serialized = await within(signTimeoutMs, signature, 'the signer did not answer in time')
      return { hash: keccak256(serialized), serialized, fees }
    },

    async broadcast({ serialized }) {
      try {
        await client.sendRawTransaction({ serializedTransaction: serialized })
        return { kind: 'taken' }
      } catch (cause) {
        if (!(cause instanceof RpcError || cause instanceof RpcRequestError)) return { kind: 'none', cause }
        // It has it from an earlier attempt.
        if (/already (known|imported)|known transaction/i.test(cause.details)) return { kind: 'taken' }
        return { kind: 'refused', cause }
      }
    },
  }
}

/**
 * A gas account whose key is in this process. It signs with libsecp256k1: in JavaScript a signature takes
 * half a millisecond, during which no other call moves.
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
