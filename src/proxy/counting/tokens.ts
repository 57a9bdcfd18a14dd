import type { Usage } from '../../core/catalog/metering.ts'
import { maxHereBytes } from '../../platform/threads/fair-thread.ts'
import { askForUsage, edited, isJsonType } from './ask-usage.ts'
import type { CountedRequest, Counting } from './contract.ts'
import { parseRequest } from './parse-request.ts'
import type { Read } from './reading/readings.ts'
import { estimateRequest, type ReadRequest } from './reading/request.ts'
import { type TokenCount, tokensOfBytes } from './reading/tokens.ts'
import { createTokenReader } from './token-reader.ts'

/**
 * Counts tokens as the provider reports them, because the provider charges by that report. A reply without a
 * report, or cut before it, is estimated from the text that passed: otherwise a caller who leaves just before
 * the end would pay nothing.
 */
export function countTokens(request: CountedRequest, read: Read): Counting | Promise<Counting> {
  const reading = readRequest(request, read)
  return reading instanceof Promise
    ? reading.then((known) => countWith(known, request, read))
    : countWith(reading, request, read)
}

function countWith({ asking, estimateInput }: RequestReading, request: CountedRequest, read: Read): Counting {
  let sentBytes = 0
  /** Undefined until a byte was sent that is not a blank. */
  let beginsAsJson: boolean | undefined
  return {
    body: asking ?? request.body,
    acceptEncoding: 'identity',
    countSent: (piece) => {
      sentBytes += piece.byteLength
      beginsAsJson ??= startsJson(piece)
    },
    countReply: (head) => {
      const reader = createTokenReader(head, asking !== undefined, read)
      let passedBytes = 0
      const pass = (bytes: Uint8Array): Uint8Array => {
        passedBytes += bytes.length
        return bytes
      }
      return {
        push: (chunk) => pass(reader.push(chunk)),
        end: () => pass(reader.end()),
        usage: (deliveredBytes) => {
          const share = passedBytes === 0 ? 0 : Math.min(1, deliveredBytes / passedBytes)
          const input = () => estimateInput() ?? byLength(request, sentBytes, beginsAsJson === true)
          const count = reader.count()
          return count instanceof Promise
            ? count.then((known) => usageOf(known, share, input))
            : usageOf(count, share, input)
        },
      }
    },
  }
}

/**
 * @param share the part of the passed bytes that was delivered.
 * @param estimateInput called only when the provider reports no input, since it may parse the request.
 */
function usageOf({ reported, estimated }: TokenCount, share: number, estimateInput: () => number): Usage {
  if (reported?.isFinal && reported.input !== undefined && reported.output !== undefined) {
    return { input: reported.input, output: reported.output, isEstimate: false }
  }
  if (!reported && share === 0) return { input: 0, output: 0, isEstimate: false }
  const delivered = Math.ceil(estimated * share)
  const output = reported?.isFinal
    ? (reported.output ?? delivered)
    : Math.max(reported?.output ?? 0, delivered)
  return { input: reported?.input ?? estimateInput(), output, isEstimate: true }
}

interface RequestReading {
  /** The body that asks the upstream to report usage. */
  readonly asking: Uint8Array | undefined
  /** The tokens of the prompt; undefined when they are not known. */
  readonly estimateInput: () => number | undefined
}

/** A large body is read once, in a thread. The tokens of a small one are estimated if they are needed. */
function readRequest({ body, path }: CountedRequest, read: Read): RequestReading | Promise<RequestReading> {
  if (body === undefined) return { asking: undefined, estimateInput: () => undefined }
  if (body.length <= maxHereBytes) {
    const parsed = parseRequest(body)
    const asking = parsed && askForUsage(parsed, path)
    const estimateInput = () => {
      // Parsed again, because its values would take many times its memory until the reply has ended.
      const again = parseRequest(body)
      return again && estimateRequest(again)
    }
    return { asking: asking && edited(body, asking), estimateInput }
  }
  /** @param known undefined for a body that cannot be read. */
  const toReading = (known: ReadRequest | undefined): RequestReading => ({
    asking: known?.asking && edited(body, known.asking),
    estimateInput: () => known?.input,
  })
  const known = read('request', { bytes: body, path })
  return known instanceof Promise ? known.then(toReading) : toReading(known)
}

/**
 * Counts what a model was given to read by its length, when it was not kept or is not JSON. The content type
 * cannot make JSON free, because many servers read JSON under any type.
 */
function byLength({ body, contentType }: CountedRequest, sentBytes: number, beginsAsJson: boolean): number {
  return beginsAsJson || isJsonType(contentType) ? tokensOfBytes(body?.length ?? sentBytes) : 0
}

/** @returns undefined for a piece of blanks and byte order marks only. */
function startsJson(piece: Uint8Array): boolean | undefined {
  const first = piece.find((byte) => !blanks.has(byte))
  return first === undefined ? undefined : first === 0x7b || first === 0x5b
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff])
