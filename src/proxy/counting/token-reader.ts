import { keepBytes } from './bounded-buffer.ts'
import type { ReplyHead } from './contract.ts'
import { decode, encodingOf, maxReadBytes, mediaTypeOf } from './decode-reply.ts'
import { createTextEstimate, estimateTokens } from './estimate.ts'
import { createEventFilter } from './event-filter.ts'
import { eventText, replyText } from './json-text.ts'
import { isUsageOnly, mergeUsage, type ReportedUsage, readUsage } from './reported-usage.ts'

/** Reads what a model's reply says of its usage, and what an estimate needs in case it says nothing. */
export interface TokenReader {
  /** @returns what is passed on at once. */
  push(chunk: Uint8Array): Uint8Array
  /** @returns what was held back. */
  end(): Uint8Array
  found(): TokenCount
}

export interface TokenCount {
  readonly told: ReportedUsage | undefined
  /** Of the text that went by. */
  readonly estimated: number
}

/** @param isAsked the gateway has asked for the usage and its caller has not, so it is not for the caller's eyes. */
export function createTokenReader(head: ReplyHead, isAsked: boolean): TokenReader {
  const mediaType = mediaTypeOf(head)
  const encoding = encodingOf(head)
  // Of a stream that is compressed nothing can be taken out, so it is read at its end like everything else.
  if (mediaType === eventStream && encoding === undefined) return readEvents(isAsked)
  const kind = kindOf(mediaType)
  return kind ? readWhole(kind, encoding) : unread
}

type Kind = 'events' | 'json' | 'text'

/** @returns undefined for sound and pictures, which are no tokens that could be counted. */
function kindOf(mediaType: string): Kind | undefined {
  if (mediaType === eventStream) return 'events'
  if (/^$|[/+]json$/.test(mediaType)) return 'json'
  // Several JSON texts in a row are words as well: they are estimated with everything around them.
  return /^text\/|json|xml/.test(mediaType) ? 'text' : undefined
}

const unread: TokenReader = {
  push: (chunk) => chunk,
  end: () => new Uint8Array(),
  found: () => ({ told: undefined, estimated: 0 }),
}

const eventStream = 'text/event-stream'

function readEvents(isAsked: boolean): TokenReader {
  const estimate = createTextEstimate()
  let told: ReportedUsage | undefined
  const filter = createEventFilter((data) => {
    const event = parsed(data)
    told = mergeUsage(told, readUsage(event))
    estimate.add(orAsItStands(data, () => eventText(event)))
    return !(isAsked && isUsageOnly(event))
  }, isAsked)
  return { ...filter, found: () => ({ told, estimated: estimate.total() }) }
}

function readWhole(kind: Kind, encoding: string | undefined): TokenReader {
  const kept = keepBytes(maxReadBytes)
  return {
    push(chunk) {
      kept.push(chunk)
      return chunk
    },
    end: () => new Uint8Array(),
    found() {
      const bytes = decode(kept.bytes(), encoding)
      const isWhole = bytes !== undefined && kept.bytes().length === kept.length()
      return (isWhole && readers[kind](bytes)) || { told: undefined, estimated: tokensOf(kept.length()) }
    },
  }
}

/** Each reads a whole body. @returns undefined when it cannot be read. */
const readers: Record<Kind, (bytes: Uint8Array) => TokenCount | undefined> = {
  events(bytes) {
    const reading = readEvents(false)
    reading.push(bytes)
    reading.end()
    return reading.found()
  },
  json(bytes) {
    const text = new TextDecoder().decode(bytes)
    const reply = parsed(text)
    if (reply === undefined) return undefined
    const told = readUsage(reply)
    const said = orAsItStands(text, () => replyText(reply).text)
    return { told: told && { ...told, isFinal: true }, estimated: estimateTokens(said) }
  },
  text: (bytes) => ({ told: undefined, estimated: estimateTokens(new TextDecoder().decode(bytes)) }),
}

/** Of what cannot be read; a token of English is four letters long. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 4)
}

/** JSON may be nested so deeply that nothing can be found in it. What throws here would leave its call uncharged. */
function orAsItStands(json: string, find: () => string): string {
  try {
    return find()
  } catch {
    return json
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // `[DONE]`, or something that nobody reads as JSON.
    return undefined
  }
}
