import type { PublicClient } from 'viem'
import { PaymentsUnavailable } from '../wire/facilitator.ts'

/**
 * What a settlement offers for gas. Offered too little it waits for blocks that never take it; without a
 * ceiling a spike, or a node that names an absurd price, would empty the accounts that pay for gas.
 */
export interface GasPrice {
  /**
   * What a transaction sent now offers: enough to outlast a price that doubles, and never more than the
   * ceiling. What is not needed is not paid.
   * @throws PaymentsUnavailable while the price is above the ceiling.
   */
  offer(): Promise<Fees>
  /** What a transaction would pay now for one unit of gas, in wei. */
  current(): Promise<bigint>
  /**
   * What a transaction has to offer, by the price of this moment, in the place of one that offered `previous`
   * and was not mined.
   * @returns undefined when no allowed offer would make a node take it.
   */
  raise(previous: Fees): Promise<Fees | undefined>
  /** Asks the node anew the next time: it has just refused what was offered. */
  forget(): void
}

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
/** A chain that stands still is not moved by money: what a transaction offers must not grow for as long as it does. */
const maxRaised = 10n

/** @param ceiling the most that may be paid for one unit of gas, in wei. */
export function createGasPrice(client: PublicClient, ceiling: bigint | undefined): GasPrice {
  let known: { readonly at: number; readonly market: Promise<Market> } | undefined

  function market(): Promise<Market> {
    const now = performance.now()
    if (!known || now - known.at > keptMs) {
      const asked = { at: now, market: askMarket(client) }
      known = asked
      asked.market.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.market
  }

  return {
    async offer() {
      const { price, tip } = await market()
      if (ceiling !== undefined && price > ceiling) {
        throw new PaymentsUnavailable('the gas price is above the ceiling')
      }
      return { maxFeePerGas: atMost(2n * price, ceiling), maxPriorityFeePerGas: tip }
    },

    current: async () => (await market()).price,

    async raise(previous) {
      known = undefined
      const { price, tip } = await market()
      const most = atMost(2n * price * maxRaised, ceiling)
      const least = raised(previous.maxFeePerGas)
      if (least > most) return undefined
      const maxFeePerGas = atMost(larger(least, 2n * price), most)
      const maxPriorityFeePerGas = larger(raised(previous.maxPriorityFeePerGas), tip)
      return maxPriorityFeePerGas > maxFeePerGas ? undefined : { maxFeePerGas, maxPriorityFeePerGas }
    },

    forget() {
      known = undefined
    },
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

/** Nodes want a tenth more in both figures before they let go of a transaction they have. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n
}

function atMost(fee: bigint, ceiling: bigint | undefined): bigint {
  return ceiling !== undefined && fee > ceiling ? ceiling : fee
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
