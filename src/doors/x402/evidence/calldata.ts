import type { Hex } from 'viem'

/**
 * Finds the byte offsets at which a call of one of these functions may begin, in rising order: another
 * contract that passes calls on has them in its own calldata as they are. The bytes may also only look like
 * the beginning of a call.
 * @param selectors of the functions, with `0x`.
 */
export function placesIn(input: Hex, selectors: readonly Hex[]): number[] {
  const digits = input.slice(2)
  const places: number[] = []
  for (const selector of selectors) {
    const wanted = selector.slice(2)
    for (let at = digits.indexOf(wanted); at >= 0; at = digits.indexOf(wanted, at + 1)) {
      if (at % 2 === 0) places.push(at / 2)
    }
  }
  return places.sort((one, other) => one - other)
}
