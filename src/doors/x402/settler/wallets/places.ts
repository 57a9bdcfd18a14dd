/**
 * The places of payments that are sent alone. An account sends about sixteen transactions between two blocks,
 * so a longer queue would not be sent in time. The places are shared out: without that, a few payers could
 * take them all and keep every other payer out.
 *
 * A payment takes its place when it is about to be sent, and not when it is verified: between the two lies the
 * work, and any number of payments can be verified meanwhile. A payment that finds no place waits for one,
 * behind its payer's others and not before other payers.
 */
export class Places {
  readonly #taken = new Map<string, number>()
  /** In the order in which they came. */
  readonly #waiting = new Map<object, Waiting>()

  /** Whether there is a place of this kind now. */
  hasRoom(isContract: boolean): boolean {
    return this.#hasRoom(isContract ? [...shared, contracts] : shared)
  }

  /**
   * Takes a place, once there is one.
   * @param owner whom the place is for; `leave` names it.
   * @returns gives the place back; undefined when `leave` was called first.
   */
  take(owner: object, limits: readonly PlaceLimit[]): Promise<(() => void) | undefined> {
    const all = [...shared, ...limits]
    if (this.#hasRoom(all)) return Promise.resolve(this.#give(all))
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
    this.#waiting.set(owner, { limits: all, resolve })
    return promise
  }

  /** @returns false when the owner does not wait here. */
  leave(owner: object): boolean {
    const waiting = this.#waiting.get(owner)
    this.#waiting.delete(owner)
    waiting?.resolve(undefined)
    return waiting !== undefined
  }

  #hasRoom(limits: readonly PlaceLimit[]): boolean {
    return limits.every(({ key, most }) => (this.#taken.get(key) ?? 0) < most)
  }

  #give(limits: readonly PlaceLimit[]): () => void {
    for (const { key } of limits) this.#add(key, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const { key } of limits) this.#add(key, -1)
      this.#admit()
    }
  }

  #add(key: string, change: 1 | -1): void {
    const count = (this.#taken.get(key) ?? 0) + change
    if (count === 0) this.#taken.delete(key)
    else this.#taken.set(key, count)
  }

  #admit(): void {
    for (const [owner, { limits, resolve }] of this.#waiting) {
      if (!this.#hasRoom(shared)) return
      if (!this.#hasRoom(limits)) continue
      this.#waiting.delete(owner)
      resolve(this.#give(limits))
    }
  }
}

/** At most so many places at a time are taken under this key. */
export interface PlaceLimit {
  readonly key: string
  readonly most: number
}

interface Waiting {
  readonly limits: readonly PlaceLimit[]
  readonly resolve: (release: (() => void) | undefined) => void
}

const shared: readonly PlaceLimit[] = [{ key: 'all', most: 200 }]
/** A wallet contract holds its place until it is mined, and may hold it for as long as it can. */
export const contracts: PlaceLimit = { key: 'contracts', most: 100 }
