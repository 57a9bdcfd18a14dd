/**
 * Whether JSON is nested deeper, or has more values, than a request of ours needs. It looks at the bytes and
 * builds nothing: parsing thousands of nested or empty arrays, and then looking for fields, takes twenty times
 * as long as for a real request of that length, and a caller can send such bodies without a wallet.
 */
export function isBeyondShape(json: Uint8Array, { depth: maxDepth, values: maxValues }: JsonShape): boolean {
  let depth = 0
  let values = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (isInText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isInText = false
    } else if (byte === quote) {
      isInText = true
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      if (depth > maxDepth || values > maxValues) return true
    } else if (byte === comma) {
      values += 1
      if (values > maxValues) return true
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
    }
  }
  return false
}

interface JsonShape {
  readonly depth: number
  /** Of all lists and objects together. */
  readonly values: number
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBrace = 0x7d
const closeBracket = 0x5d
