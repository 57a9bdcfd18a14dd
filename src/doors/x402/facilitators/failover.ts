import { type Hex, isAddressEqual, type PublicClient } from 'viem'
import type { Log } from '../../../core/log.ts'
import { findAuthorizationState, outcomeOf } from '../evidence/authorization-state.ts'
import { readFunds } from '../evidence/funds.ts'
import { type Facilitator, PaymentsUnavailable, type Settlement } from '../wire/facilitator.ts'
import type { Payment, Requirement } from '../wire/types.ts'

/**
 * Several facilitators as one, in order of preference. Verifying goes to the next as soon as one does not
 * answer. Settling is another matter: behind a lost answer the money may be on its way. An authorization
 * moves money once, whoever sends it, so the next one may try as long as the chain shows it unspent; but
 * from then on nobody's refusal proves anything, since an earlier transaction may still come.
 */
interface FailoverOptions {
  readonly facilitators: readonly Facilitator[]
  readonly client: PublicClient
  readonly log: Log
}

interface Member {
  readonly facilitator: Facilitator
  /** Why it could not settle when it was last looked at; undefined when it could. */
  fault: string | undefined
}

export function createFailover({ facilitators, client, log }: FailoverOptions): Facilitator {
  const members = facilitators.map((facilitator): Member => ({ facilitator, fault: 'not checked yet' }))
  const isReady = ({ fault }: Member) => fault === undefined
  const uptoMember = () => members.find((member) => isReady(member) && member.facilitator.uptoAddress())
  let used: Facilitator | undefined

  return {
    id: facilitators.map(({ id }) => id).join(', '),

    async verify(payment, requirement) {
      const faults: unknown[] = []
      for (const { facilitator } of members.filter(isReady).filter(maySettle(payment))) {
        try {
          return await facilitator.verify(payment, requirement)
        } catch (cause) {
          if (!(cause instanceof PaymentsUnavailable)) throw cause
          log.warn({ facilitator: facilitator.id, err: cause }, 'a facilitator could not verify a payment')
          faults.push(cause)
        }
      }
      if (faults.length === 0) throw noneReady(members.filter(maySettle(payment)))
      throw new PaymentsUnavailable('no facilitator answers', { cause: new AggregateError(faults) })
    },

    async settle(payment, requirement, attempt) {
      const able = members.filter(maySettle(payment))
      const ready = able.filter(isReady)
      // The work is done by now: when nobody is known to be ready, all get their chance.
      const asked = ready.length > 0 ? ready : able
      let isFirst = attempt === 'first'
      let open: Settlement = { outcome: 'unknown', cause: new Error('no facilitator was asked') }
      for (const { facilitator } of asked) {
        const known = isFirst ? undefined : await askChain(payment, requirement)
        if (known) return naming(open, known)
        const told = await facilitator.settle(payment, requirement, isFirst ? 'first' : 'again')
        if (told.outcome === 'settled' || (told.outcome === 'failed' && isFirst)) return told
        const cause =
          told.outcome === 'unknown'
            ? told.cause
            : new Error(`refused (${told.refusal.reason}) after another attempt`)
        log.warn({ facilitator: facilitator.id, err: cause }, 'a facilitator left a settlement open')
        open = naming(open, told.outcome === 'unknown' ? told : { outcome: 'unknown', cause })
        isFirst = false
      }
      return naming(open, (await askChain(payment, requirement)) ?? open)
    },

    async checkReady() {
      await Promise.all(members.map(look))
      const preferred = members.find(isReady)?.facilitator
      if (!preferred) throw noneReady(members)
      if (preferred !== used) log.info({ facilitator: preferred.id }, 'payments go through this facilitator')
      used = preferred
    },

    uptoAddress: () => uptoMember()?.facilitator.uptoAddress(),
  }

  async function look(member: Member): Promise<void> {
    const { facilitator, fault } = member
    try {
      await facilitator.checkReady()
      member.fault = undefined
    } catch (error) {
      member.fault = error instanceof Error ? error.message : String(error)
      if (member.fault !== fault) {
        log.warn({ facilitator: facilitator.id, err: error }, 'a facilitator is not ready')
      }
    }
  }

  /** Several commonly have the same fault; it is named once. */
  function noneReady(able: readonly Member[]): PaymentsUnavailable {
    const faults = new Set(able.map(({ fault }) => fault))
    const why = faults.size > 0 ? [...faults].join('; ') : 'none settles from the account that was signed'
    return new PaymentsUnavailable(`no facilitator is ready: ${why}`)
  }

  /**
   * What the chain has to say before a payment is sent once more. One whose payer no longer holds the
   * money would only burn gas, for as long as its authorization is valid.
   * @returns undefined when another attempt may move the money.
   */
  async function askChain(
    { authorization }: Payment,
    { asset, amount }: Requirement,
  ): Promise<Settlement | undefined> {
    try {
      const [evidence, { balance }] = await Promise.all([
        findAuthorizationState(client, asset, authorization),
        readFunds(client, asset, authorization.from),
      ])
      if (evidence.kind !== 'unused') return outcomeOf(evidence, BigInt(amount))
      if (balance >= BigInt(amount)) return undefined
      return { outcome: 'unknown', cause: new Error('the payer does not hold the amount any more') }
    } catch (cause) {
      return { outcome: 'unknown', cause }
    }
  }
}

/** What was signed for one facilitator to settle, no other can: the proxy would turn it away, for a fee. */
function maySettle({ authorization }: Payment): (member: Member) => boolean {
  const { facilitator: wanted } = authorization
  if (!wanted) return () => true
  return ({ facilitator }) => {
    const account = facilitator.uptoAddress()
    return account !== undefined && isAddressEqual(account, wanted)
  }
}

/** An open outcome keeps the transaction that an earlier attempt has named. */
function naming(earlier: Settlement, later: Settlement): Settlement {
  const transaction: Hex | undefined = earlier.outcome === 'unknown' ? earlier.transaction : undefined
  return later.outcome === 'unknown' && transaction ? { transaction, ...later } : later
}
