import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import type { LocalAccount, PublicClient } from 'viem'
import { createBackgroundWork } from '../../../core/background.ts'
import type { Log } from '../../../core/log.ts'
import { formatUsdc } from '../../../core/money.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { CostRow } from '../../../platform/store/schema.ts'
import { beginCost, concludeCost, openCosts } from '../../ledger/costs.ts'
import { findAuthorizationState, isPast } from '../evidence/authorization-state.ts'
import { authorizationTypedData } from '../evidence/typed-data.ts'
import { hex } from '../recovery/payment-row.ts'
import type { Authorization } from '../wire/types.ts'
import { type Challenge, readPrice, refusalOf } from './upstream-price.ts'

/**
 * Pays upstreams that ask for x402 payments themselves, from a wallet of the gateway's own. A payment is written into
 * the books before it is signed, against a limit that is decided in the same statement, and it stays open there until
 * the chain shows that it was taken or no longer can be: an upstream's word alone changes nothing.
 */
export interface Spending {
  /**
   * Signs what an upstream asks for.
   * @returns undefined when it asks for nothing we pay, or for more than we let it cost; the log says which.
   */
  pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<Signed | undefined>
  /** Looks on the chain for what became of the payments that are open, some of them each time. */
  sweep(): Promise<void>
  /** Resolves once nobody looks any more for what became of the payments of calls that are over. */
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
  /** All calls of a day (UTC) of this upstream together. */
  readonly perDay: bigint
}

interface Signed {
  /** What the call is repeated with. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The call is over, with this answer or with none: looks for what became of the payment. The caller does not wait
   * for it, because a chain that answers slowly must not cost them a reply that is paid for.
   */
  conclude(answer: Answer | undefined): void
}

type Answer = Pick<Challenge, 'headers'> & { readonly status: number }

interface SpendingOptions {
  readonly account: LocalAccount
  readonly network: Network
  readonly client: PublicClient
  readonly books: Books
  readonly log: Log
}

const sweptAtOnce = 100
const askedAtOnce = 10
/** Clocks differ: a signature is good from before now on. */
const earlierSeconds = 600n

export function createSpending({ account, network, client, books, log }: SpendingOptions): Spending {
  const atOnce = pLimit(askedAtOnce)
  const looking = createBackgroundWork()
  /** The last one that was looked for. However many stay open, each has its turn. */
  let swept: Pick<CostRow, 'createdAt' | 'id'> | undefined

  async function pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<Signed | undefined> {
    const price = readPrice(challenge, network)
    if (typeof price === 'string') {
      log.warn({ ...about, problem: price }, 'an upstream asks for a payment that we cannot make')
      return undefined
    }
    const { amount, payTo, validSeconds } = price
    const said = { ...about, amount: formatUsdc(amount) }
    if (amount > limits.perCall) {
      log.warn(said, 'an upstream asks for more than a call may cost')
      return undefined
    }
    const now = books.clock.now()
    const seconds = BigInt(Math.floor(now / 1_000))
    const authorization: Authorization = {
      from: account.address,
      to: payTo,
      value: amount,
      validAfter: seconds - earlierSeconds,
      validBefore: seconds + BigInt(validSeconds),
      nonce: `0x${randomBytes(32).toString('hex')}`,
    }
    const cost = {
      id: authorization.nonce,
      callId: about.callId,
      operation: about.operation,
      upstream: about.upstream,
      chainId: network.chainId,
      asset: network.usdc.address.toLowerCase(),
      payer: account.address.toLowerCase(),
      payTo: payTo.toLowerCase(),
      amount,
      validBefore: authorization.validBefore,
      createdAt: new Date(now),
    }
    try {
      if (!(await beginCost(books, cost, { perDay: limits.perDay, dayStart: dayStart(now) }))) {
        log.warn(said, 'an upstream has cost as much as it may in a day')
        return undefined
      }
    } catch (error) {
      log.error({ ...said, err: error }, 'a payment to an upstream cannot be written down, so it is not made')
      return undefined
    }
    const signature = await account.signTypedData(authorizationTypedData(authorization, network))
    return {
      headers: price.header({ signature, authorization: written(authorization) }),
      conclude(answer) {
        if (answer?.status === 402) {
          log.warn({ ...said, reason: refusalOf(answer) }, 'an upstream has not taken our payment')
        }
        looking.add(lookFor(cost))
      },
    }
  }

  /** Never rejects. */
  async function lookFor(cost: Omit<CostRow, 'state' | 'transaction' | 'updatedAt'>): Promise<void> {
    try {
      const evidence = await findAuthorizationState(client, hex(cost.asset), {
        from: hex(cost.payer),
        to: hex(cost.payTo),
        value: cost.amount,
        validAfter: BigInt(Math.floor(cost.createdAt.getTime() / 1_000)) - earlierSeconds,
        validBefore: cost.validBefore,
        nonce: hex(cost.id),
      })
      switch (evidence.kind) {
        case 'transferred':
          return void (await concludeCost(books, cost.id, 'taken', evidence.transaction))
        case 'canceled':
          return void (await concludeCost(books, cost.id, 'unused', null))
        case 'unused':
          if (evidence.now < cost.validBefore || !(await isPast(client, cost.validBefore))) return
          return void (await concludeCost(books, cost.id, 'unused', null))
        case 'spent':
          // A node may not have seen the transaction yet. One that is not found for so long is not found any more.
          if (!(await isPast(client, cost.validBefore))) return
          return void (await concludeCost(books, cost.id, 'taken', null))
      }
    } catch (error) {
      log.warn({ err: error, cost: cost.id }, 'what became of a payment to an upstream is not known yet')
    }
  }

  return {
    pay,
    async sweep() {
      const open = await openCosts(books, sweptAtOnce, { chainId: network.chainId, after: swept })
      swept = open.length < sweptAtOnce ? undefined : open.at(-1)
      await Promise.all(open.map((cost) => atOnce(() => lookFor(cost))))
    },
    idle: looking.idle,
  }
}

/** As JSON has it. */
function written({ value, validAfter, validBefore, ...rest }: Authorization) {
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
