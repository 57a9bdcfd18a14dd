import type { Address, PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Dependency } from '../../../core/outages.ts'
import type { Held } from '../../ledger/payments.ts'
import { settledMeanwhile } from '../evidence/settled-meanwhile.ts'
import {
  type Facilitator,
  PaymentsUnavailable,
  type Screening,
  type Settlement,
  type Settlers,
  type Verdict,
} from '../wire/facilitator.ts'
import type { Payment, Requirement } from '../wire/types.ts'

interface FailoverOptions {
  /** In order of preference. */
  readonly facilitators: readonly Facilitator[]
  readonly client: PublicClient
  readonly log: Log
}

interface Member {
  readonly facilitator: Facilitator
  /** Why it could not settle at the last check; undefined when it could. */
  fault: string | undefined
}

/**
 * Several facilitators as one. Verifying goes to the next as soon as one does not answer. Settling is
 * different: when an answer is lost, the money may be on its way. The next facilitator is asked only while
 * the chain shows the authorization unused, and then its refusal proves nothing, because the earlier
 * transaction may still be mined.
 */
export class Failover implements Facilitator {
  readonly id: string
  readonly #client: PublicClient
  readonly #log: Log
  readonly #members: readonly Member[]
  /** The one that was named in the log last. */
  #preferred: Facilitator | undefined

  constructor({ facilitators, client, log }: FailoverOptions) {
    this.id = facilitators.map(({ id }) => id).join(', ')
    this.#client = client
    this.#log = log
    this.#members = facilitators.map((facilitator) => ({ facilitator, fault: 'not checked yet' }))
  }

  readonly uptoAddress: Facilitator['uptoAddress'] = () =>
    this.#members
      .find((member) => isReady(member) && member.facilitator.uptoAddress())
      ?.facilitator.uptoAddress()

  maySettleFrom(account: Address): boolean {
    return this.#members.some(({ facilitator }) => facilitator.maySettleFrom(account))
  }

  settlers(): readonly Settlers[] {
    return this.#members.flatMap(({ facilitator }) => facilitator.settlers())
  }

  /** By the one that would verify it. */
  async screen(payment: Payment): Promise<Screening> {
    const first = this.#members.filter(maySettle(payment)).find(isReady)
    return (await first?.facilitator.screen?.(payment)) ?? { kind: 'unknown' }
  }

  async verify(payment: Payment, requirement: Requirement): Promise<Verdict> {
    const able = this.#members.filter(maySettle(payment))
    const failures: unknown[] = []
    for (const { facilitator } of able.filter(isReady)) {
      try {
        const verdict = await facilitator.verify(payment, requirement)
        this.#log.outages.works(dependencyOf(facilitator))
        return verdict
      } catch (cause) {
        if (!(cause instanceof PaymentsUnavailable)) throw cause
        this.#log.outages.failed(dependencyOf(facilitator), cause)
        failures.push(cause)
      }
    }
    if (failures.length === 0) throw noneReady(able)
    throw new PaymentsUnavailable('no facilitator answers', { cause: new AggregateError(failures) })
  }

  async settle(
    payment: Payment,
    requirement: Requirement,
    attempt: 'first' | 'again',
    held?: Held,
  ): Promise<Settlement> {
    const able = this.#members.filter(maySettle(payment))
    const ready = able.filter(isReady)
    // The call is served by now, so when none is ready, all are asked.
    const asked = ready.length > 0 ? ready : able
    let isFirst = attempt === 'first'
    let open: Settlement = { outcome: 'unknown', cause: new Error('no facilitator was asked') }
    for (const { facilitator } of asked) {
      const shown = isFirst ? undefined : await settledMeanwhile(this.#client, payment, requirement)
      if (shown) return withTransactionOf(open, shown)
      const settlement = await facilitator.settle(payment, requirement, isFirst ? 'first' : 'again', held)
      switch (settlement.outcome) {
        case 'settled':
          return settlement
        case 'failed': {
          if (isFirst) return settlement
          const cause = new Error(`refused (${settlement.refusal.reason}) after another attempt`)
          open = withTransactionOf(open, { outcome: 'unknown', cause })
          this.#warnOpen(facilitator, cause)
          break
        }
        case 'unknown':
          open = withTransactionOf(open, settlement)
          this.#warnOpen(facilitator, settlement.cause)
      }
      isFirst = false
    }
    return withTransactionOf(open, (await settledMeanwhile(this.#client, payment, requirement)) ?? open)
  }

  async checkReady(): Promise<void> {
    await Promise.all(this.#members.map((member) => this.#check(member)))
    const preferred = this.#members.find(isReady)?.facilitator
    if (!preferred) throw noneReady(this.#members)
    if (preferred !== this.#preferred) {
      this.#log.info({ facilitator: preferred.id }, 'payments go through this facilitator')
    }
    this.#preferred = preferred
  }

  async #check(member: Member): Promise<void> {
    const { facilitator } = member
    try {
      await facilitator.checkReady()
      member.fault = undefined
      this.#log.outages.works(dependencyOf(facilitator))
    } catch (error) {
      member.fault = error instanceof Error ? error.message : String(error)
      this.#log.outages.failed(dependencyOf(facilitator), error)
    }
  }

  #warnOpen({ id }: Facilitator, cause: unknown): void {
    this.#log.warn(
      { facilitator: id, err: cause },
      'a facilitator did not report the outcome of a settlement',
    )
  }
}

function dependencyOf({ id }: Facilitator): Dependency {
  return { name: `facilitator ${id}`, means: 'payments go to the next facilitator that is ready' }
}

function isReady({ fault }: Member): boolean {
  return fault === undefined
}

/**
 * A payment signed for one facilitator can be settled by no other: the proxy would refuse it, and gas is
 * paid.
 */
function maySettle({ authorization }: Payment): (member: Member) => boolean {
  const { facilitator: signed } = authorization
  return ({ facilitator }) => !signed || facilitator.maySettleFrom(signed)
}

/** Members often have the same fault; each is named once. */
function noneReady(able: readonly Member[]): PaymentsUnavailable {
  const faults = new Set(able.map(({ fault }) => fault))
  const why = faults.size > 0 ? [...faults].join('; ') : 'none settles from the account that was signed'
  return new PaymentsUnavailable(`no facilitator is ready: ${why}`)
}

/** An unknown outcome keeps the transaction that an earlier attempt named. */
function withTransactionOf(earlier: Settlement, later: Settlement): Settlement {
  const transaction = earlier.outcome === 'unknown' ? earlier.transaction : undefined
  return later.outcome === 'unknown' && transaction ? { transaction, ...later } : later
}
