/** In which order and how many at once the soak does things, and when something happens besides. */

/** Does the work for each item, in order, on at most `atOnce` at the same time. */
export async function inTurns<Item>(
  items: readonly Item[],
  { atOnce, stop }: { readonly atOnce: number; readonly stop: AbortSignal },
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) {
      stop.throwIfAborted()
      await work(item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** At which of the payments something happens that is to happen so many times, evenly. */
export function spread(times: number, payments: number): ReadonlySet<number> {
  return new Set(Array.from({ length: times }, (_, n) => Math.floor(((n + 1) * payments) / (times + 1))))
}

/** Rejects as soon as the signal is given. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}
