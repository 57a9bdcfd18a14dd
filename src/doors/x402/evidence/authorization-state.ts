import { type Address, type Log, type PublicClient, parseEventLogs, type TransactionReceipt } from 'viem'
import type { Inclusion, Settlement } from '../wire/facilitator.ts'
import { type Authorization, isSameHex } from '../wire/types.ts'
import { blocksAtOnce, blocksBack } from './blocks-back.ts'
import type { Nonces } from './nonces.ts'
import { permit2Nonces } from './permit2-nonces.ts'
import { tokenAbi } from './token.ts'
import { uptoSettlementsIn } from './upto-settlements.ts'

/**
 * What the chain says about a payment. Only this counts as settled, and only for the amount that moved:
 * of what was signed for `upto` somebody may have taken another part than the books say.
 */
export type AuthorizationState =
  /** So much of the money moved in this transaction, in atomic units, whoever sent it. */
  | ({ readonly kind: 'transferred'; readonly amount: bigint } & Inclusion)
  /** The nonce is spent, and no transfer to us bears it: the payer cancelled it or used it otherwise. */
  | { readonly kind: 'cancelled' }
  /** The nonce is spent, but its transaction was not found: too old, or a node that has not seen it. */
  | { readonly kind: 'spent' }
  /** The nonce is unspent in `block`, whose time is `now` (Unix seconds). */
  | { readonly kind: 'unused'; readonly block: bigint; readonly now: bigint }

/**
 * Asks the chain what became of an authorization. Rejects when the chain does not answer.
 * @param searchedBlocks how many blocks are searched for events at once.
 */
export async function findAuthorizationState(
  client: PublicClient,
  asset: Address,
  authorization: Authorization,
  searchedBlocks = blocksAtOnce,
): Promise<AuthorizationState> {
  const nonces = authorization.facilitator ? permit2Nonces : tokenNonces
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest', includeTransactions: false })
  // Asked of that very block: behind one RPC address there may be nodes that have seen less.
  if (!(await nonces.isUsed(client, asset, authorization, number))) {
    return { kind: 'unused', block: number, now: timestamp }
  }
  const spending = await nonces.findSpending(client, asset, authorization, number, searchedBlocks)
  if (!spending) return { kind: 'spent' }
  if (spending === 'cancelled') return { kind: 'cancelled' }
  return { kind: 'transferred', amount: spending.amount, ...inclusionOf(spending.receipt) }
}

/**
 * Whether no block can come any more that bears an earlier time (Unix seconds), not even by a reorganisation: what was
 * signed up to then can no longer be carried out.
 */
export async function isPast(client: PublicClient, time: bigint): Promise<boolean> {
  const { timestamp } = await client.getBlock({ blockTag: 'finalized', includeTransactions: false })
  return timestamp >= time
}

/** Where a mined transaction stands. */
export function inclusionOf({ transactionHash, blockNumber, blockHash }: TransactionReceipt): Inclusion {
  return { transaction: transactionHash, block: { number: blockNumber, hash: blockHash } }
}

/** Where the chain shows that just this amount was taken; undefined when it shows anything else. */
export function arrivalOf(evidence: AuthorizationState, amount: bigint): Inclusion | undefined {
  return evidence.kind === 'transferred' && evidence.amount === amount
    ? { transaction: evidence.transaction, block: evidence.block }
    : undefined
}

/**
 * What spent evidence means for a payment of which `amount` is to be taken. Where another amount moved,
 * nobody is told that the payment is settled, nor asked for it again: the operator has to look.
 */
export function outcomeOf(
  evidence: Exclude<AuthorizationState, { kind: 'unused' }>,
  amount: bigint,
): Settlement {
  switch (evidence.kind) {
    case 'transferred': {
      const { transaction, block } = evidence
      if (evidence.amount === amount) return { outcome: 'settled', transaction, block }
      const cause = new Error(`the chain shows a transfer of ${evidence.amount}, and ${amount} is due`)
      return { outcome: 'unknown', transaction, cause }
    }
    case 'cancelled':
      return {
        outcome: 'failed',
        refusal: { reason: 'invalid_transaction_state', message: 'the payer cancelled the authorization' },
      }
    case 'spent':
      return { outcome: 'unknown', cause: new Error('the nonce is spent, its transaction was not found') }
  }
}

/**
 * Whether a transaction, whoever says that it bears a payment, has moved just this amount by just this
 * authorization. Rejects when the chain does not answer.
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
 * Whether these logs show this EIP-3009 authorization carried out. `AuthorizationUsed` names payer and nonce,
 * and the `Transfer` right after it moves the money; taken apart, two equal payments in one transaction could
 * vouch for each other, and an authorization used towards somebody else could pass for ours.
 */
export function provesTransfer(logs: readonly Log[], asset: Address, authorization: Authorization): boolean {
  const events = parseEventLogs({ abi: tokenAbi, logs: logs.filter((log) => isSameHex(log.address, asset)) })
  return events.some((event, index) => {
    const next = events[index + 1]
    return (
      event.eventName === 'AuthorizationUsed' &&
      isSameHex(event.args.authorizer, authorization.from) &&
      isSameHex(event.args.nonce, authorization.nonce) &&
      next?.eventName === 'Transfer' &&
      next.transactionHash === event.transactionHash &&
      isSameHex(next.args.from, authorization.from) &&
      isSameHex(next.args.to, authorization.to) &&
      next.args.value === authorization.value
    )
  })
}

/** EIP-3009: the token's own count. */
const tokenNonces: Nonces = {
  isUsed: (client, asset, { from, nonce }, blockNumber) =>
    client.readContract({
      address: asset,
      abi: tokenAbi,
      functionName: 'authorizationState',
      args: [from, nonce],
      blockNumber,
    }),

  async findSpending(client, asset, authorization, head, searchedBlocks) {
    const { from: authorizer, nonce, validAfter, value } = authorization
    const filter = { address: asset, abi: tokenAbi, args: { authorizer, nonce } } as const
    for await (const range of blocksBack(client, head, validAfter, searchedBlocks)) {
      const [[used], [cancelled]] = await Promise.all([
        client.getContractEvents({ ...filter, eventName: 'AuthorizationUsed', ...range }),
        client.getContractEvents({ ...filter, eventName: 'AuthorizationCanceled', ...range }),
      ])
      if (used) {
        const receipt = await client.getTransactionReceipt({ hash: used.transactionHash })
        return provesTransfer(receipt.logs, asset, authorization) ? { receipt, amount: value } : 'cancelled'
      }
      if (cancelled) return 'cancelled'
    }
    return undefined
  },
}
