import type { Rate } from '../../../core/catalog/limits.ts'
import type { RateState, Rates } from '../../quota/rates/rates.ts'
import { tooManyRefused } from './payment-errors.ts'

/**
 * Counts refused payments by client address and by payer. A refused payment brings nothing and costs a
 * signature check, a question to the chain and one to the books; a caller that sends hundreds a second would
 * slow down every honest payer. After too many within a minute, further payments get a 429 that costs
 * nothing.
 */
export class RefusedPayments {
  readonly #rates: Rates
  readonly #rate: Rate

  /** @param perMinute how many payments of one address, or of one payer, may be refused in a minute. */
  constructor(rates: Rates, perMinute: number) {
    this.#rates = rates
    this.#rate = { calls: perMinute, seconds: 60 }
  }

  /**
   * Counts a header that is no payment, in one step with the question whether one more may be refused.
   * @throws GatewayError TOO_MANY_REFUSED_PAYMENTS when the client address had reached the limit.
   */
  async countUnreadable(client: string): Promise<void> {
    const state = await this.#rates.take(addressSubject(client), this.#rate)
    if (!state.allowed) throw tooManyRefused('address', state)
  }

  /** @throws GatewayError TOO_MANY_REFUSED_PAYMENTS when the payer has reached the limit. */
  async requirePayer(payer: string): Promise<void> {
    const full = await this.#full(payerSubject(payer))
    if (full) throw tooManyRefused('payer', full)
  }

  /**
   * The state of a client address that has reached the limit; undefined for any other one.
   * @param uncounted how many refusals are known and not counted yet.
   */
  fullAddress(client: string, uncounted = 0): Promise<RateState | undefined> {
    return this.#full(addressSubject(client), uncounted)
  }

  /** Whether this authorization has reached the limit from this address. */
  async isFullOf(client: string, payer: string, nonce: string): Promise<boolean> {
    return (await this.#full(authorizationSubject(client, payer, nonce))) !== undefined
  }

  /** Counts a refused payment. */
  async countAddress(client: string): Promise<void> {
    await this.#rates.take(addressSubject(client), this.#rate)
  }

  /** Counts a refusal that only the payer can have caused. */
  async countPayer(payer: string): Promise<void> {
    await this.#rates.take(payerSubject(payer), this.#rate)
  }

  /** Counts a refusal of one authorization from one address. */
  async countAuthorization(client: string, payer: string, nonce: string): Promise<void> {
    await this.#rates.take(authorizationSubject(client, payer, nonce), this.#rate)
  }

  async #full(subject: string, uncounted = 0): Promise<RateState | undefined> {
    const state = await this.#rates.look(subject, this.#rate)
    return state && state.remaining <= uncounted ? state : undefined
  }
}

function addressSubject(client: string): string {
  return `refused:address:${client}`
}

function payerSubject(payer: string): string {
  return `refused:payer:${payer.toLowerCase()}`
}

function authorizationSubject(client: string, payer: string, nonce: string): string {
  return `refused:${client}:${payer.toLowerCase()}:${nonce}`
}
