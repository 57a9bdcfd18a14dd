/** An item that takes no longer is a small one. */
const littleMs = 1
/** A client whose items are small gets so many of them at once in the end. */
const mostAtOnce = 64

/**
 * Waiting items, handed out by turns of their clients. A client whose item took long then lets others pass for as
 * long as it took; otherwise each item of a client with large ones would be a long wait for all others. A client whose
 * items are small gets several at once.
 */
export class ClientQueue<Item> {
  /** By client, in the order of their next turns. No list is empty. */
  readonly #waiting = new Map<string, Item[]>()
  #size = 0
  /** What is known of clients. Forgotten when no item waits. */
  readonly #known = new Map<string, Known>()
  readonly #now: () => number

  /** @param now tells milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** How many items wait. */
  get size(): number {
    return this.#size
  }

  add(client: string, item: Item): void {
    this.#size += 1
    const own = this.#waiting.get(client)
    if (own) own.push(item)
    else this.#waiting.set(client, [item])
  }

  /**
   * Takes the items of the next turn, at most `most`, of all clients that do not let others pass. If all clients do, it
   * takes one item of the client whose time ends first, unless others are about to come.
   */
  take(most: number, othersCome = false): readonly Item[] {
    const now = this.#now()
    const taken: Item[] = []
    let next: { readonly client: string; readonly own: Item[]; readonly passesUntil: number } | undefined
    let unseen = this.#waiting.size
    for (const [client, own] of this.#waiting) {
      // Behind them stand the clients of which an item was just taken.
      if (unseen === 0 || taken.length >= most) break
      unseen -= 1
      const { passesUntil, atOnce } = this.#known.get(client) ?? unknown
      if (passesUntil > now) {
        if (!next || passesUntil < next.passesUntil) next = { client, own, passesUntil }
        continue
      }
      taken.push(...this.#takeOf(client, own, Math.min(atOnce, most - taken.length)))
      this.#known.set(client, { passesUntil: 0, atOnce: Math.min(mostAtOnce, atOnce * 4) })
    }
    if (taken.length === 0 && next && !othersCome) taken.push(...this.#takeOf(next.client, next.own, 1))
    if (this.isEmpty) this.#known.clear()
    return taken
  }

  /** To be called with what an item of the client took, while items wait. */
  charge(client: string, ms: number): void {
    if (ms <= littleMs || this.isEmpty) return
    const from = Math.max(this.#now(), this.#known.get(client)?.passesUntil ?? 0)
    this.#known.set(client, { passesUntil: from + ms, atOnce: 1 })
  }

  #takeOf(client: string, own: Item[], count: number): Item[] {
    const taken = own.splice(0, count)
    this.#size -= taken.length
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    return taken
  }
}

interface Known {
  /** Until when it lets others pass. */
  readonly passesUntil: number
  readonly atOnce: number
}

const unknown: Known = { passesUntil: 0, atOnce: 1 }
