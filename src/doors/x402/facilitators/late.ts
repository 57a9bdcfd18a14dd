import type { Address } from 'viem'
import type { Held } from '../../ledger/payments.ts'
import {
  type Facilitator,
  PaymentsUnavailable,
  type Screening,
  type Settlement,
  type Settlers,
  type Verdict,
} from '../wire/facilitator.ts'
import type { Payment, Requirement } from '../wire/types.ts'

/** A facilitator that can be closed. */
export interface OpenFacilitator {
  readonly facilitator: Facilitator
  /** Waits for the settlements under way. */
  close(): Promise<void>
}

/**
 * A facilitator that another server has to help set up. The gateway starts without it, as it does while any
 * facilitator is away, and each readiness check tries again to open it.
 */
export class LateFacilitator implements Facilitator {
  readonly id: string
  readonly #open: () => Promise<OpenFacilitator>
  #opening: Promise<OpenFacilitator> | undefined
  #opened: OpenFacilitator | undefined

  constructor(id: string, open: () => Promise<OpenFacilitator>) {
    this.id = id
    this.#open = open
  }

  readonly uptoAddress: Facilitator['uptoAddress'] = () => this.#opened?.facilitator.uptoAddress()

  maySettleFrom(account: Address): boolean {
    return this.#opened?.facilitator.maySettleFrom(account) ?? false
  }

  settlers(): readonly Settlers[] {
    return this.#opened?.facilitator.settlers() ?? [{ id: this.id, accounts: [] }]
  }

  async verify(payment: Payment, requirement: Requirement): Promise<Verdict> {
    if (!this.#opened) throw new PaymentsUnavailable(notOpen)
    return this.#opened.facilitator.verify(payment, requirement)
  }

  async screen(payment: Payment): Promise<Screening> {
    return (await this.#opened?.facilitator.screen?.(payment)) ?? { kind: 'unknown' }
  }

  async settle(
    payment: Payment,
    requirement: Requirement,
    attempt: 'first' | 'again',
    held?: Held,
  ): Promise<Settlement> {
    if (!this.#opened) return { outcome: 'unknown', cause: new Error(notOpen) }
    return this.#opened.facilitator.settle(payment, requirement, attempt, held)
  }

  async checkReady(): Promise<void> {
    try {
      this.#opening ??= this.#open()
      this.#opened = await this.#opening
    } catch (cause) {
      this.#opening = undefined
      throw new PaymentsUnavailable('the settlement account cannot be reached', { cause })
    }
    await this.#opened.facilitator.checkReady()
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }
}

const notOpen = 'the settlement account is not open yet'
