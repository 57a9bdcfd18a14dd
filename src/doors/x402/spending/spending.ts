import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import type { LocalAccount, PublicClient } from 'viem'
import { createBackgroundWork } from '../../../core/background.ts'
import type { Log } from '../../../core/log.ts'
import { formatUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { CostRow } from '../../../platform/store/rows/payments.ts'
import { beginCost, type Cost, concludeCost, openCosts } from '../../ledger/costs.ts'
import { findAuthorizationState, isPast } from '../evidence/authorization-state.ts'
import { authorizationTypedData } from '../evidence/typed-data.ts'
import { hex } from '../recovery/payment-row.ts'
import type { Authorization } from '../wire/types.ts'
import type { Challenge, UpstreamPrice } from './upstream-price.ts'

/**
 * Pays upstreams that ask for x402 payments themselves, from a wallet of the gateway. A payment is recorded
 * before it is signed, and the same statement checks the limits. It stays open in the books until the chain
 * shows that the money was taken or can no longer be taken. The upstream's own report is ignored.
 */
export interface Spending {
  /**
   * Signs the payment that an upstream asks for.
   * @returns undefined when we cannot pay it, or when it exceeds a limit; the log says why.
   */
  pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<SignedPayment | undefined>
  /** Looks for the outcomes of open payments on the chain, some of them each time. */
  sweep(): Promise<void>
  /** Resolves when no search for the outcome of a finished call is running. */
  idle(): Promise<void>
}

interface About {
  readonly callId: string
  readonly operation: string
  readonly upstream: string
}

/** Atomic units. */
interface SpendLimits {
  readonly perCall: bigint
  /** For all calls of a day (UTC) to this upstream together. */
  readonly perDay: bigint
}

interface SignedPayment {
  /** The headers to repeat the call with. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Called when the call is over, with its reply if there was one: looks for the payment's outcome. The
   * caller does not wait for that, because a slow chain must not cost them a reply that is paid for.
   */
  conclude(reply: ReplyHead | undefined): void
}

type ReplyHead = Pick<Challenge, 'headers'> & { readonly status: number }

interface SpendingOptions {
  readonly account: LocalAccount
  readonly network: Network
  readonly client: PublicClient
  readonly books: Books
  readonly log: Log
}

/** A payment in the books without its outcome. */
type SignedCost = Cost & Pick<CostRow, 'createdAt'>

const maxPerSweep = 100
const maxSearches = 10
/** Clocks differ, so a signature is valid from some time before now. */
const validSinceSeconds = 600n

export function createSpending(options: SpendingOptions): Spending {
  return new UpstreamSpending(options)
}

class UpstreamSpending implements Spending {
  readonly #options: SpendingOptions
  readonly #limitSearches = pLimit(maxSearches)
  readonly #searches = createBackgroundWork()
  /**
   * The last payment of the last sweep. The next sweep begins after it, so that each open payment is checked.
   */
  #swept: Pick<CostRow, 'createdAt' | 'id'> | undefined

  constructor(options: SpendingOptions) {
    this.#options = options
  }

  async pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<SignedPayment | undefined> {
    const { account, network, books, log } = this.#options
    // Most gateways have no upstream that asks for payments, so the reader of prices is loaded with the first one.
    const { readUpstreamPrice, refusalOf } = await import('./upstream-price.ts')
    const reading = readUpstreamPrice(challenge, network)
    if (reading.kind === 'unpayable') {
      log.warn({ ...about, problem: reading.why }, 'an upstream asks for a payment that we cannot make')
      return undefined
    }
    const { price } = reading
    const context = { ...about, amount: formatUsdc(price.amount) }
    if (price.amount > limits.perCall) {
      log.warn(context, 'an upstream asks for more than a call may cost')
      return undefined
    }
    const now = books.clock.now()
    const authorization = this.#authorizationFor(price, now)
    const cost = this.#costOf(authorization, about, now)
    try {
      if (!(await beginCost(books, cost, { perDay: limits.perDay, dayStart: dayStart(now) }))) {
        log.warn(context, 'an upstream has reached its limit for the day')
        return undefined
      }
    } catch (error) {
      log.error(
        { ...context, err: error },
        'a payment to an upstream cannot be recorded, so it is not signed',
      )
      return undefined
    }
    const signature = await account.signTypedData(authorizationTypedData(authorization, network))
    return {
      headers: price.header({ signature, authorization: asJson(authorization) }),
      conclude: (reply) => {
        if (reply?.status === 402) {
          log.warn({ ...context, reason: refusalOf(reply) }, 'an upstream has refused our payment')
        }
        this.#searches.add(this.#findOutcome(cost))
      },
    }
  }

  async sweep(): Promise<void> {
    const { books, network } = this.#options
    const open = await openCosts(books, maxPerSweep, { chainId: network.chainId, after: this.#swept })
    this.#swept = open.length < maxPerSweep ? undefined : open.at(-1)
    await Promise.all(open.map((cost) => this.#limitSearches(() => this.#findOutcome(cost))))
  }

  idle(): Promise<void> {
    return this.#searches.idle()
  }

  #authorizationFor({ amount, payTo, validSeconds }: UpstreamPrice, now: number): Authorization {
    const seconds = BigInt(Math.floor(now / 1_000))
    return {
      from: this.#options.account.address,
      to: payTo,
      value: amount,
      validAfter: seconds - validSinceSeconds,
      validBefore: seconds + BigInt(validSeconds),
      nonce: `0x${randomBytes(32).toString('hex')}`,
    }
  }

  #costOf({ from, to, value, validBefore, nonce }: Authorization, about: About, now: number): SignedCost {
    const { network } = this.#options
    return {
      id: nonce,
      callId: about.callId,
      operation: about.operation,
      upstream: about.upstream,
      chainId: network.chainId,
      asset: network.usdc.address.toLowerCase(),
      payer: from.toLowerCase(),
      payTo: to.toLowerCase(),
      amount: value,
      validBefore,
      createdAt: new Date(now),
    }
  }

  /** Looks for a payment's outcome on the chain and records it. Never rejects. */
  async #findOutcome(cost: SignedCost): Promise<void> {
    const { client, books, log } = this.#options
    try {
      const state = await findAuthorizationState(client, hex(cost.asset), {
        from: hex(cost.payer),
        to: hex(cost.payTo),
        value: cost.amount,
        validAfter: BigInt(Math.floor(cost.createdAt.getTime() / 1_000)) - validSinceSeconds,
        validBefore: cost.validBefore,
        nonce: hex(cost.id),
      })
      switch (state.kind) {
        case 'transferred':
          return void (await concludeCost(books, cost.id, 'taken', state.transaction))
        case 'canceled':
          return void (await concludeCost(books, cost.id, 'unused', null))
        case 'unused':
          if (state.now < cost.validBefore || !(await isPast(client, cost.validBefore))) return
          return void (await concludeCost(books, cost.id, 'unused', null))
        case 'spent':
          // A node may not have the transaction yet. After this time it will not find it any more.
          if (!(await isPast(client, cost.validBefore))) return
          return void (await concludeCost(books, cost.id, 'taken', null))
      }
    } catch (error) {
      log.warn({ err: error, cost: cost.id }, 'the outcome of a payment to an upstream is not known yet')
    }
  }
}

/** Writes the numbers as decimal text, because JSON has no bigint. */
function asJson({ value, validAfter, validBefore, ...rest }: Authorization) {
  return {
    ...rest,
    value: value.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
  }
}

function dayStart(now: number): Date {
  return new Date(Math.floor(now / dayMs) * dayMs)
}

const dayMs = 86_400_000
