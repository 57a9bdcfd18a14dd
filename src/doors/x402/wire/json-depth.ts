/**
 * Whether JSON is nested deeper than a payment is. It looks at the bytes and builds nothing: parsing a header
 * of thousands of nested arrays, and then looking for its fields, took twenty times as long as for a real
 * payment, and a caller can send such headers without a wallet.
 */
export function isDeeper(json: Uint8Array, maxDepth: number): boolean {
  let depth = 0
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
      if (depth > maxDepth) return true
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
    }
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBrace = 0x7d
const closeBracket = 0x5d
