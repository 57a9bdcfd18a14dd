import { FetchFailure } from './fetch-error.ts'

/** One request of a fetch. */
export interface Hop {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

export function isRedirect(status: number): boolean {
  return redirects.has(status)
}

/**
 * Makes the request that a redirect asks for, by https://fetch.spec.whatwg.org/#http-redirect-fetch. The
 * server chooses the target, so bodies and secret headers meant for one origin never go to another.
 *
 * @throws FetchFailure `redirects`, `refused`
 */
export function followRedirect(hop: Hop, status: number, location: string, refuseDowngrade: boolean): Hop {
  // Node reads header bytes as Latin-1; servers write UTF-8.
  const url = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), hop.url.href)
  if (url === null)
    throw new FetchFailure('redirects', 'The server redirects to something that is no address.')
  url.hash = ''
  if (refuseDowngrade && hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw new FetchFailure('refused', 'The server redirects from https to an address that is not secure.')
  }
  const isPostDropped = hop.method === 'POST' && (status === 301 || status === 302 || status === 303)
  const method = isPostDropped ? 'GET' : hop.method
  const body = isPostDropped ? undefined : hop.body
  if (url.origin === hop.url.origin) {
    return {
      url,
      method,
      body,
      headers: body === undefined ? without(hop.headers, 'content-type') : hop.headers,
    }
  }
  if (body !== undefined) {
    throw new FetchFailure('redirects', 'The server redirects what was sent to it to another website.')
  }
  return { url, method, body, headers: only(hop.headers, withoutSecrets) }
}

function without(headers: Hop['headers'], name: string): Hop['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

function only(headers: Hop['headers'], names: ReadonlySet<string>): Hop['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => names.has(key)))
}

const redirects = new Set([301, 302, 303, 307, 308])

/** An allow-list, because a deny-list would miss the next kind of key or signature. */
const withoutSecrets = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'user-agent',
])
