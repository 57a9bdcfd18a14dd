import { isBeyondShape } from '../../../core/text/json-shape.ts'
import { askForUsage, type Edit } from '../ask-usage.ts'
import { estimateTokens } from '../estimate.ts'
import { requestText } from '../json-text.ts'
import { type ParsedRequest, parseRequest } from '../parse-request.ts'

export interface RequestTask {
  readonly bytes: Uint8Array
  readonly path: string | undefined
}

export interface ReadRequest {
  /** Makes the body ask the upstream to report usage; undefined where it need not ask. */
  readonly asking: Edit | undefined
  /** The estimated tokens of the prompt; undefined for a body that is not JSON, or of too many values. */
  readonly input: number | undefined
}

/** Reads the body of a request to a language model. */
export function readRequest({ bytes, path }: RequestTask): ReadRequest {
  if (isBeyondShape(bytes, readableShape)) return { asking: undefined, input: undefined }
  const parsed = parseRequest(bytes)
  return parsed
    ? { asking: askForUsage(parsed, path), input: estimateRequest(parsed) }
    : { asking: undefined, input: undefined }
}

/**
 * Values take many times the memory of their text: ten megabytes of empty lists take the thread five seconds,
 * or all its memory. A million values take it a tenth of a second, and no model takes more tokens than that. Depth and
 * names take memory beside the heap, which no limit of the thread counts.
 */
export const readableShape = { depth: 10_000, values: 1_000_000, names: 100_000 }

/**
 * Estimates what a model was given to read. Audio and pictures count nothing.
 * @returns undefined for JSON that is nested too deeply to search: its length is counted instead.
 */
export function estimateRequest({ json }: ParsedRequest): number | undefined {
  try {
    const { text, tokens } = requestText(json)
    return tokens + estimateTokens(text)
  } catch {
    return undefined
  }
}
