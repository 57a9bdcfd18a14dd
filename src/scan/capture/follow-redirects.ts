import type { Fetched } from '../../net/fetch.ts'
import { FetchError } from '../../net/fetch-error.ts'

/**
 * One request with its redirects, hop by hop. The fetcher could follow them by itself, but then a redirect
 * would lead us to where robots.txt has asked us not to go: each hop is permitted before it is made.
 */
export interface Trail {
  /** Where the next request goes. */
  at: string
  readonly redirects: { readonly url: string; readonly status: number }[]
  /** Of all hops up to here. */
  waitedMs: number
}

export type Step =
  | { readonly kind: 'answer'; readonly answer: Fetched }
  | { readonly kind: 'forbidden' }
  /** Nobody has read the robots.txt of where it leads; the trail can be taken up again once it is read. */
  | { readonly kind: 'stranger' }

export type Permission = 'allowed' | 'forbidden' | 'stranger'

export const mostRedirects = 5

/**
 * Goes on from where the trail stands.
 * @param hop makes one request and follows nothing.
 * @throws FetchError as `hop` does, and `redirects` for a circle or a sixth hop.
 */
export async function followRedirects(
  trail: Trail,
  hop: (url: string) => Promise<Fetched>,
  permit: (url: string) => Permission,
  most: number,
): Promise<Step> {
  while (true) {
    const permission = permit(trail.at)
    if (permission !== 'allowed') return { kind: permission }

    const answer = await hop(trail.at)
    trail.waitedMs += answer.firstByteMs
    const next = redirectTarget(answer)
    // Whoever follows nothing takes the redirect itself for the answer.
    if (next === undefined || most === 0) return { kind: 'answer', answer }

    trail.redirects.push({ url: trail.at, status: answer.status })
    if (trail.redirects.some(({ url }) => url === next)) {
      throw new FetchError('redirects', next, 'The address redirects in a circle.')
    }
    if (trail.redirects.length > most) {
      throw new FetchError('redirects', next, `The address redirects more than ${most} times.`)
    }
    trail.at = next
  }
}

function redirectTarget({ url, status, headers }: Fetched): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.location?.[0]
  if (location === undefined || !URL.canParse(location, url)) return undefined
  const target = new URL(location, url)
  target.hash = ''
  return target.href
}
