import { Gathering } from '../threads/gathering.ts'
import type { Queries } from './database.ts'

/**
 * Runs a statement once for many items. The embedded store runs one statement at a time, and a small one
 * costs about the same however many rows it touches. So items that arrive while statements are running wait
 * and share the next one; without that, a busy gateway's sales would queue behind each other's writes. An
 * item that arrives while nothing is running waits for those that arrive right after it: the verdicts on several
 * payments come in one reply of the node, and the receipt of a batch settles all of its payments.
 */
export interface GroupedStatement<Item, Result> {
  /** Two items with the same key never share a statement. */
  readonly keyOf: (item: Item) => string
  /** Several run at the same time in the embedded store too: one whose result is late holds up no other. */
  readonly isRead?: true
  /** About how many bytes an item adds to the statement. */
  readonly sizeOf: (item: Item) => number
  /**
   * Runs one statement for all items.
   * @returns their results, in the order of the items.
   */
  readonly run: (queries: Queries, items: readonly Item[]) => Promise<readonly Result[]>
}

const maxItems = 50
const maxBytes = 1_000_000
/** How many statements may run at the same time on a database that works on several. */
const maxRunning = 10

/** @returns a function that runs the statement for one item, together with the items that wait beside it. */
export function grouped<Item, Result>(
  statement: GroupedStatement<Item, Result>,
): (queries: Queries, item: Item) => Promise<Result> {
  // Every database has one queue per statement. It is found by the database's identity, because callers bring
  // `queries` alone, and a queue held by `queries` itself could not know the types of each statement.
  const queues = new WeakMap<Queries, StatementQueue<Item, Result>>()
  return (queries, item) => {
    const queue = queues.get(queries) ?? new StatementQueue(statement, queries)
    queues.set(queries, queue)
    return queue.add(item)
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

class StatementQueue<Item, Result> {
  readonly #statement: GroupedStatement<Item, Result>
  readonly #queries: Queries
  readonly #maxRunning: number
  #waiting: Waiting<Item, Result>[] = []
  readonly #gathering = new Gathering(() => this.#next())
  #running = 0

  constructor(statement: GroupedStatement<Item, Result>, queries: Queries) {
    this.#statement = statement
    this.#queries = queries
    const { supportsMultipleConnections } = queries.getExecutor().adapter
    this.#maxRunning = statement.isRead || supportsMultipleConnections ? maxRunning : 1
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      // A statement that ends begins the next one.
      if (this.#running < this.#maxRunning) this.#gathering.add()
    })
  }

  #next(): void {
    while (this.#running < this.#maxRunning && this.#waiting.length > 0) {
      this.#running += 1
      void this.#run(this.#takeGroup()).finally(() => {
        this.#running -= 1
        this.#next()
      })
    }
  }

  #takeGroup(): Waiting<Item, Result>[] {
    const { keyOf, sizeOf } = this.#statement
    const group: Waiting<Item, Result>[] = []
    const left: Waiting<Item, Result>[] = []
    const keys = new Set<string>()
    let bytes = 0
    for (const one of this.#waiting) {
      const key = keyOf(one.item)
      const size = sizeOf(one.item)
      const fits = group.length === 0 || (group.length < maxItems && bytes + size <= maxBytes)
      if (!fits || keys.has(key)) {
        left.push(one)
        continue
      }
      keys.add(key)
      bytes += size
      group.push(one)
    }
    this.#waiting = left
    return group
  }

  async #run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = group.map(({ item }) => item)
      const results = await this.#statement.run(this.#queries, items)
      for (const [index, { resolve }] of group.entries()) {
        const result = results[index]
        if (result === undefined) throw new Error('a statement gave fewer results than it had items')
        resolve(result)
      }
    } catch (error) {
      // A statement that the database refuses changed nothing. Run one by one, only the faulty items fail.
      if (group.length > 1 && isRefusal(error)) for (const one of group) await this.#run([one])
      else for (const { reject } of group) reject(error)
    }
  }
}

/**
 * Tells whether the database refused the statement (an SQLSTATE). After a broken connection the outcome is
 * unknown.
 */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}
