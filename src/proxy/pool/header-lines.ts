import type { UpstreamReply, UpstreamRequest } from './upstream-reply.ts'

/** Headers as undici hands them out and takes them. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Each line of each header by itself. */
export function linesOf(headers: RawHeaders): UpstreamReply['headers'] {
  const lines: Record<string, readonly string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== '__proto__') lines[name] = typeof value === 'string' ? [value] : value
  }
  return lines
}

/** The lines of each header in one text. */
export function joinedOf(headers: RawHeaders): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, lines] of Object.entries(linesOf(headers))) texts[name] = lines.join(', ')
  return texts
}

/** The headers that have a value. */
export function definedOf(headers: RawHeaders): Record<string, string | string[]> {
  const defined: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) defined[name] = value
  return defined
}

/** Names and values in turn, with the name repeated for each line. */
export function flatten(headers: UpstreamRequest['headers']): string[] {
  const lines: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') lines.push(name, value)
    else for (const line of value ?? []) lines.push(name, line)
  }
  return lines
}
