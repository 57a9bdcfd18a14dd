import { registrableDomain } from '../site/addresses.ts'
import type { CaptureBudget } from './capture-budget.ts'

/**
 * The requests that a scan may still make. Each one that goes out is taken from here first: a site that answers
 * everything with redirects, or names a stranger's server in its sitemap, would otherwise decide by itself how
 * many requests go out and to whom.
 */
export class RequestAllowance {
  readonly #budget: Pick<CaptureBudget, 'requests' | 'foreignRequests'>
  /** The site that was asked for, which is our affair even when its page is found elsewhere. */
  readonly #asked: string
  #home: string | undefined
  readonly #takenBySite = new Map<string, number>()
  #left: number

  constructor(budget: Pick<CaptureBudget, 'requests' | 'foreignRequests'>, asked: string) {
    this.#budget = budget
    this.#asked = registrableDomain(asked)
    this.#left = budget.requests
  }

  get left(): number {
    return this.#left
  }

  /** From now on other sites are those that the page is not on. */
  findHome(url: string): void {
    this.#home = registrableDomain(url)
  }

  /**
   * Whether so many requests to an address may go out.
   * @param request.leave so many are kept for what comes later.
   * @param request.towards where the page is, as far as anybody knows until it is found.
   */
  hasRoom(count: number, { url, leave, towards }: AllowedRequest): boolean {
    if (this.#left - count < leave) return false
    const own = new Set([this.#asked, this.#home ?? registrableDomain(towards)])
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
  readonly leave: number
  readonly towards: string
}
