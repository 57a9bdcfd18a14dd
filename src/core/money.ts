/**
 * Amounts of USDC. People and JSON see decimal strings ("0.10"); the code counts `bigint` atomic units (six
 * decimals), because floating-point sums would lose units.
 */

const usdcDecimals = 6
const decimalAmount = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/

/** Whether `text` is a USDC amount: digits with at most six decimals, no sign, no exponent. */
export function isUsdc(text: string): boolean {
  return decimalAmount.test(text)
}

/**
 * Reads a decimal USDC amount into atomic units: `"0.10"` → `100000n`.
 * @throws RangeError for anything but digits with at most six decimals (no sign, no exponent).
 */
export function parseUsdc(text: string): bigint {
  const match = decimalAmount.exec(text)
  if (!match) throw new RangeError(`not a USDC amount: ${JSON.stringify(text)}`)
  const [, whole = '0', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(usdcDecimals, '0'))
}

/** Writes atomic units as a decimal with at least two places: `100000n` → `"0.10"`, `1n` → `"0.000001"`. */
export function formatUsdc(atomic: bigint): string {
  const sign = atomic < 0n ? '-' : ''
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(usdcDecimals + 1, '0')
  const whole = digits.slice(0, -usdcDecimals)
  const fraction = digits.slice(-usdcDecimals).replace(/0{1,4}$/, '')
  return `${sign}${whole}.${fraction}`
}
