import type { Fetched } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'

/**
 * One wish with its redirects, hop by hop. The fetcher could follow them by itself, but then a redirect would
 * lead us to where robots.txt has asked us not to go, and a chain of them would cost six requests and count as
 * one: each hop is permitted before it is made.
 */
export interface Trail {
  /** Where the next request goes. */
  at: string
  method: 'GET' | 'HEAD'
  readonly redirects: { readonly url: string; readonly status: number }[]
  /** Of all hops up to here. */
  waitedMs: number
}

/**
 * Takes the answer of the last request in.
 * @param most redirects are followed; with 0 a redirect is the answer.
 * @returns whether another request has to be made before there is an answer.
 * @throws FetchError `redirects` for a circle or one redirect too many.
 */
export function followRedirect(trail: Trail, answer: Fetched, most: number): boolean {
  // Servers that know no HEAD answer it with all kinds of errors; only GET tells a dead link from those.
  if (trail.method === 'HEAD' && answer.status >= 400) {
    trail.method = 'GET'
    return true
  }
  trail.waitedMs += answer.firstByteMs
  const next = redirectTarget(answer)
  if (next === undefined || most === 0) return false

  trail.redirects.push({ url: trail.at, status: answer.status })
  if (trail.redirects.some(({ url }) => url === next)) {
    throw new FetchError('redirects', next, 'The address redirects in a circle.')
  }
  if (trail.redirects.length > most) {
    throw new FetchError('redirects', next, `The address redirects more than ${most} times.`)
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
