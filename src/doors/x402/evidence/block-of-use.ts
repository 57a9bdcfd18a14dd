/**
 * The block in which a nonce was used up that left no event. It is looked for in ever longer steps back from
 * `head`, where it is used, because most nodes know how things stood only some hundred blocks ago, and what is
 * asked about has mostly just happened.
 * @param isUsedAt whether it was used at the end of a block; rejects when the node cannot tell.
 * @returns undefined when it was used in `oldest` or before, or before what the node can tell of.
 */
export async function blockOfUse(
  isUsedAt: (block: bigint) => Promise<boolean>,
  head: bigint,
  oldest: bigint,
): Promise<bigint | undefined> {
  let used = head
  try {
    for (let step = 1n; used > oldest; step *= 2n) {
      const before = used - step > oldest ? used - step : oldest
      if (!(await isUsedAt(before))) return await firstUsed(isUsedAt, before, used)
      used = before
    }
  } catch {
    // What the node cannot tell stays open; it is asked again.
  }
  return undefined
}

/** Halves the blocks between one where it is `unused` and one where it is `used`. */
async function firstUsed(
  isUsedAt: (block: bigint) => Promise<boolean>,
  unused: bigint,
  used: bigint,
): Promise<bigint> {
  let low = unused
  let high = used
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (await isUsedAt(middle)) high = middle
    else low = middle
  }
  return high
}
