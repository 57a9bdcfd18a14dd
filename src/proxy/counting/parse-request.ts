import { isUtf8 } from 'node:buffer'

/** The body of a request to a language model, read once: its text takes as much memory as its bytes, or twice that. */
export interface ParsedRequest {
  readonly text: string
  readonly json: unknown
  /** Whether the text has all bytes of the body: no byte order mark was left out, and no faulty byte replaced. */
  readonly isExact: boolean
}

/**
 * The content type does not decide: many servers read JSON under any type.
 * @returns undefined for a body that is not JSON.
 */
export function parseRequest(body: Uint8Array): ParsedRequest | undefined {
  const text = new TextDecoder().decode(body)
  try {
    return { text, json: JSON.parse(text), isExact: body[0] !== firstOfMark && isUtf8(body) }
  } catch {
    // Its length is counted instead, and the upstream says what is wrong with it.
    return undefined
  }
}

/** JSON begins with no other byte of this value, so it is a mark. */
const firstOfMark = 0xef
