import type { Usage } from '../../core/metering.ts'
import { askForUsage, isJsonType } from './ask-usage.ts'
import type { CountedRequest, Counting } from './counting.ts'
import { estimateTokens } from './estimate.ts'
import { requestText } from './json-text.ts'
import { type FoundTokens, readTokens, tokensOf } from './token-reading.ts'

/**
 * Tokens, as the provider counts them: the usage it tells is what it charges for, so that is what is charged. Where
 * it tells none, or the stream was cut before it did, they are estimated from the text that went by: a caller who
 * leaves just before the end would have the reply for nothing otherwise.
 */
export function countTokens(request: CountedRequest): Counting {
  const asking = askForUsage(request)
  let sentBytes = 0
  return {
    body: asking ?? request.body,
    acceptEncoding: 'identity',
    sent: (bytes) => {
      sentBytes += bytes
    },
    begin: (head) => {
      const reading = readTokens(head, asking !== undefined)
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
          return usageOf(reading.found(), share, () => inputOf(request, sentBytes))
        },
      }
    },
  }
}

/**
 * @param share how much was delivered of what was passed on; the rest is on its way still.
 * @param estimateInput asked only when the provider has not told, since it takes a while.
 */
function usageOf({ told, estimated }: FoundTokens, share: number, estimateInput: () => number): Usage {
  if (told?.isFinal && told.input !== undefined && told.output !== undefined) {
    return { input: told.input, output: told.output, isEstimate: false }
  }
  if (!told && share === 0) return { input: 0, output: 0, isEstimate: false }
  const delivered = Math.ceil(estimated * share)
  const output = told?.isFinal ? (told.output ?? delivered) : Math.max(told?.output ?? 0, delivered)
  return { input: told?.input ?? estimateInput(), output, isEstimate: true }
}

/** What a model was given to read: of sound and pictures nothing, of JSON that nobody kept what its length makes likely. */
function inputOf({ body, contentType }: CountedRequest, sentBytes: number): number {
  if (!isJsonType(contentType)) return 0
  if (body === undefined) return tokensOf(sentBytes)
  try {
    const { text, tokens } = requestText(JSON.parse(new TextDecoder().decode(body)))
    return tokens + estimateTokens(text)
  } catch {
    return tokensOf(body.length)
  }
}
