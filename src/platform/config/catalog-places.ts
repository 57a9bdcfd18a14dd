import { isMap, isScalar } from 'yaml'

/** Finds the places of a YAML document, so that a fault can name its line. */

/** Where a key or value stands in the file, or would stand. */
export interface Place {
  /** Of the key; of its parent when the key is missing. */
  readonly keyOffset: number
  /** Of the value when it is a single word, number or text; otherwise of the key. */
  readonly valueOffset: number
  readonly holds: 'nothing' | 'empty' | 'text' | 'plain' | 'collection'
  /** The value as written, when it is a single one. */
  readonly source: string
  readonly node: unknown
}

/** Walks down the document. When a key is repeated, the last one counts, as it does for the value. */
export function findPlace(contents: unknown, path: readonly PropertyKey[]): Place {
  let node = contents
  let keyOffset = 0
  for (const step of path) {
    const pair = isMap(node) ? node.items.findLast(({ key }) => keyText(key) === String(step)) : undefined
    if (!pair) return { keyOffset, valueOffset: keyOffset, holds: 'nothing', source: '', node: undefined }
    if (isScalar(pair.key)) keyOffset = pair.key.range?.[0] ?? keyOffset
    node = pair.value
  }
  const atKey = { keyOffset, valueOffset: keyOffset, source: '', node }
  if (node === null) return { ...atKey, holds: 'empty' }
  if (!isScalar(node)) return { ...atKey, holds: 'collection' }
  const source = node.source ?? ''
  if (node.value === null && source === '') return { ...atKey, holds: 'empty' }
  const holds = typeof node.value === 'string' ? 'text' : 'plain'
  return { keyOffset, valueOffset: node.range?.[0] ?? keyOffset, holds, source, node }
}

/** Every place where the file names an operation: what is offered, and what each tier covers. */
export function operationPaths(contents: unknown): string[][] {
  const tiers = keysAt(contents, ['tiers']).map((tier) => ['tiers', tier, 'operations'])
  return [['operations'], ...tiers].flatMap((path) => keysAt(contents, path).map((id) => [...path, id]))
}

/** The ids of the operations that name an upstream or a route. */
export function routedOperations(contents: unknown): string[] {
  return keysAt(contents, ['operations']).filter((id) =>
    keysAt(contents, ['operations', id]).some((key) => key === 'upstream' || key === 'route'),
  )
}

function keysAt(contents: unknown, path: readonly string[]): string[] {
  const { node } = findPlace(contents, path)
  return isMap(node) ? [...new Set(node.items.map(({ key }) => keyText(key)))] : []
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
