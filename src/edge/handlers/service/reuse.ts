/** Anyone may ask for the health of the gateway, and each check asks the chain and the database. */
const reuseMs = 1_000
/** For so much longer a result is given while the next one is made. */
const overlapMs = 2_000

/**
 * Gives one result to all callers that come while it is made, and for one second after. When it is made again soon
 * after, callers get the last result meanwhile: a check takes many turns of the event loop, and under load it would
 * keep every caller waiting.
 */
export function reuseForASecond<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let making: Promise<Result> | undefined
  let last: Promise<Result> | undefined
  let isFresh = false

  function begin(): Promise<Result> {
    const made = make()
    const keep = (forMs: number) => {
      making = undefined
      last = made
      isFresh = true
      setTimeout(() => {
        isFresh = false
      }, reuseMs).unref()
      setTimeout(() => {
        if (last === made) last = undefined
      }, forMs).unref()
    }
    made.then(
      () => keep(reuseMs + overlapMs),
      () => keep(reuseMs),
    )
    return made
  }

  return () => {
    if (last && isFresh) return last
    making ??= begin()
    return last ?? making
  }
}
