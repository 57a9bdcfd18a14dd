import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { LocalAccount, PublicClient } from 'viem'
import { z } from 'zod'
import type { Network } from '../chain/networks.ts'
import type { Log } from '../core/log.ts'
import { formatUsdc } from '../core/money.ts'
import { beginCost, concludeCost, openCosts } from '../ledger/costs.ts'
import type { Books } from '../ledger/payments.ts'
import type { CostRow } from '../store/schema.ts'
import { findEvidence } from './evidence.ts'
import { hex } from './payment-row.ts'
import { isSameHex } from './types.ts'

/**
 * Pays upstreams that ask for x402 payments themselves, from a wallet of the gateway's own. A payment is written into
 * the books before its signature leaves, against a limit that is decided in the same statement, and it stays open
 * there until the chain shows that it was taken or no longer can be: an upstream's word alone changes nothing.
 */
export interface Spending {
  /**
   * Signs what an upstream asks for.
   * @returns undefined when it asks for nothing we pay, or for more than we let it cost; the log says which.
   */
  pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<Signed | undefined>
  /** Looks on the chain for what became of the payments that are open. */
  sweep(): Promise<void>
}

interface Challenge {
  /** By lower-case name, each line by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
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
  /** The call is over: looks at once what became of the payment. Never rejects. */
  conclude(): Promise<void>
}

interface SpendingOptions {
  readonly account: LocalAccount
  readonly network: Network
  readonly client: PublicClient
  readonly books: Books
  readonly log: Log
}

const sweptAtOnce = 100

export function createSpending({ account, network, client, books, log }: SpendingOptions): Spending {
  const wallet = new x402Client().register(network.caip2, new ExactEvmScheme(account))

  async function pay(challenge: Challenge, about: About, limits: SpendLimits): Promise<Signed | undefined> {
    const required = read(challenge)
    const requirement = required?.accepts.find(isOurs)
    if (!required || !requirement) {
      log.warn({ ...about }, 'an upstream asks for a payment that we cannot make')
      return undefined
    }
    const amount = BigInt(requirement.amount)
    const said = { ...about, amount: formatUsdc(amount) }
    if (amount > limits.perCall) {
      log.warn(said, 'an upstream asks for more than a call may cost')
      return undefined
    }
    const payload = await wallet.createPaymentPayload({ ...required, accepts: [requirement] })
    const { authorization } = signedSchema.parse(payload.payload)
    const cost: CostRow = {
      id: authorization.nonce.toLowerCase(),
      call_id: about.callId,
      operation: about.operation,
      upstream: about.upstream,
      chain_id: network.chainId,
      asset: network.usdc.address.toLowerCase(),
      payer: account.address.toLowerCase(),
      pay_to: requirement.payTo.toLowerCase(),
      amount,
      valid_before: BigInt(authorization.validBefore),
      state: 'signed',
      transaction: null,
      created_at: new Date(books.clock.now()),
      updated_at: new Date(books.clock.now()),
    }
    if (!(await beginCost(books, cost, { perDay: limits.perDay, dayStart: dayStart(books.clock.now()) }))) {
      log.warn(said, 'an upstream has cost as much as it may in a day')
      return undefined
    }
    return {
      headers: new x402HTTPClient(wallet).encodePaymentSignatureHeader(payload),
      conclude: () => conclude(cost),
    }
  }

  /** What a wallet of ours can pay: as much of the same money as is asked for, and nothing else. */
  function isOurs({ scheme, network: chain, asset, amount }: PaymentRequirements): boolean {
    return (
      scheme === 'exact' &&
      chain === network.caip2 &&
      isSameHex(asset, network.usdc.address) &&
      /^[1-9]\d{0,30}$/.test(amount)
    )
  }

  async function conclude(cost: CostRow): Promise<void> {
    try {
      const evidence = await findEvidence(client, hex(cost.asset), {
        from: hex(cost.payer),
        to: hex(cost.pay_to),
        value: cost.amount,
        validAfter: 0n,
        validBefore: cost.valid_before,
        nonce: hex(cost.id),
      })
      if (evidence.kind === 'transferred') {
        await concludeCost(books, cost.id, 'taken', evidence.transaction)
      } else if (evidence.kind === 'unused' && evidence.now >= cost.valid_before) {
        await concludeCost(books, cost.id, 'unused', null)
      }
    } catch (error) {
      log.warn({ err: error, cost: cost.id }, 'what became of a payment to an upstream is not known yet')
    }
  }

  return {
    pay,
    async sweep() {
      for (const cost of await openCosts(books, sweptAtOnce)) {
        if (cost.chain_id === network.chainId) await conclude(cost)
      }
    },
  }
}

function read({ headers }: Challenge) {
  const [header] = headers['payment-required'] ?? []
  if (header === undefined) return undefined
  try {
    const required = decodePaymentRequiredHeader(header)
    PaymentRequiredV2Schema.parse(required)
    return required
  } catch {
    // Not in a form we know: there is nothing to pay then.
    return undefined
  }
}

const signedSchema = z.object({
  authorization: z.object({
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    validBefore: z.string().regex(/^\d+$/),
  }),
})

function dayStart(now: number): Date {
  return new Date(Math.floor(now / dayMs) * dayMs)
}

const dayMs = 86_400_000
