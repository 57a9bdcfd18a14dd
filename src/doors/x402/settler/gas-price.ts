import type { PublicClient } from 'viem'
import { PaymentsUnavailable } from '../wire/facilitator.ts'

/** EIP-1559, in wei for one unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

interface Market {
  readonly price: bigint
  readonly tip: bigint
}

const keptMs = 3_000
/**
 * A higher offer does not help while the chain is stalled, so a replacement offers at most ten times a new
 * one.
 */
const maxRaise = 10n

/**
 * What a settlement offers for gas. With too low an offer it would wait for a block that never takes it;
 * without a ceiling, a spike or a node that names an absurd price would empty the accounts that pay for gas.
 */
export class GasPrice {
  readonly #client: PublicClient
  readonly #ceiling: bigint | undefined
  #cached: { readonly at: number; readonly market: Promise<Market> } | undefined

  /** @param ceiling the maximum price of one unit of gas, in wei. */
  constructor(client: PublicClient, ceiling: bigint | undefined) {
    this.#client = client
    this.#ceiling = ceiling
  }

  /**
   * What a transaction sent now offers: twice the price, which outlasts a price that doubles, and never more
   * than the ceiling. The chain charges only its own price.
   * @throws PaymentsUnavailable while the price is above the ceiling.
   */
  async offer(): Promise<Fees> {
    const { price, tip } = await this.#market()
    if (this.#ceiling !== undefined && price > this.#ceiling) {
      throw new PaymentsUnavailable('the gas price is above the ceiling')
    }
    return { maxFeePerGas: atMost(2n * price, this.#ceiling), maxPriorityFeePerGas: tip }
  }

  /** What a transaction would pay now for one unit of gas, in wei. */
  async current(): Promise<bigint> {
    return (await this.#market()).price
  }

  /**
   * What a transaction has to offer, at the price of this moment, to replace one that offered `previous` and
   * was not mined.
   * @returns undefined when no allowed offer is high enough for a node to take it.
   */
  async raise(previous: Fees): Promise<Fees | undefined> {
    this.forget()
    const { price, tip } = await this.#market()
    const most = atMost(2n * price * maxRaise, this.#ceiling)
    const least = raised(previous.maxFeePerGas)
    if (least > most) return undefined
    const maxFeePerGas = atMost(larger(least, 2n * price), most)
    const maxPriorityFeePerGas = larger(raised(previous.maxPriorityFeePerGas), tip)
    return maxPriorityFeePerGas > maxFeePerGas ? undefined : { maxFeePerGas, maxPriorityFeePerGas }
  }

  /** Makes the next call ask the node again, because the node has just refused an offer. */
  forget(): void {
    this.#cached = undefined
  }

  #market(): Promise<Market> {
    const now = performance.now()
    if (!this.#cached || now - this.#cached.at > keptMs) {
      const asked = { at: now, market: askMarket(this.#client) }
      this.#cached = asked
      asked.market.catch(() => {
        if (this.#cached === asked) this.#cached = undefined
      })
    }
    return this.#cached.market
  }
}

async function askMarket(client: PublicClient): Promise<Market> {
  const [block, tip] = await Promise.all([
    client.getBlock({ blockTag: 'latest', includeTransactions: false }),
    client.estimateMaxPriorityFeePerGas(),
  ])
  if (block.baseFeePerGas === null) throw new Error('the chain names no base fee')
  return { price: block.baseFeePerGas + tip, tip }
}

/**
 * Nodes replace a transaction only for an offer that is a tenth higher in both figures; this is an eighth
 * higher.
 */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n
}

function atMost(fee: bigint, ceiling: bigint | undefined): bigint {
  return ceiling !== undefined && fee > ceiling ? ceiling : fee
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
