/** Works on the items in order, at most `atOnce` at the same time. */
export async function runConcurrently<Item>(
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

/**
 * Spreads `times` events evenly over the payments.
 * @returns the indexes of the payments.
 */
export function spreadEvenly(times: number, payments: number): ReadonlySet<number> {
  return new Set(Array.from({ length: times }, (_, n) => Math.floor(((n + 1) * payments) / (times + 1))))
}

/** Returns a promise that rejects when the signal aborts. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}
