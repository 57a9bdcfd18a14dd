import { registrableDomain } from '../site/addresses.ts'
import type { CaptureBudget } from './capture-budget.ts'

/**
 * The requests that a scan may still make. Each one is taken from here before it goes out. Otherwise a site
 * that answers everything with redirects, or names another server in its sitemap, would decide how many
 * requests go out and to whom.
 */
export class RequestAllowance {
  readonly #budget: Pick<CaptureBudget, 'requests' | 'foreignRequests'>
  /** The site that the caller asked to scan. It is not foreign even when its page lies elsewhere. */
  readonly #requestedSite: string
  #homeSite: string | undefined
  readonly #takenBySite = new Map<string, number>()
  #left: number

  constructor(budget: Pick<CaptureBudget, 'requests' | 'foreignRequests'>, requestedUrl: string) {
    this.#budget = budget
    this.#requestedSite = registrableDomain(requestedUrl)
    this.#left = budget.requests
  }

  get left(): number {
    return this.#left
  }

  /** Sets where the page is. All other sites but the requested one are foreign from now on. */
  setHome(url: string): void {
    this.#homeSite = registrableDomain(url)
  }

  /** Whether so many requests to an address may go out. */
  hasRoom(count: number, { url, reserve, assumedHome }: AllowedRequest): boolean {
    if (this.#left - count < reserve) return false
    const own = new Set([this.#requestedSite, this.#homeSite ?? registrableDomain(assumedHome)])
    const foreign = [...this.#takenBySite].reduce(
      (sum, [site, taken]) => sum + (own.has(site) ? 0 : taken),
      0,
    )
    const further = own.has(registrableDomain(url)) ? 0 : count
    return foreign + further <= this.#budget.foreignRequests
  }

  /** @returns whether the request may go out. */
  take(request: AllowedRequest): boolean {
    if (!this.hasRoom(1, request)) return false
    const site = registrableDomain(request.url)
    this.#takenBySite.set(site, (this.#takenBySite.get(site) ?? 0) + 1)
    this.#left -= 1
    return true
  }
}

interface AllowedRequest {
  readonly url: string
  /** Requests that have to be left for later. */
  readonly reserve: number
  /** Where the page is taken to be until it is found. */
  readonly assumedHome: string
}
