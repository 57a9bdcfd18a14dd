/**
 * How much gas a payment that is sent alone may take. Its payer's contract decides what it burns, and we pay
 * for it, so the gas is bounded twice: by what a trial used, and by what the payment brings.
 */
export interface GasTerms {
  /** The part of the amount that gas may cost, in percent. */
  readonly maxSharePercent: number
  /** The price of one ether in atomic USDC, as the operator states it: no oracle is trusted. */
  readonly ethPrice: bigint
}

/**
 * Enough for any payment of an ordinary wallet, whatever its amount. A contract with one owner takes 71,000 on
 * the local chain; several owners, or a passkey on a chain that checks its curve, take up to 150,000.
 */
export const ordinaryGas = 200_000n
/** No payment may take more, whatever its amount. */
export const gasAlone = 500_000n

/** The most gas that a payment may take. */
export function mostGas(amount: bigint, weiPerGas: bigint, { maxSharePercent, ethPrice }: GasTerms): bigint {
  const share = (amount * BigInt(maxSharePercent)) / 100n
  const costPerEther = ethPrice * weiPerGas
  const affordable = costPerEther > 0n ? (share * weiPerEther) / costPerEther : gasAlone
  if (affordable < ordinaryGas) return ordinaryGas
  return affordable > gasAlone ? gasAlone : affordable
}

/**
 * The limit for a transaction whose trial used so much. A receiving account that was emptied meanwhile adds
 * 17,100 gas, and the rest covers what other payments change in the storage that is read. The margin is small
 * because a contract that burns takes all of it.
 */
export function limitFor(used: bigint): bigint {
  return used + used / 10n + 20_000n
}

const weiPerEther = 10n ** 18n
