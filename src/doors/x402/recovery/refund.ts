import { type Address, concat, keccak256, type LocalAccount, type PublicClient, toHex } from 'viem'
import { GatewayError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { PaymentRow } from '../../../platform/store/schema.ts'
import { recordInclusion } from '../../ledger/finality.ts'
import { findPayment } from '../../ledger/find-payment.ts'
import {
  beginRefund,
  leaveRefund,
  markRefunded,
  postponeRefund,
  recordSigning,
} from '../../ledger/refunds.ts'
import { takeOver } from '../../ledger/unfinished.ts'
import { arrivalOf, findAuthorizationState, isPast } from '../evidence/authorization-state.ts'
import { readFunds } from '../evidence/funds.ts'
import { authorizationTypedData } from '../evidence/typed-data.ts'
import type { Facilitator, Settlement } from '../wire/facilitator.ts'
import { type Authorization, isSameHex, type Payment, type Requirement } from '../wire/types.ts'
import { hex, readRow } from './payment-row.ts'

/**
 * Gives a payment's money back. The refund is an authorization like the payment itself, signed by the
 * operator's refund account, and its nonce is made of the payment's id: however often it is signed,
 * sent, cut short and begun again, the token carries it out once.
 */
export interface Refunds {
  /**
   * Refunds a payment, or goes on with a refund that was begun.
   * @param id of the payment.
   * @returns `refunding` with the reason when the money is not back yet; the sweep goes on with it.
   * @throws GatewayError NOT_FOUND, REFUND_IMPOSSIBLE.
   */
  refund(id: string): Promise<Refund>
  /** Goes on with a refund this worker has taken over. Never rejects for what the chain does. */
  resume(row: PaymentRow): Promise<void>
}

interface Refund {
  readonly state: 'refunding' | 'refunded'
  readonly transaction: string | null
  readonly failure: string | null
}

interface RefundOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly network: Network
  readonly facilitator: Facilitator
  /** Pays the refunds; without it there are none. */
  readonly account: LocalAccount | undefined
  readonly leaseMs: number
  readonly log: Log
}

/** How long a signed refund can be carried out. A new one is signed when it was not. */
const validitySeconds = 3_600n

type Attempt =
  | Settlement
  /** Nothing was sent, for a reason the operator can read. */
  | { readonly outcome: 'waiting'; readonly why: string }
  /** Only another gateway can pay it. */
  | { readonly outcome: 'left' }

