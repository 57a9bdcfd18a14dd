import { LRUCache } from 'lru-cache'

/** An item that takes no longer is a small one. */
const littleMs = 1
/** A client whose items are small gets so many of them at once in the end. */
const mostAtOnce = 64
/** Of so many turns one begins with the clients that otherwise come last. */
const turnsOfAll = 4
/** So long after its last item it is forgotten how long those of a client took. */
const rememberedMs = 10_000
const mostRemembered = 10_000
/** An item that is under way no longer is a short one. */
const shortMs = 4

/**
 * Waiting items, handed out by turns of their clients. A client of which nothing waited comes first, as in fq_codel
 * (https://www.rfc-editor.org/rfc/rfc8290#section-4.2): among fifty clients with twenty items each, one with a single item
 * would otherwise wait for fifty of theirs. Then come the clients of which nothing is under way, and of these those whose
 * items are under way for the shortest time. So one that sends a short item after the other stays ahead of
 * those whose items take long, also when several of its own have come to wait.
 *
 * A client whose item took long then lets others pass for as long as it took; otherwise each item of a client with large
 * ones would be a long wait for all others. A client whose items are small gets several at once.
 */
export class ClientQueue<Item> {
  /** Clients that have had no turn since nothing of theirs waited. No list of items is empty. */
  readonly #fresh = new Map<string, Item[]>()
  /** All others of which nothing is under way, in the order of their next turns. */
  readonly #calm = new Map<string, Item[]>()
  /** Those of which something is under way, likewise. */
  readonly #busy = new Map<string, Item[]>()
  /** How many items of a client are under way; a client with none is left out. */
  readonly #underWay = new Map<string, number>()
  /** For how many milliseconds an item of a client is under way, on average. */
  readonly #usualMs: LRUCache<string, number>
  #size = 0
  #turns = 0
  /** What is known of clients. Forgotten when no item waits. */
  readonly #known = new Map<string, Known>()
  readonly #now: () => number

  /** @param now tells milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
    this.#usualMs = new LRUCache({ max: mostRemembered, ttl: rememberedMs, ttlResolution: 0, perf: { now } })
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
    const own = this.#busy.get(client) ?? this.#calm.get(client) ?? this.#fresh.get(client)
    if (own) own.push(item)
    else this.#fresh.set(client, [item])
  }

  /**
   * Takes the items of the next turn, at most `most`, of all clients that do not let others pass. If all clients do, it
   * takes one item of the client whose time ends first, unless others are about to come.
   */
  take(most: number, othersCome = false): readonly Item[] {
    const now = this.#now()
    const taken: Item[] = []
    let next: { readonly client: string; readonly own: Item[]; readonly passesUntil: number } | undefined
    for (const [client, own] of this.#inTurn()) {
      if (taken.length >= most) break
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

  /** To be called when an item of the client was taken that goes on for a while. */
  begun(client: string): void {
    this.#underWay.set(client, (this.#underWay.get(client) ?? 0) + 1)
    move(client, this.#calm, this.#busy)
  }

  /** To be called when such an item is over, with the time for which it was under way. */
  ended(client: string, ms: number): void {
    const before = this.#usualMs.get(client) ?? ms
    this.#usualMs.set(client, before + (ms - before) / 4)
    const left = (this.#underWay.get(client) ?? 0) - 1
    if (left > 0) {
      this.#underWay.set(client, left)
      return
    }
    this.#underWay.delete(client)
    move(client, this.#busy, this.#calm)
  }

  /** Every client once, those that were asked for least first, or last. */
  *#inTurn(): Generator<[string, Item[]]> {
    this.#turns += 1
    const lists = [this.#fresh, this.#calm, this.#busy].map((list) => ({ list, unseen: list.size }))
    for (const { list, unseen } of this.#turns % turnsOfAll === 0 ? lists.toReversed() : lists) {
      let left = unseen
      const quickest = this.#quickest(list)
      if (quickest) {
        left -= 1
        yield quickest
      }
      for (const entry of list) {
        // Behind them stand the clients of which an item was just taken.
        if (left <= 0) break
        if (entry[0] === quickest?.[0]) continue
        left -= 1
        yield entry
      }
    }
  }

  /** The first of those whose items take the shortest time; undefined while no time is known. */
  #quickest(list: ReadonlyMap<string, Item[]>): [string, Item[]] | undefined {
    if (this.#usualMs.size === 0) return undefined
    let quickest: [string, Item[]] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const entry of list) {
      const level = levelOf(this.#usualMs.get(entry[0]) ?? 0)
      if (level >= least) continue
      quickest = entry
      least = level
      if (level === 0) break
    }
    return quickest
  }

  #takeOf(client: string, own: Item[], count: number): Item[] {
    const taken = own.splice(0, count)
    this.#size -= taken.length
    for (const list of [this.#fresh, this.#calm, this.#busy]) list.delete(client)
    if (own.length > 0) (this.#underWay.has(client) ? this.#busy : this.#calm).set(client, own)
    return taken
  }
}

/** Times that differ less than twofold are equal, and so are all short ones: a new client is no quicker than they. */
function levelOf(ms: number): number {
  return ms < shortMs ? 0 : Math.floor(Math.log2(ms))
}

function move<Item>(client: string, from: Map<string, Item[]>, to: Map<string, Item[]>): void {
  const own = from.get(client)
  if (!own) return
  from.delete(client)
  to.set(client, own)
}

interface Known {
  /** Until when it lets others pass. */
  readonly passesUntil: number
  readonly atOnce: number
}

const unknown: Known = { passesUntil: 0, atOnce: 1 }
