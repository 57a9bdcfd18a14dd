import { compile, type JSONPathQuery, type JSONValue } from 'json-p3'

/** Paths into a reply's JSON, of RFC 9535. */

export function isItemsPath(path: string): boolean {
  try {
    compile(path)
    return true
  } catch {
    return false
  }
}

const compiled = new Map<string, JSONPathQuery>()

/** How many values a path selects. @throws Error for a path that `isItemsPath` refuses. */
export function countItems(path: string, json: JSONValue): number {
  const query = compiled.get(path) ?? compile(path)
  compiled.set(path, query)
  // One by one: the library's list of all of them fails where there are more than a function takes arguments.
  let items = 0
  for (const _item of query.lazyQuery(json)) items += 1
  return items
}
