/**
 * Whether JSON is nested deeper, or has more values or names, than a request of ours needs. It looks at the bytes and
 * builds nothing: parsing thousands of nested or empty arrays, and then looking for fields, takes twenty times
 * as long as for a real request of that length, and a caller can send such bodies without a wallet.
 */
export function isBeyondShape(
  json: Uint8Array,
  { depth: maxDepth, values: maxValues, names: maxNames }: JsonShape,
): boolean {
  const names = maxNames === undefined ? undefined : new KnownNames()
  let depth = 0
  let values = 0
  let isInText = false
  let textStart = 0
  let textEnd = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (isInText) {
      if (byte === backslash) at += 1
      else if (byte === quote) {
        isInText = false
        textEnd = at
      }
    } else if (byte === quote) {
      isInText = true
      textStart = at
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      if (depth > maxDepth || values > maxValues) return true
    } else if (byte === comma) {
      values += 1
      if (values > maxValues) return true
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
    } else if (byte === colon && names && maxNames !== undefined) {
      if (names.add(json, textStart + 1, textEnd) > maxNames) return true
    }
  }
  return false
}

interface JsonShape {
  readonly depth: number
  /** Of all lists and objects together. */
  readonly values: number
  /**
   * Different names. One that comes again costs a parser nothing, and each new one up to six microseconds and a
   * hundred bytes: a million of them take it seconds.
   */
  readonly names?: number
}

/** Counts different names by a hash of their bytes. */
class KnownNames {
  readonly #hashes = new Set<number>()

  /** @returns how many different names there were so far. */
  add(json: Uint8Array, start: number, end: number): number {
    let hash = seed
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (json[at] ?? 0), 0x01000193)
    // V8 keeps numbers of up to 30 bits without an object for each.
    this.#hashes.add((hash ^ (hash >>> 15)) >>> 2)
    return this.#hashes.size
  }
}

/** Unknown to callers, so that they cannot choose names of the same hash. */
const seed = Math.floor(Math.random() * 2 ** 32)

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBrace = 0x7d
const closeBracket = 0x5d
