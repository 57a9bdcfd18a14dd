/** What an attacker has sent and got, as the attacker's own sockets saw it. */
export interface AttackerFigures {
  readonly requests: number
  /** Of heads and bodies. */
  readonly sentBytes: number
  readonly receivedBytes: number
  /** How often which status came, or why none came. */
  readonly answers: Readonly<Record<string, number>>
}

export class Tally {
  readonly #answers = new Map<string, number>()
  #requests = 0
  #sentBytes = 0
  #receivedBytes = 0

  sent(bytes: number, requests = 1): void {
    this.#sentBytes += bytes
    this.#requests += requests
  }

  received(bytes: number): void {
    this.#receivedBytes += bytes
  }

  /** @param what a status, or the code of an error. */
  answered(what: string | number): void {
    const name = String(what)
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1)
  }

  figures(): AttackerFigures {
    const answered = [...this.#answers.values()].reduce((sum, times) => sum + times, 0)
    const unanswered = this.#requests - answered
    const answers = [...this.#answers].sort(([one], [other]) => one.localeCompare(other))
    return {
      requests: this.#requests,
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      answers: Object.fromEntries(unanswered > 0 ? [...answers, ['no reply', unanswered]] : answers),
    }
  }
}
