import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Rate } from '../../../core/catalog/limits.ts'
import { consume, limiterName, limiterOptions, type RateState, type Rates, stateNow } from './rates.ts'

/**
 * Counts rates in the memory of this gateway.
 * @param maxSubjects beyond so many subjects in a window, new ones share one window.
 */
export function createMemoryRates(maxSubjects = 100_000): Rates {
  const limiters = new Map<string, MemoryLimiter>()
  const limiterOf = (rate: Rate) => {
    const name = limiterName(rate)
    const limiter = limiters.get(name) ?? new MemoryLimiter(rate, maxSubjects)
    limiters.set(name, limiter)
    return limiter
  }
  return {
    take: (subject, rate) => limiterOf(rate).take(subject),
    give: (subject, rate) => limiterOf(rate).give(subject),
    look: (subject, rate) => limiterOf(rate).look(subject),
  }
}

const sharedSubject = 'all others'

/**
 * The library's limiter with a bound on its memory, which the library does not have: a caller with many
 * addresses could fill the memory with a window for each. Above the bound, new subjects share one window.
 */
class MemoryLimiter {
  readonly #limiter: RateLimiterMemory
  readonly #maxSubjects: number
  readonly #recentSubjects: RecentCount

  constructor(rate: Rate, maxSubjects: number) {
    this.#limiter = new RateLimiterMemory(limiterOptions(rate))
    this.#maxSubjects = maxSubjects
    this.#recentSubjects = new RecentCount(rate.seconds * 1_000)
  }

  async take(subject: string): Promise<RateState> {
    const isFull = this.#recentSubjects.read() >= this.#maxSubjects
    const key = isFull ? await this.#keyOf(subject) : subject
    const state = await consume(this.#limiter, key)
    if (state.allowed && state.remaining === this.#limiter.points - 1) this.#recentSubjects.add()
    // The library counts refused calls too.
    if (!state.allowed) await this.#limiter.reward(key)
    return state
  }

  async give(subject: string): Promise<void> {
    const window = await this.#limiter.get(subject)
    // A call whose window has ended must not make room in the next one.
    if (window && window.msBeforeNext > 0 && window.consumedPoints > 0) await this.#limiter.reward(subject)
  }

  async look(subject: string): Promise<RateState> {
    return stateNow(this.#limiter.points, await this.#limiter.get(subject))
  }

  async #keyOf(subject: string): Promise<string> {
    return (await this.#limiter.get(subject)) ? subject : sharedSubject
  }
}

/**
 * Counts events of this window and the one before. That is never less than the events of the last window's
 * length.
 */
class RecentCount {
  readonly #windowMs: number
  #startedAt = performance.now()
  #previous = 0
  #current = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  add(): void {
    this.#turn()
    this.#current += 1
  }

  read(): number {
    this.#turn()
    return this.#previous + this.#current
  }

  #turn(): void {
    const windows = Math.floor((performance.now() - this.#startedAt) / this.#windowMs)
    if (windows === 0) return
    this.#startedAt += windows * this.#windowMs
    this.#previous = windows === 1 ? this.#current : 0
    this.#current = 0
  }
}
