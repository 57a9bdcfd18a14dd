import { type Address, concat, keccak256, type LocalAccount, type PublicClient, toHex } from 'viem'
import type { Network } from '../chain/networks.ts'
import { GatewayError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type Books, findPayment } from '../ledger/payments.ts'
import { beginRefund, markRefunded, postponeRefund, type Signing, signAgain } from '../ledger/refunds.ts'
import { takeOver } from '../ledger/unfinished.ts'
import type { PaymentRow } from '../store/schema.ts'
import { findEvidence } from './evidence.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import { readFunds } from './funds.ts'
import { readRow } from './payment-row.ts'
import { authorizationTypedData } from './signature.ts'
import type { Authorization, Requirement } from './types.ts'

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

export interface Refund {
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
const validitySeconds = 3_600

export function createRefunds(options: RefundOptions): Refunds {
  const { books, client, network, facilitator, account, leaseMs, log } = options

  async function refund(id: string): Promise<Refund> {
    const known = await findPayment(books, id)
    if (!known) throw new GatewayError('NOT_FOUND')
    if (known.state === 'refunded') return outcome(known)
    if (!account) throw impossible('no account pays refunds: set REFUND_KEY')
    const row = known.state === 'refunding' ? await takeOver(books, id, leaseMs) : await begin(known, account)
    if (row) await resume(row)
    const after = await findPayment(books, id)
    if (!after || (after.state !== 'refunding' && after.state !== 'refunded')) {
      throw impossible(`the payment is ${after?.state ?? 'gone'}, so there is no money of it to give back`)
    }
    return outcome(after)
  }

  async function begin(row: PaymentRow, { address }: LocalAccount): Promise<PaymentRow | undefined> {
    const { balance } = await readFunds(client, network.usdc.address, address)
    if (balance < row.amount) {
      throw impossible(`the refund account ${address} holds ${balance} of ${row.amount} atomic units`)
    }
    return beginRefund(books, row.id, signing(address), leaseMs)
  }

  async function resume(row: PaymentRow): Promise<void> {
    let settlement: Settlement
    try {
      settlement = await pay(row)
    } catch (cause) {
      settlement = { outcome: 'unknown', cause }
    }
    switch (settlement.outcome) {
      case 'settled':
        await markRefunded(books, row, settlement.transaction)
        log.info({ payment: row.id, transaction: settlement.transaction }, 'a payment is refunded')
        return
      case 'failed':
        await postponeRefund(books, row, settlement.refusal.message)
        log.warn({ payment: row.id, reason: settlement.refusal.reason }, 'a refund was refused')
        return
      case 'unknown':
        await postponeRefund(books, row, 'the outcome is not known yet')
        log.error({ payment: row.id, err: settlement.cause }, 'the outcome of a refund is unknown')
    }
  }

  /** Asks the chain first: what was carried out is not sent again, whoever signed it. */
  async function pay(row: PaymentRow): Promise<Settlement> {
    const { refund_from, refund_until } = row
    if (refund_from === null || refund_until === null) throw new Error('nobody has signed this refund')
    const signed = authorizationOf(row, refund_from, refund_until)
    const evidence = await findEvidence(client, network.usdc.address, signed)
    if (evidence.kind === 'transferred') return { outcome: 'settled', ...evidence }
    if (evidence.kind !== 'unused') throw new Error(`the refund's nonce is ${evidence.kind} on the chain`)
    if (!account) throw new Error('no account pays refunds: set REFUND_KEY')

    const isSameAccount = signed.from === account.address
    if (!isSameAccount && evidence.now < refund_until) {
      throw new Error('a refund by another account is still valid, and both could be carried out')
    }
    const next = signing(account.address)
    if (!(await signAgain(books, row, next))) throw new Error('somebody else goes on with this refund')
    const authorization = authorizationOf(row, next.refund_from, next.refund_until)
    const signature = await account.signTypedData(authorizationTypedData(authorization, network))
    const { payment } = readRow(row, network)
    return facilitator.settle(
      { ...payment, authorization, signature },
      requirementOf(authorization, network),
      'again',
    )
  }

  function signing(address: Address): Signing {
    const until = Math.floor(books.clock.now() / 1000) + validitySeconds
    return { refund_from: address, refund_until: BigInt(until) }
  }

  return { refund, resume }
}

function authorizationOf(row: PaymentRow, from: string, until: bigint): Authorization {
  return {
    from: address(from),
    to: address(row.payer),
    value: row.amount,
    validAfter: 0n,
    validBefore: until,
    nonce: keccak256(concat([toHex('tollgate refund'), address(row.id)])),
  }
}

function requirementOf({ to, value }: Authorization, { caip2, usdc }: Network): Requirement {
  return {
    scheme: 'exact',
    network: caip2,
    amount: value.toString(),
    asset: usdc.address,
    payTo: to,
    maxTimeoutSeconds: validitySeconds,
    extra: { name: usdc.name, version: usdc.version },
  }
}

function outcome({ state, refund_transaction, failure }: PaymentRow): Refund {
  return {
    state: state === 'refunded' ? 'refunded' : 'refunding',
    transaction: refund_transaction,
    failure,
  }
}

function impossible(problem: string): GatewayError {
  return new GatewayError('REFUND_IMPOSSIBLE', { problem })
}

function address(text: string): Address {
  return `0x${text.slice(2)}`
}
