import type { Queries } from './database.ts'

/**
 * Statements that come while others are under way go together in the next one. The embedded store takes
 * one statement at a time, and most of what a small one costs it is paid once however many rows it
 * touches, so under load a sale's writes would cost several times what they have to. Nothing waits when
 * nobody else does: the first goes at once.
 */
export interface GroupedStatement<Item, Result> {
  /** Two items with the same key never share a statement. */
  readonly keyOf: (item: Item) => string
  /** About how many bytes an item adds to the statement. */
  readonly sizeOf: (item: Item) => number
  /** One statement for all items. @returns their results, in the items' order. */
  readonly run: (queries: Queries, items: readonly Item[]) => Promise<readonly Result[]>
}

const maxItems = 50
const maxBytes = 1_000_000
/** How many groups may be under way where the database works on several statements at a time. */
const groupsAtOnce = 10

/** @returns a function that carries out the statement for one item, together with those that wait beside it. */
export function grouped<Item, Result>(
  statement: GroupedStatement<Item, Result>,
): (queries: Queries, item: Item) => Promise<Result> {
  // Each database has a line of its own, which goes when the database does.
  const lines = new WeakMap<Queries, (item: Item) => Promise<Result>>()
  return (queries, item) => {
    const known = lines.get(queries)
    if (known) return known(item)
    const join = createLine(statement, queries)
    lines.set(queries, join)
    return join(item)
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

function createLine<Item, Result>(
  { keyOf, sizeOf, run }: GroupedStatement<Item, Result>,
  queries: Queries,
): (item: Item) => Promise<Result> {
  const atOnce = queries.getExecutor().adapter.supportsMultipleConnections ? groupsAtOnce : 1
  let waiting: Waiting<Item, Result>[] = []
  let underWay = 0

  function next(): void {
    if (underWay === atOnce || waiting.length === 0) return
    underWay += 1
    void carryOut(takeGroup()).finally(() => {
      underWay -= 1
      next()
    })
  }

  function takeGroup(): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = []
    const left: Waiting<Item, Result>[] = []
    const keys = new Set<string>()
    let bytes = 0
    for (const one of waiting) {
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
    waiting = left
    return group
  }

  async function carryOut(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        queries,
        group.map(({ item }) => item),
      )
      for (const [index, { resolve }] of group.entries()) {
        const result = results[index]
        if (result === undefined) throw new Error('a statement gave fewer results than it was asked for')
        resolve(result)
      }
    } catch (error) {
      // Refused whole, it changed nothing; one by one, only those fail that cannot be carried out.
      if (group.length > 1 && isRefusal(error)) for (const one of group) await carryOut([one])
      else for (const { reject } of group) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      next()
    })
}

/** The database itself has said no (an SQLSTATE), as opposed to a connection that broke: then nobody knows. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}
