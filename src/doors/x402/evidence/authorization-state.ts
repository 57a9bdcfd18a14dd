import {
  type Address,
  getAbiItem,
  type Hex,
  type Log,
  numberToHex,
  type PublicClient,
  pad,
  type TransactionReceipt,
  toEventSelector,
} from 'viem'
import type { Inclusion, Settlement } from '../wire/facilitator.ts'
import { type Authorization, isSameHex } from '../wire/types.ts'
import { blocksAtOnce, blocksBack } from './blocks-back.ts'
import type { Nonces, Search } from './nonces.ts'
import { permit2Nonces } from './permit2-nonces.ts'
import { tokenAbi } from './token.ts'
import { uptoSettlementsIn } from './upto-settlements.ts'

/**
 * What the chain shows about a payment. Only the chain proves that a payment is settled, and only for the
 * amount that moved: with `upto`, another amount than the ledger's may have been taken.
 */
export type AuthorizationState =
  /** This amount moved in this transaction, in atomic units, whichever account sent it. */
  | ({ readonly kind: 'transferred'; readonly amount: bigint } & Inclusion)
  /** The nonce is used, but not for a transfer to us: the payer canceled it or used it otherwise. */
  | { readonly kind: 'canceled' }
  /** The nonce is used, but its transaction was not found: it is too old, or the node does not have it. */
  | { readonly kind: 'spent' }
  /** The nonce is unused in `block`, whose time is `now` (Unix seconds). */
  | { readonly kind: 'unused'; readonly block: bigint; readonly now: bigint }

/**
 * Asks the chain whether an authorization was used, and for what. Rejects when the chain does not answer.
 * @param search how many blocks are searched for events at once, and since when (Unix seconds) the nonce may
 *   have been used: since its authorization became valid, unless the caller knows better.
 */
export async function findAuthorizationState(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  search: Partial<Omit<Search, 'head'>> = {},
): Promise<AuthorizationState> {
  const nonces = authorization.facilitator ? permit2Nonces : tokenNonces
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest', includeTransactions: false })
  // Asked at that block, because one RPC address may lead to nodes that have fewer blocks.
  if (!(await nonces.isUsed(client, asset, authorization, number))) {
    return { kind: 'unused', block: number, now: timestamp }
  }
  const { validAfter } = authorization
  const range = { head: number, since: validAfter, blocksAtOnce, ...search }
  const spending = await nonces.findSpending(client, asset, authorization, range)
  switch (spending?.kind) {
    case undefined:
      return { kind: 'spent' }
    case 'canceled':
      return { kind: 'canceled' }
    case 'transferred':
      return { kind: 'transferred', amount: spending.amount, ...inclusionOf(spending.receipt) }
  }
}

/**
 * Whether no new block can have an earlier time (Unix seconds), not even after a reorganization. An
 * authorization whose validity ended by then can no longer be used.
 */
export async function isPast(client: PublicClient, time: bigint): Promise<boolean> {
  const { timestamp } = await client.getBlock({ blockTag: 'finalized', includeTransactions: false })
  return timestamp >= time
}

/** Where a mined transaction stands. */
export function inclusionOf({ transactionHash, blockNumber, blockHash }: TransactionReceipt): Inclusion {
  return { transaction: transactionHash, block: { number: blockNumber, hash: blockHash } }
}

/** Where the chain shows that exactly this amount was taken; undefined when it shows anything else. */
export function arrivalOf(state: AuthorizationState, amount: bigint): Inclusion | undefined {
  return state.kind === 'transferred' && state.amount === amount
    ? { transaction: state.transaction, block: state.block }
    : undefined
}

/**
 * The outcome of a payment whose nonce is used, when `amount` is due. When another amount moved, the payment
 * counts neither as settled nor as failed, and its payer is not asked again: the operator has to look.
 */
