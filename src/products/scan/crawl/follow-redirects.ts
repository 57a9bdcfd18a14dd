import type { Fetched } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'

/**
 * The redirects of one planned fetch. Each hop is permitted before it is made. If the fetcher followed
 * redirects by itself, one could lead us where robots.txt forbids us to go, and a chain of six requests would
 * count as one.
 */
export interface Trail {
  /** Where the next request goes. */
  at: string
  method: 'GET' | 'HEAD'
  readonly redirects: { readonly url: string; readonly status: number }[]
  /** Time to the first byte, of all hops so far. */
  waitedMs: number
}

/**
 * Takes in the reply to the last request.
 * @param limit how many redirects are followed; with 0 a redirect is the final reply.
 * @returns whether another request is needed.
 * @throws FetchError `redirects` for a circle or one redirect too many.
 */
export function followRedirect(trail: Trail, reply: Fetched, limit: number): boolean {
  // Servers without HEAD answer it with all kinds of errors. Only GET tells whether the link is dead.
  if (trail.method === 'HEAD' && reply.status >= 400) {
    trail.method = 'GET'
    return true
  }
  trail.waitedMs += reply.firstByteMs
  const next = redirectTarget(reply)
  if (next === undefined || limit === 0) return false

  trail.redirects.push({ url: trail.at, status: reply.status })
  if (trail.redirects.some(({ url }) => url === next)) {
    throw new FetchError('redirects', next, 'The address redirects in a circle.')
  }
  if (trail.redirects.length > limit) {
    throw new FetchError('redirects', next, `The address redirects more than ${limit} times.`)
  }
  trail.at = next
  return true
}

export const maxRedirects = 5

function redirectTarget({ url, status, headers }: Fetched): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.location?.[0]
  if (location === undefined || !URL.canParse(location, url)) return undefined
  const target = new URL(location, url)
  target.hash = ''
  return target.href
}