export function createRefunds(options: RefundOptions): Refunds {
  const { books, client, network, facilitator, account, leaseMs, log } = options
  const asset = network.usdc.address

  async function refund(id: string): Promise<Refund> {
    const known = await findPayment(books, id)
    if (!known) throw new GatewayError('NOT_FOUND')
    if (known.state === 'refunded') return outcome(known)
    if (!isOurs(known)) throw impossible(elsewhere)
    if (!account) throw impossible(noAccount)
    const row = known.state === 'refunding' ? await takeOver(books, id, leaseMs) : await begin(known, account)
    if (row) await resume(row)
    const after = await findPayment(books, id)
    if (!after || (after.state !== 'refunding' && after.state !== 'refunded')) {
      throw impossible(whyNot(after))
    }
    return outcome(after)
  }

  /** Play money must not be given back in money. */
  function isOurs({ chainId, asset: token }: PaymentRow): boolean {
    return chainId === network.chainId && isSameHex(token, asset)
  }

  async function begin(row: PaymentRow, { address }: LocalAccount): Promise<PaymentRow | undefined> {
    const problem = await whyTooPoor(address, row.amount)
    if (problem) throw impossible(problem)
    // So far nobody has signed anything that could be carried out.
    return beginRefund(books, row.id, { refundFrom: address, refundUntil: 0n }, leaseMs)
  }

  async function whyTooPoor(address: Address, amount: bigint): Promise<string | undefined> {
    const { balance } = await readFunds(client, asset, address)
    return balance < amount
      ? `the refund account ${address} holds ${balance} of ${amount} atomic units`
      : undefined
  }

  async function resume(row: PaymentRow): Promise<void> {
    let attempt: Attempt
    try {
      attempt = await pay(row)
    } catch (cause) {
      attempt = { outcome: 'unknown', cause }
    }
    switch (attempt.outcome) {
      case 'settled':
        await markRefunded(books, row, attempt.transaction)
        log.info({ payment: row.id, transaction: attempt.transaction }, 'a payment is refunded')
        return
      case 'failed':
        await postponeRefund(books, row, attempt.refusal.message)
        log.warn({ payment: row.id, reason: attempt.refusal.reason }, 'a refund was refused')
        return
      case 'waiting':
        await postponeRefund(books, row, attempt.why)
        log.warn({ payment: row.id, why: attempt.why }, 'a refund has to wait')
        return
      case 'left':
        await leaveRefund(books, row, noAccount)
        log.debug({ payment: row.id }, 'a refund is left to a gateway that can pay it')
        return
      case 'unknown':
        await postponeRefund(books, row, 'the outcome is not known yet')
        log.error({ payment: row.id, err: attempt.cause }, 'the outcome of a refund is unknown')
    }
  }

  /** Asks the chain first: what was carried out is not sent again, whoever signed it. */
  async function pay(row: PaymentRow): Promise<Attempt> {
    const { refundFrom, refundUntil } = row
    if (refundFrom === null || refundUntil === null) throw new Error('nobody has begun this refund')
    if (!isOurs(row)) return waiting(elsewhere)
    const evidence = await findAuthorizationState(
      client,
      asset,
      refundAuthorization(row, refundFrom, refundUntil),
    )
    const arrival = arrivalOf(evidence, row.amount)
    if (arrival) return { outcome: 'settled', ...arrival }
    if (evidence.kind !== 'unused') return waiting(`its nonce is ${evidence.kind} on the chain`)
    if (!account) return { outcome: 'left' }
    if (refundFrom !== account.address && !(await isPast(client, refundUntil))) {
      return waiting('what another account has signed for it may still be carried out')
    }
    if (!(await isTaken(row))) return waiting('the chain does not show the payment itself any more')
    const problem = await whyTooPoor(account.address, row.amount)
    if (problem) return waiting(problem)

    // By the chain's time, which is what a signature is valid by. Noted before anybody sees the signature.
    const signing = { refundFrom: account.address, refundUntil: evidence.now + validitySeconds }
    if (!(await recordSigning(books, row, signing))) throw new Error('somebody else goes on with this refund')
    const authorization = refundAuthorization(row, signing.refundFrom, signing.refundUntil)
    const signature = await account.signTypedData(authorizationTypedData(authorization, network))
    const requirement = requirementOf(authorization, network)
    const accepted = { version: 2, ...requirement } as const
    const payment: Payment = { version: 2, accepted, authorization, signature, identifier: undefined }
    // A transfer that the token refuses, to a blocked payer for one, would burn gas at every attempt.
    const verdict = await facilitator.verify(payment, requirement)
    return verdict.isValid
      ? facilitator.settle(payment, requirement, 'again')
      : waiting(verdict.refusal.message)
  }

  /** Whether the money is still here: a reorganisation may have dropped the payment since it was settled. */
  async function isTaken(row: PaymentRow): Promise<boolean> {
    if (row.blockNumber !== null) {
      const block = await client.getBlock({ blockNumber: row.blockNumber, includeTransactions: false })
      if (block.hash === row.blockHash) return true
    }
    const { payment } = readRow(row, network)
    const evidence = await findAuthorizationState(client, asset, payment.authorization)
    const arrival = arrivalOf(evidence, row.amount)
    if (!arrival) return false
    await recordInclusion(books, row, { ...arrival, at: new Date(books.clock.now()) })
    return true
  }

  return { refund, resume }
}

const noAccount = 'no account of this gateway pays refunds: set REFUND_KEY'
const elsewhere = 'the payment was made on another network, or in another token'

function waiting(why: string): Attempt {
  return { outcome: 'waiting', why }
}

/** Why a payment in this state cannot be refunded. */
function whyNot(row: PaymentRow | undefined): string {
  return row?.state === 'paid'
    ? 'the payment is being served at this moment'
    : `the payment is ${row?.state ?? 'gone'}, so there is no money of it to give back`
}

/** What gives a payment back, signed by `from` and valid until `until` (Unix seconds). */
export function refundAuthorization(
  row: Pick<PaymentRow, 'id' | 'payer' | 'amount'>,
  from: string,
  until: bigint,
): Authorization {
  return {
    from: hex(from),
    to: hex(row.payer),
    value: row.amount,
    validAfter: 0n,
    validBefore: until,
    nonce: keccak256(concat([toHex('tollgate refund'), hex(row.id)])),
  }
}

function requirementOf({ to, value }: Authorization, { caip2, usdc }: Network): Requirement {
  return {
    scheme: 'exact',
    network: caip2,
    amount: value.toString(),
    asset: usdc.address,
    payTo: to,
    maxTimeoutSeconds: Number(validitySeconds),
    extra: { name: usdc.name, version: usdc.version },
  }
}

function outcome({ state, refundTransaction, failure }: PaymentRow): Refund {
  return {
    state: state === 'refunded' ? 'refunded' : 'refunding',
    transaction: refundTransaction,
    failure,
  }
}

function impossible(problem: string): GatewayError {
  return new GatewayError('REFUND_IMPOSSIBLE', { problem })
}
