import { Counter, type Registry } from 'prom-client'

/**
 * A counter with two labels. It counts in memory and tells prom-client when the metrics are read: prom-client makes one
 * name of all labels at each count, and does so several times a call.
 */
export class Tally {
  /** By the first label's value and the second's: what prom-client has not been told yet. */
  readonly #counts = new Map<string, Map<string | number, { since: number }>>()

  constructor(
    registry: Registry,
    options: {
      readonly name: string
      readonly help: string
      readonly labelNames: readonly [first: string, second: string]
    },
  ) {
    const counts = this.#counts
    const [first, second] = options.labelNames
    new Counter({
      ...options,
      registers: [registry],
      collect() {
        for (const [one, bySecond] of counts) {
          for (const [other, count] of bySecond) {
            this.inc({ [first]: one, [second]: other }, count.since)
            count.since = 0
          }
        }
      },
    })
  }

  add(first: string, second: string | number, by = 1): void {
    const bySecond = this.#counts.get(first)
    const count = bySecond?.get(second)
    if (count) count.since += by
    else if (bySecond) bySecond.set(second, { since: by })
    else this.#counts.set(first, new Map([[second, { since: by }]]))
  }
}
