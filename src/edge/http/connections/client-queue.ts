import { LRUCache } from 'lru-cache'

/** An item that takes no longer is a small one. */
const littleMs = 1
/** A client whose items are small gets so many of them at once in the end. */
const mostAtOnce = 64
/** So long after its last item it is forgotten how long those of a client took. */
const rememberedMs = 10_000
const mostRemembered = 10_000
/** An item that is under way no longer is a short one. */
const shortMs = 4

/** Where a client stands whose items wait. */
type Standing =
  /** Nothing is under way, and its items are known to be short. */
  | 'short'
  /** It has had no turn since nothing of it waited, and is not known to send short items. */
  | 'fresh'
  /** Nothing is under way. */
  | 'calm'
  /** Something is under way. */
  | 'busy'
/** One after the other: those who send short items and new clients come first by turns, and all others at times. */
const orders: readonly (readonly Standing[])[] = [
  ['short', 'fresh', 'calm', 'busy'],
  ['fresh', 'short', 'calm', 'busy'],
  ['short', 'fresh', 'calm', 'busy'],
  ['busy', 'calm', 'fresh', 'short'],
]

/**
 * Waiting items, handed out by turns of their clients. A client of which nothing waited comes early, as in fq_codel
 * (https://www.rfc-editor.org/rfc/rfc8290#section-4.2): among fifty clients with twenty items each, one with a single item
 * would otherwise wait for fifty of theirs. A client that is known to send short items comes before fifty new
 * ones. Then come the clients of which nothing is under way, and of these those whose items are under way for the
 * shortest time.
 *
 * A client whose item took long then lets others pass for as long as it took; otherwise each item of a client with large
 * ones would be a long wait for all others. A client whose items are small gets several at once.
 */
export class ClientQueue<Item> {
  /** The clients of which something waits, in the order of their next turns. No list of items is empty. */
  readonly #lists: Readonly<Record<Standing, Map<string, Item[]>>> = {
    short: new Map(),
    fresh: new Map(),
    calm: new Map(),
    busy: new Map(),
  }
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
    for (const list of Object.values(this.#lists)) {
      const own = list.get(client)
      if (own) {
        own.push(item)
        return
      }
    }
    this.#lists[this.#standing(client, 'fresh')].set(client, [item])
  }

  /**
   * Gives items back that were taken and have not been begun. They are the next ones of their clients, which come first
   * among those of their standing, one item at a time.
   */
  putBack(taken: ReadonlyMap<string, readonly Item[]>): void {
    const fronts = new Map<Map<string, Item[]>, [string, Item[]][]>()
    for (const [client, items] of taken) {
      this.#size += items.length
      this.#known.set(client, { passesUntil: 0, ...this.#known.get(client), atOnce: 1 })
      const list = Object.values(this.#lists).find((each) => each.has(client)) ?? this.#lists.fresh
      const front = fronts.get(list) ?? []
      fronts.set(list, front)
      front.push([client, [...items, ...(list.get(client) ?? [])]])
      list.delete(client)
    }
    for (const [list, front] of fronts) {
      const others = [...list]
      list.clear()
      for (const [client, items] of [...front, ...others]) list.set(client, items)
    }
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
    this.#move(client, ['short', 'calm'])
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
    this.#move(client, ['busy'])
  }

  /** Every client once. */
  *#inTurn(): Generator<[string, Item[]]> {
    const order = orders[this.#turns % orders.length] ?? []
    this.#turns += 1
    const lists = order.map((standing) => this.#lists[standing]).map((list) => ({ list, unseen: list.size }))
    for (const { list, unseen } of lists) {
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
    for (const list of Object.values(this.#lists)) list.delete(client)
    if (own.length > 0) this.#lists[this.#standing(client, 'calm')].set(client, own)
    return taken
  }

  #move(client: string, from: readonly Standing[]): void {
    for (const standing of from) {
      const own = this.#lists[standing].get(client)
      if (!own) continue
      this.#lists[standing].delete(client)
      this.#lists[this.#standing(client, 'calm')].set(client, own)
    }
  }

  /** @param otherwise of one of which nothing is under way, and that is not known to send short items */
  #standing(client: string, otherwise: 'fresh' | 'calm'): Standing {
    if (this.#underWay.has(client)) return otherwise === 'fresh' ? 'fresh' : 'busy'
    const usualMs = this.#usualMs.get(client)
    return usualMs !== undefined && usualMs < shortMs ? 'short' : otherwise
  }
}

/** Times that differ less than twofold are equal, and so are all short ones: a new client is no quicker than they. */
function levelOf(ms: number): number {
  return ms < shortMs ? 0 : Math.floor(Math.log2(ms))
}

interface Known {
  /** Until when it lets others pass. */
  readonly passesUntil: number
  readonly atOnce: number
}

const unknown: Known = { passesUntil: 0, atOnce: 1 }
