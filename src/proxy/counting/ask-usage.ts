import type { CountedRequest } from './contract.ts'
import { isRecord } from './json-text.ts'

/**
 * A stream of chat completions tells its usage only to those who ask. So the gateway asks, where its caller has
 * not: the one member is changed in the text of the body, because whoever reads JSON and writes it anew loses the
 * digits of numbers that JavaScript cannot hold.
 * @returns the body that asks; undefined when the caller asks already, or when it is another protocol, which would
 *   refuse the member.
 */
export function askForUsage({ body, path }: CountedRequest): Uint8Array | undefined {
  // Whatever it is called: many servers read JSON under any name, and then tell no usage.
  if (body === undefined) return undefined
  let text: string
  let request: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    request = JSON.parse(text)
  } catch {
    // The upstream says what is wrong with it.
    return undefined
  }
  if (!isRecord(request) || request.stream !== true || !isCompletion(request, path)) return undefined
  const options = request.stream_options ?? {}
  if (!isRecord(options) || options.include_usage === true) return undefined
  const patched = withMember(text, 'stream_options', (known) =>
    known === undefined || known === 'null'
      ? '{"include_usage":true}'
      : withMember(known, 'include_usage', () => 'true'),
  )
  return new TextEncoder().encode(patched)
}

export function isJsonType(contentType: string | undefined): boolean {
  return contentType === undefined || /^(application\/([\w.+-]+\+)?json|text\/plain)\b/i.test(contentType)
}

/** Both protocols stream `messages`; Anthropic's needs `max_tokens` and refuses what it does not know. */
function isCompletion(request: Readonly<Record<string, unknown>>, path: string | undefined): boolean {
  if (path !== undefined) return /\/completions\/?(\?|$)/.test(path)
  return Array.isArray(request.messages) && request.max_tokens === undefined
}

/**
 * Sets one member of an object and leaves every other byte as it is.
 * @param json text that is known to be an object.
 * @param value the text of the new value, by that of the old one.
 */
function withMember(json: string, name: string, value: (known: string | undefined) => string): string {
  const start = json.indexOf('{') + 1
  const { found, isEmpty } = findMember(json, start, name)
  if (!found)
    return `${json.slice(0, start)}"${name}":${value(undefined)}${isEmpty ? '' : ','}${json.slice(start)}`
  return json.slice(0, found.from) + value(json.slice(found.from, found.to)) + json.slice(found.to)
}

/** Of a name that comes twice, the last counts. */
function findMember(json: string, start: number, name: string) {
  let found: { readonly from: number; readonly to: number } | undefined
  let isEmpty = true
  let at = skipBlanks(json, start)
  while (json[at] === '"') {
    isEmpty = false
    const keyEnd = stringEnd(json, at)
    const key: unknown = JSON.parse(json.slice(at, keyEnd))
    const from = skipBlanks(json, skipBlanks(json, keyEnd) + 1)
    const to = valueEnd(json, from)
    if (key === name) found = { from, to }
    at = skipBlanks(json, skipBlanks(json, to) + 1)
  }
  return { found, isEmpty }
}

function skipBlanks(json: string, at: number): number {
  let next = at
  while (/^[ \t\r\n]$/.test(json[next] ?? '')) next += 1
  return next
}

/** @returns the place behind the closing quote. */
function stringEnd(json: string, at: number): number {
  let next = at + 1
  while (json[next] !== '"') next += json[next] === '\\' ? 2 : 1
  return next + 1
}

/** @returns the place behind a value, whose text is known to be well formed. */
function valueEnd(json: string, at: number): number {
  let next = at
  let depth = 0
  do {
    const char = json[next] ?? ''
    if (char === '"') {
      next = stringEnd(json, next)
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    next += 1
  } while (depth > 0 || !/^[,}\] \t\r\n]?$/.test(json[next] ?? ''))
  return next
}
