import type { CountedRequest } from './contract.ts'
import { isRecord } from './json-text.ts'

/**
 * Asks an OpenAI-compatible upstream to report the usage of a stream: `stream_options.include_usage`. Without
 * it a stream reports nothing, and the gateway would charge an estimate. Only this member of the body
 * changes: parsing the JSON and writing it again would lose the digits of numbers that JavaScript cannot
 * hold.
 *
 * @returns the body that asks; undefined when the caller asks already, or when the request is of another
 *   protocol, whose servers refuse the member.
 */
export function askForUsage({ body, path }: Pick<CountedRequest, 'body' | 'path'>): Uint8Array | undefined {
  // The content type does not decide: many servers read JSON under any type.
  if (body === undefined) return undefined
  let text: string
  let request: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    request = JSON.parse(text)
  } catch {
    // The upstream refuses a faulty body and says why.
    return undefined
  }
  if (!isRecord(request) || request.stream !== true || !isCompletion(request, path)) return undefined
  const { stream_options: options } = request
  if (options === undefined) return encoded(withMember(text, '"stream_options":{"include_usage":true}'))
  if (options !== null && (!isRecord(options) || options.include_usage === true)) return undefined
  return encoded(
    withValue(text, 'stream_options', (known) => {
      if (options === null) return '{"include_usage":true}'
      return options.include_usage === undefined
        ? withMember(known, '"include_usage":true')
        : withValue(known, 'include_usage', () => 'true')
    }),
  )
}

export function isJsonType(contentType: string | undefined): boolean {
  return contentType === undefined || /^(application\/([\w.+-]+\+)?json|text\/plain)\b/i.test(contentType)
}

/**
 * Both protocols stream `messages`. Anthropic's requires `max_tokens` and refuses members it does not know.
 */
function isCompletion(request: Readonly<Record<string, unknown>>, path: string | undefined): boolean {
  if (path !== undefined) return /\/completions\/?(\?|$)/.test(path)
  return Array.isArray(request.messages) && request.max_tokens === undefined
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * Puts a member in front of the others.
 * @param json text of a JSON object.
 */
function withMember(json: string, member: string): string {
  const start = json.indexOf('{') + 1
  const rest = json.slice(start)
  return `${json.slice(0, start)}${member}${/^\s*\}/.test(rest) ? '' : ','}${rest}`
}

/** Replaces the value of a member that the object is known to have, without the blanks around it. */
function withValue(json: string, name: string, replace: (value: string) => string): string {
  const { from, to } = findValue(json, name)
  const value = json.slice(from, to)
  const start = from + (value.length - value.trimStart().length)
  const end = to - (value.length - value.trimEnd().length)
  return json.slice(0, start) + replace(json.slice(start, end)) + json.slice(end)
}

/**
 * Finds a member's value in the text of a JSON object: from its colon to the comma or brace after it. Of a
 * name that occurs twice the last one counts, as in JSON.parse.
 *
 * The scan is our own because a caller chooses the body before paying. On nine bodies of 10 MB (strings,
 * escapes, numbers, arrays, members, blanks) jsonc-parser's scanner takes 2.5 times the CPU time (median; 29
 * times on escapes), and @streamparser/json's tokenizer 3.0 times (median; 35 times on escapes). Script: `git
 * log -1 --format=%b --grep 'JSON tokenizers'`
 */
function findValue(json: string, name: string): { readonly from: number; readonly to: number } {
  let value = { from: 0, to: 0 }
  let next = json.indexOf('{') + 1
  do {
    const key = json.indexOf('"', next)
    const keyEnd = stringEnd(json, key)
    const from = json.indexOf(':', keyEnd) + 1
    const to = valueEnd(json, from)
    if (JSON.parse(json.slice(key, keyEnd)) === name) value = { from, to }
    next = to + 1
  } while (json.charCodeAt(next - 1) === comma)
  return value
}

/** @returns the place of the comma or the closing bracket behind a value. */
function valueEnd(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = stringEnd(json, at) - 1
        break
      case openBrace:
      case openBracket:
        depth += 1
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return at
        depth -= 1
        break
      case comma:
        if (depth === 0) return at
    }
  }
  return json.length
}

/** @returns the place after the closing quote. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1
  return at + 1
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
