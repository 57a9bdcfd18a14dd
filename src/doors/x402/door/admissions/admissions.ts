import type { Admission, DoorOutcome } from '../../../../core/admission.ts'
import type { ClaimResult } from '../../../ledger/claim.ts'
import { type Held, markPaid } from '../../../ledger/payments.ts'
import { handlerLeaseMs, type Purchase, settleLeaseMs } from '../purchase.ts'
import { Sale, type SaleParts, type SettledTransfer } from '../sale.ts'
import { AfterAdmission } from './after-admission.ts'
import { Deliveries } from './deliveries.ts'
import { MeteredAdmission } from './metered-admission.ts'
import { PaidAdmission } from './paid-admission.ts'
import type { RunningStreams } from './running-streams.ts'

interface AdmissionsOptions extends SaleParts {
  readonly streams: RunningStreams
  readonly settlementTimeoutMs: number
}

/** Admits claimed payments, each by the time at which its money moves. */
export class Admissions {
  readonly #parts: SaleParts
  /** How long a worker that settles is presumed alive. */
  readonly #leaseMs: number
  readonly #deliveries: Deliveries
  readonly #streams: RunningStreams

  constructor(options: AdmissionsOptions) {
    this.#parts = options
    this.#leaseMs = settleLeaseMs(options.settlementTimeoutMs)
    this.#deliveries = new Deliveries(options.log)
    this.#streams = options.streams
  }

  /**
   * Admits a payment that was just claimed. When the money must move first and does not, returns the error
   * reply instead.
   * @param block in which the payer's funds were verified.
   */
  async open(
    purchase: Purchase,
    { held, timing }: ClaimResult & { kind: 'claimed' },
    block: bigint,
  ): Promise<DoorOutcome> {
    const sale = new Sale(purchase, held, this.#parts)
    switch (timing) {
      case 'after':
        return admitted(new AfterAdmission(sale, this.#deliveries, this.#leaseMs))
      case 'metered':
        return admitted(new MeteredAdmission(sale, block, this.#deliveries, this.#streams, this.#leaseMs))
      case 'before':
        return this.#chargeFirst(sale)
    }
  }

  /** Admits a payment whose money is here and that no run has served yet. */
  openPaid(purchase: Purchase, held: Held, transfer: SettledTransfer): DoorOutcome {
    return admitted(new PaidAdmission(new Sale(purchase, held, this.#parts), transfer, this.#deliveries))
  }

  /** Resolves when no sent reply is still being delivered or waits for its settlement. */
  idle(): Promise<void> {
    return this.#deliveries.idle()
  }

  /** Takes the money first: for expensive work, or for a payer whose earlier payments failed. */
  async #chargeFirst(sale: Sale): Promise<DoorOutcome> {
    const result = await sale.charge()
    switch (result.kind) {
      case 'refused':
        return { kind: 'answered', reply: result.reply }
      case 'taken': {
        const leaseMs = handlerLeaseMs(sale.purchase.operation)
        await sale.requireMove(markPaid(this.#parts.books, sale.held, result.transfer, leaseMs))
        return admitted(new PaidAdmission(sale, result.transfer, this.#deliveries))
      }
    }
  }
}

function admitted(admission: Admission): DoorOutcome {
  return { kind: 'admitted', admission }
}
