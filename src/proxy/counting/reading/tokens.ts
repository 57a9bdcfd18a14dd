import { isBeyondShape } from '../../../core/text/json-shape.ts'
import { decode } from '../decode-reply.ts'
import { estimateTokens, StreamedEstimate } from '../estimate.ts'
import { createEventFilter } from '../event-filter.ts'
import { eventText, replyText } from '../json-text.ts'
import { isUsageOnly, mergeUsage, type ReportedUsage, readUsage } from '../reported-usage.ts'
import { readableShape } from './request.ts'

export interface TokenCount {
  readonly reported: ReportedUsage | undefined
  /** Of the text that passed. */
  readonly estimated: number
}

/** Reads the usage that a model's reply reports, and estimates its tokens in case it reports none. */
export interface TokenReader {
  /** @returns the bytes to pass on now. */
  push(chunk: Uint8Array): Uint8Array
  /** @returns the bytes held back. */
  end(): Uint8Array
  /** @returns a promise while a large part of the reply is read in a thread. */
  count(): TokenCount | Promise<TokenCount>
}

export type ReplyKind = 'events' | 'json' | 'text'

export interface ReplyTask {
  /** A whole reply, as it crossed the wire. */
  readonly bytes: Uint8Array
  readonly encoding: string | undefined
  readonly kind: ReplyKind
}

/** @returns undefined when the reply cannot be read. */
export function readReplyTokens({ bytes, encoding, kind }: ReplyTask): TokenCount | undefined {
  const body = decode(bytes, encoding)
  return body && readers[kind](body)
}

const readers: Record<ReplyKind, (bytes: Uint8Array) => TokenCount | undefined> = {
  events(bytes) {
    const estimate = new StreamedEstimate()
    let reported: ReportedUsage | undefined
    const filter = createEventFilter((data) => {
      const event = readEvent(data)
      reported = mergeUsage(reported, event.reported)
      estimate.add(event.text)
      return true
    }, false)
    filter.push(bytes)
    filter.end()
    return { reported, estimated: estimate.total() }
  },
  json(bytes) {
    if (isBeyondShape(bytes, readableShape)) return undefined
    const text = new TextDecoder().decode(bytes)
    const reply = parsed(text)
    if (reply === undefined) return undefined
    const reported = readUsage(reply)
    const output = textOr(text, () => replyText(reply).text)
    return { reported: reported && { ...reported, isFinal: true }, estimated: estimateTokens(output) }
  },
  text: (bytes) => ({ reported: undefined, estimated: estimateTokens(new TextDecoder().decode(bytes)) }),
}

export interface EventTask {
  /** The data of the event. */
  readonly bytes: Uint8Array
}

/** Counts one event of a stream. */
export function readEventTokens({ bytes }: EventTask): TokenCount {
  const { reported, text } = readEvent(new TextDecoder().decode(bytes))
  return { reported, estimated: estimateTokens(text) }
}

interface ReadEvent {
  readonly reported: ReportedUsage | undefined
  /** What a model generated. */
  readonly text: string
  /** Whether it carries only the usage that the request asked for. */
  readonly isUsageOnly: boolean
}

export function readEvent(data: string): ReadEvent {
  const event = parsed(data)
  return {
    reported: readUsage(event),
    text: textOr(data, () => eventText(event)),
    isUsageOnly: isUsageOnly(event),
  }
}

/** The tokens of bytes that cannot be read, at four letters a token as in English. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 4)
}

/** JSON can be nested too deeply to search. An error thrown here would leave the call uncharged. */
function textOr(json: string, find: () => string): string {
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
    // `[DONE]`, or an event that is not JSON.
    return undefined
  }
}
