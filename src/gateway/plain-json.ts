/**
 * JSON that everybody reads alike. What is priced here is carried out elsewhere, by a server that may read the same
 * bytes otherwise: of a name that comes twice some take the first and some the last, many take `N` for `n`, and where
 * the text is no JSON to us it may be packed, in another encoding, or a form. Each of these would let a caller be
 * asked the price of one request and be served another.
 */

/**
 * @param headers of the request, by lower-case name.
 * @param names that are asked for in it; another spelling of one may mean the same.
 * @returns undefined for what could be read in more than one way.
 */
export function plainJson(
  bytes: Uint8Array,
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  names: ReadonlySet<string>,
): { readonly value: unknown } | undefined {
  if (!isPlain(headers)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    const members = plainMembers(value, names)
    return members === membersIn(text) ? { value } : undefined
  } catch {
    // The upstream says what is wrong with it.
    return undefined
  }
}

/** JSON by any name that does not say it is something else: clients of x402 v1 send it as plain text. */
function isPlain(headers: Parameters<typeof plainJson>[1]): boolean {
  const types = headers['content-type'] ?? []
  const encodings = headers['content-encoding'] ?? []
  return (
    types.length < 2 &&
    types.every((type) => plainType.test(type)) &&
    encodings.every((encoding) => /^\s*(?:identity\s*)?$/i.test(encoding))
  )
}

const plainType =
  /^(?:application\/(?:[\w.+-]+\+)?json|text\/plain)\s*(?:;\s*(?:charset\s*=\s*"?(?:utf-?8|us-ascii)"?\s*)?)?$/i

/** How many members the text names. Each has one colon, outside of strings. */
function membersIn(text: string): number {
  let members = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === quote) isInString = !isInString
    else if (char === backslash) at += 1
    else if (char === colon && !isInString) members += 1
  }
  return members
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** How many members a value has; undefined where one bears another spelling of a name that is asked for. */
function plainMembers(value: unknown, names: ReadonlySet<string>): number | undefined {
  const folded = new Set([...names].map(fold))
  const left = [value]
  let members = 0
  while (left.length > 0) {
    const part = left.pop()
    if (typeof part !== 'object' || part === null) continue
    if (Array.isArray(part)) {
      for (const one of part) left.push(one)
      continue
    }
    for (const [name, member] of Object.entries(part)) {
      if (!names.has(name) && folded.has(fold(name))) return undefined
      members += 1
      left.push(member)
    }
  }
  return members
}

/** By way of capitals, as some letters beyond ASCII have one of ASCII. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}
