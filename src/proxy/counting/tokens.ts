import type { Usage } from '../../core/catalog/metering.ts'
import { askForUsage, isJsonType } from './ask-usage.ts'
import type { CountedRequest, Counting } from './contract.ts'
import { estimateTokens } from './estimate.ts'
import { requestText } from './json-text.ts'
import { createTokenReader, type TokenCount, tokensOf } from './token-reader.ts'

/**
 * Tokens, as the provider counts them: the usage it tells is what it charges for, so that is what is charged. Where
 * it tells none, or the stream was cut before it did, they are estimated from the text that went by: a caller who
 * leaves just before the end would have the reply for nothing otherwise.
 */
export function countTokens(request: CountedRequest): Counting {
  const asking = askForUsage(request)
  let sentBytes = 0
  /** Undefined until anything but blanks was sent. */
  let beginsAsJson: boolean | undefined
  return {
    body: asking ?? request.body,
    acceptEncoding: 'identity',
    countSent: (piece) => {
      sentBytes += piece.byteLength
      beginsAsJson ??= isBeginOfJson(piece)
    },
    countReply: (head) => {
      const reading = createTokenReader(head, asking !== undefined)
      let passedBytes = 0
      const pass = (bytes: Uint8Array): Uint8Array => {
        passedBytes += bytes.length
        return bytes
      }
      return {
        push: (chunk) => pass(reading.push(chunk)),
        end: () => pass(reading.end()),
        usage: (deliveredBytes) => {
          const share = passedBytes === 0 ? 0 : Math.min(1, deliveredBytes / passedBytes)
          return usageOf(reading.found(), share, () => inputOf(request, sentBytes, beginsAsJson === true))
        },
      }
    },
  }
}

/**
 * @param share how much was delivered of what was passed on; the rest is on its way still.
 * @param estimateInput asked only when the provider has not told, since it takes a while.
 */
function usageOf({ told, estimated }: TokenCount, share: number, estimateInput: () => number): Usage {
  if (told?.isFinal && told.input !== undefined && told.output !== undefined) {
    return { input: told.input, output: told.output, isEstimate: false }
  }
  if (!told && share === 0) return { input: 0, output: 0, isEstimate: false }
  const delivered = Math.ceil(estimated * share)
  const output = told?.isFinal ? (told.output ?? delivered) : Math.max(told?.output ?? 0, delivered)
  return { input: told?.input ?? estimateInput(), output, isEstimate: true }
}

/**
 * What a model was given to read: of sound and pictures nothing, of JSON that nobody kept what its length makes likely.
 * Many servers read JSON whatever it is called, so what it is called does not make it free.
 */
function inputOf({ body, contentType }: CountedRequest, sentBytes: number, beginsAsJson: boolean): number {
  const byLength = beginsAsJson || isJsonType(contentType) ? tokensOf(body?.length ?? sentBytes) : 0
  if (body === undefined) return byLength
  try {
    const { text, tokens } = requestText(JSON.parse(new TextDecoder().decode(body)))
    return tokens + estimateTokens(text)
  } catch {
    return byLength
  }
}

/** @returns undefined for nothing but blanks, a byte order mark among them. */
function isBeginOfJson(piece: Uint8Array): boolean | undefined {
  const first = piece.find((byte) => !blanks.has(byte))
  return first === undefined ? undefined : first === 0x7b || first === 0x5b
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff])
