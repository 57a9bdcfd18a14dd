import { compile, type JSONPathQuery, type JSONValue } from 'json-p3'

/** JSONPath (RFC 9535) into the JSON of a reply. */

export function isItemsPath(path: string): boolean {
  try {
    compile(path)
    return true
  } catch {
    return false
  }
}

/** By text. Each is compiled once. */
const compiled = new Map<string, JSONPathQuery>()

/**
 * Counts the values that a path selects.
 * @throws Error for a path that `isItemsPath` refuses.
 */
export function countItems(path: string, json: JSONValue): number {
  const query = compiled.get(path) ?? compile(path)
  compiled.set(path, query)
  // Counts lazily: the library's list of all values throws when there are more of them than a function takes
  // arguments.
  let items = 0
  for (const _item of query.lazyQuery(json)) items += 1
  return items
}
