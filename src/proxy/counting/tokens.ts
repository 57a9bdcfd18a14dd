import type { Usage } from '../../core/catalog/metering.ts'
import { askForUsage, isJsonType } from './ask-usage.ts'
import type { CountedRequest, Counting } from './contract.ts'
import { estimateTokens } from './estimate.ts'
import { requestText } from './json-text.ts'
import { createTokenReader, type TokenCount, tokensOfBytes } from './token-reader.ts'

/**
 * Counts tokens as the provider reports them, because the provider charges by that report. A reply without a
 * report, or cut before it, is estimated from the text that passed: otherwise a caller who leaves just before
 * the end would pay nothing.
 */
export function countTokens(request: CountedRequest): Counting {
  const asking = askForUsage(request)
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
      const reader = createTokenReader(head, asking !== undefined)
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
          return usageOf(reader.count(), share, () => inputOf(request, sentBytes, beginsAsJson === true))
        },
      }
    },
  }
}

/**
 * @param share the part of the passed bytes that was delivered.
 * @param estimateInput called only when the provider reports no input, since it parses the whole request.
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

/**
 * Estimates what a model was given to read. Audio and pictures count nothing. JSON that was not kept counts
 * by its length. The content type cannot make JSON free, because many servers read JSON under any type.
 */
function inputOf({ body, contentType }: CountedRequest, sentBytes: number, beginsAsJson: boolean): number {
  const byLength = beginsAsJson || isJsonType(contentType) ? tokensOfBytes(body?.length ?? sentBytes) : 0
  if (body === undefined) return byLength
  try {
    const { text, tokens } = requestText(JSON.parse(new TextDecoder().decode(body)))
    return tokens + estimateTokens(text)
  } catch {
    return byLength
  }
}

/** @returns undefined for a piece of blanks and byte order marks only. */
function startsJson(piece: Uint8Array): boolean | undefined {
  const first = piece.find((byte) => !blanks.has(byte))
  return first === undefined ? undefined : first === 0x7b || first === 0x5b
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff])
