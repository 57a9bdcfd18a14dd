import { isBeyondShape } from '../../../core/text/json-shape.ts'
import { askForUsage } from '../ask-usage.ts'
import { estimateTokens } from '../estimate.ts'
import { requestText } from '../json-text.ts'

export interface RequestTask {
  readonly bytes: Uint8Array
  readonly path: string | undefined
}

export interface ReadRequest {
  /** The body that asks the upstream to report usage; undefined where it need not ask. */
  readonly asking: Uint8Array | undefined
  /** The estimated tokens of the prompt; undefined for a body that is not JSON, or of too many values. */
  readonly input: number | undefined
}

/** Reads the body of a request to a language model. */
export function readRequest({ bytes, path }: RequestTask): ReadRequest {
  if (isBeyondShape(bytes, readableShape)) return { asking: undefined, input: undefined }
  return { asking: askForUsage({ body: bytes, path }), input: estimateRequest(bytes) }
}

/**
 * Values take many times the memory of their text: ten megabytes of empty lists take the thread five seconds,
 * or all its memory. A million values take it a tenth of a second, and no model takes more tokens than that.
 */
export const readableShape = { depth: Number.POSITIVE_INFINITY, values: 1_000_000 }

/**
 * Estimates what a model was given to read. Audio and pictures count nothing.
 * @returns undefined for a body that is not JSON.
 */
export function estimateRequest(body: Uint8Array): number | undefined {
  try {
    const { text, tokens } = requestText(JSON.parse(new TextDecoder().decode(body)))
    return tokens + estimateTokens(text)
  } catch {
    // Its length is counted instead.
    return undefined
  }
}