export function outcomeOf(
  state: Exclude<AuthorizationState, { kind: 'unused' }>,
  amount: bigint,
): Settlement {
  switch (state.kind) {
    case 'transferred': {
      const { transaction, block } = state
      if (state.amount === amount) return { outcome: 'settled', transaction, block }
      const cause = new Error(`the chain shows a transfer of ${state.amount}, but ${amount} is due`)
      return { outcome: 'unknown', transaction, cause }
    }
    case 'canceled':
      return {
        outcome: 'failed',
        isFinal: true,
        refusal: { reason: 'invalid_transaction_state', message: 'the payer canceled the authorization' },
      }
    case 'spent':
      return { outcome: 'unknown', cause: new Error('the nonce is used, but its transaction was not found') }
  }
}

/**
 * Whether a transaction moved exactly this amount by this authorization. Rejects when the
 * chain does not answer.
 */
export async function provesPayment(
  client: PublicClient,
  receipt: TransactionReceipt,
  asset: Address,
  authorization: Authorization,
  amount: bigint,
): Promise<boolean> {
  if (!authorization.facilitator) {
    return amount === authorization.value && provesTransfer(receipt.logs, asset, authorization)
  }
  const settlements = await uptoSettlementsIn(client, receipt, asset)
  return settlements.some(
    (one) =>
      isSameHex(one.payer, authorization.from) &&
      isSameHex(one.payTo, authorization.to) &&
      isSameHex(one.nonce, authorization.nonce) &&
      one.amount === amount,
  )
}

/**
 * Whether these logs show that this EIP-3009 authorization was used. `AuthorizationUsed` names payer and
 * nonce, and the `Transfer` right after it moves the money. Checked separately, two equal payments in one
 * transaction could prove each other, and an authorization used for another payee could pass for ours.
 */
export function provesTransfer(
  logs: readonly Log[],
  asset: Address,
  { from, to, value, nonce }: Authorization,
): boolean {
  const own = logs.filter(({ address, topics: [event] }) => isSameHex(address, asset) && events.has(event))
  const [payer, payee] = [pad(from), pad(to)]
  const amount = numberToHex(value, { size: 32 })
  return own.some((use, index) => {
    const next = own[index + 1]
    return (
      next?.transactionHash === use.transactionHash &&
      isEvent(use, [authorizationUsed, payer, nonce], '0x') &&
      isEvent(next, [transfer, payer, payee], amount)
    )
  })
}

/** Compared as they are, because decoding each log takes most of the time of reading a batch's receipt. */
function isEvent(log: Log, topics: readonly Hex[], data: Hex): boolean {
  return (
    isSameHex(log.data, data) &&
    log.topics.length === topics.length &&
    topics.every((topic, index) => isSameHex(topic, log.topics[index] ?? '0x'))
  )
}

const selectorOf = (name: 'AuthorizationUsed' | 'AuthorizationCanceled' | 'Transfer') =>
  toEventSelector(getAbiItem({ abi: tokenAbi, name }))
const authorizationUsed = selectorOf('AuthorizationUsed')
const transfer = selectorOf('Transfer')
/** Logs of other events may stand between the two. */
const events: ReadonlySet<Hex | undefined> = new Set([
  authorizationUsed,
  selectorOf('AuthorizationCanceled'),
  transfer,
])

/** The nonces of EIP-3009, which the token counts. */
const tokenNonces: Nonces = {
  isUsed: (client, asset, { from, nonce }, blockNumber) =>
    client.readContract({
      address: asset,
      abi: tokenAbi,
      functionName: 'authorizationState',
      args: [from, nonce],
      blockNumber,
    }),

  async findSpending(client, asset, authorization, search) {
    const { from: authorizer, nonce, value } = authorization
    const filter = { address: asset, abi: tokenAbi, args: { authorizer, nonce } } as const
    for await (const range of blocksBack(client, search)) {
      const [[used], [canceled]] = await Promise.all([
        client.getContractEvents({ ...filter, eventName: 'AuthorizationUsed', ...range }),
        client.getContractEvents({ ...filter, eventName: 'AuthorizationCanceled', ...range }),
      ])
      if (used) {
        const receipt = await client.getTransactionReceipt({ hash: used.transactionHash })
        return provesTransfer(receipt.logs, asset, authorization)
          ? { kind: 'transferred', receipt, amount: value }
          : { kind: 'canceled' }
      }
      if (canceled) return { kind: 'canceled' }
    }
    return undefined
  },
}
