import { setTimeout as pause } from 'node:timers/promises'

/** Does the work again and again, so many times at once, until the time is over. */
export async function repeatFor(
  seconds: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + seconds * 1_000
  let n = 0
  const loop = async () => {
    while (performance.now() < deadline) {
      const turn = n
      n += 1
      await work(turn)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

/** Begins the work at a steady rate, whatever becomes of earlier ones. Resolves when all are done. */
export async function atRate(
  perSecond: number,
  seconds: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now()
  const begun: Promise<unknown>[] = []
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const wait = startedAt + (n * 1_000) / perSecond - performance.now()
    if (wait > 0) await pause(wait)
    begun.push(work(n))
  }
  await Promise.all(begun)
}
