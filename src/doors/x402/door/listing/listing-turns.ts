import type { PublicClient } from 'viem'
import type { Listing } from '../../../../core/catalog/listing.ts'
import type { Log } from '../../../../core/log.ts'
import type { Books } from '../../../../platform/store/books.ts'
import type { ListingTurnRow } from '../../../../platform/store/rows/settlement.ts'
import { type Held, keep } from '../../../ledger/payments.ts'
import { endTurn, type ListingTurn, type TurnEnd, takeTurn } from '../../../ledger/settling/listing-turns.ts'
import { settledMeanwhile } from '../../evidence/settled-meanwhile.ts'
import type { Challenges, Listed } from '../../wire/challenge.ts'
import type { ExtensionResponses } from '../../wire/extension-responses.ts'
import { type Facilitator, PaymentsUnavailable, type Settlement } from '../../wire/facilitator.ts'
import type { Requirement } from '../../wire/types.ts'
import { type Purchase, settleLeaseMs } from '../purchase.ts'

/** A facilitator that lists what it settles, told what one payment is for. */
type ListingFacilitator = Pick<Facilitator, 'checkReady' | 'verify' | 'settle' | 'maySettleFrom'>

/** Opens the facilitator that the catalog names. `noteExtensions` is told what it makes of the extensions. */
export type OpenListingFacilitator = (
  name: string,
  listed: Listed & { readonly noteExtensions: (told: ExtensionResponses) => void },
) => ListingFacilitator

interface ListingTurnsOptions {
  readonly books: Books
  readonly client: PublicClient
  readonly chainId: number
  readonly challenges: Pick<Challenges, 'listed'>
  readonly open: OpenListingFacilitator
  /** Settles every other payment. */
  readonly facilitator: Pick<Facilitator, 'settle'>
  /** Longest time that a settlement by `facilitator` may take. */
  readonly settlementTimeoutMs: number
  /** Longest time that a facilitator which lists may take to verify and settle. */
  readonly turnTimeoutMs: number
  readonly countTurn: (turn: Pick<ListingTurnRow, 'operation' | 'facilitator' | 'outcome'>) => void
  readonly log: Log
}

/** For so long a gateway does not ask the books again whether a payment is due. */
const pauseMs = 60_000

/**
 * Settles one payment in so many days through the facilitator that lists an operation. A facilitator lists only what
 * it has settled itself. The payment was verified and claimed like any other, so nothing of it depends on that
 * facilitator: if it does not answer or refuses before it was told to settle, the payment is settled as usual. The
 * token carries out an authorization once, so two facilitators never take the money twice.
 */
export class ListingTurns {
  readonly #options: ListingTurnsOptions
  /** Until when an entry is not looked at, in milliseconds of the clock. */
  readonly #pausedUntil = new Map<string, number>()

  constructor(options: ListingTurnsOptions) {
    this.#options = options
  }

  /**
   * Settles a due payment if it is one for the facilitator that lists its operation.
   * @param due names the amount to take.
   * @returns undefined when nothing was sent: the payment is settled as usual.
   */
  async settle(purchase: Purchase, due: Requirement, held: Held): Promise<Settlement | undefined> {
    const { listing } = purchase.operation
    if (listing === undefined || !this.#hasTime(purchase)) return undefined
    const turn = await this.#take(purchase, listing, held)
    return turn && this.#use(turn, purchase, due, held)
  }

  /** An authorization must not end while a second facilitator still tries. */
  #hasTime({ payment }: Purchase): boolean {
    const { books, turnTimeoutMs, settlementTimeoutMs } = this.#options
    const leftMs = Number(payment.authorization.validBefore) * 1000 - books.clock.now()
    return leftMs > turnTimeoutMs + settleLeaseMs(settlementTimeoutMs)
  }

  async #take(
    { endpoint, tool }: Purchase,
    { facilitator, everyDays }: Listing,
    held: Held,
  ): Promise<ListingTurn | undefined> {
    const { books, chainId, turnTimeoutMs, settlementTimeoutMs, log } = this.#options
    const transport = tool ? 'mcp' : 'http'
    const key = { chainId, operation: endpoint.id, transport, facilitator } as const
    const entry = `${endpoint.id} ${transport} ${facilitator} ${everyDays}`
    const now = books.clock.now()
    if (now < (this.#pausedUntil.get(entry) ?? 0)) return undefined
    try {
      const turn = await takeTurn(books, key, held.id, everyDays)
      if (!turn) {
        this.#pausedUntil.set(entry, now + pauseMs)
        return undefined
      }
      // The recovery must not take the payment over while two facilitators are tried one after the other.
      if (await keep(books, held, turnTimeoutMs + settleLeaseMs(settlementTimeoutMs))) return turn
      await this.#end(turn, { outcome: 'refused', reason: 'another worker has the payment' })
      return undefined
    } catch (error) {
      // No listing is worth a payment: it is settled as usual.
      log.warn({ err: error, payment: held.id }, 'the turn of a listing could not be taken')
      return undefined
    }
  }

  async #use(
    turn: ListingTurn,
    purchase: Purchase,
    due: Requirement,
    held: Held,
  ): Promise<Settlement | undefined> {
    const { client, challenges, open, facilitator } = this.#options
    const { payment } = purchase
    let told: ExtensionResponses | undefined
    const remote = open(turn.facilitator, {
      ...challenges.listed(purchase, purchase.operation),
      noteExtensions(responses) {
        told = { ...told, ...responses }
      },
    })
    const fault = await whyNotThere(remote, purchase)
    if (fault) {
      await this.#end(turn, fault, told)
      return undefined
    }
    const settlement = await remote.settle(payment, due, 'first', held)
    await this.#end(turn, endOf(settlement), told)
    switch (settlement.outcome) {
      case 'settled':
        return settlement
      case 'failed':
        // It has sent nothing, and the chain shows the authorization unused.
        return undefined
      case 'unknown': {
        const shown = await settledMeanwhile(client, payment, due)
        const other = shown ?? (await facilitator.settle(payment, due, 'again', held))
        return other.outcome === 'unknown' ? { ...settlement, ...other } : other
      }
    }
  }

  async #end(
    turn: ListingTurn,
    end: Pick<TurnEnd, 'outcome' | 'reason'>,
    told: ExtensionResponses | undefined = undefined,
  ): Promise<void> {
    const { books, countTurn, log } = this.#options
    const { operation, facilitator } = turn
    countTurn({ operation, facilitator, outcome: end.outcome })
    const about = { operation, facilitator, outcome: end.outcome, reason: end.reason, extensions: told }
    if (end.outcome === 'settled')
      log.info(about, 'a payment went through the facilitator that lists the operation')
    else log.warn(about, 'the facilitator that lists an operation did not settle a payment')
    try {
      await endTurn(books, turn, { ...end, extensionResponses: copyOf(told) })
    } catch (error) {
      // The turn comes again after an hour.
      log.warn({ err: error, operation }, 'the end of a listing’s turn could not be stored')
    }
  }
}

/** Why the facilitator is not told to settle; undefined when it is. */
async function whyNotThere(
  remote: ListingFacilitator,
  { payment, requirement }: Purchase,
): Promise<Pick<TurnEnd, 'outcome' | 'reason'> | undefined> {
  const { facilitator: signed } = payment.authorization
  try {
    await remote.checkReady()
    if (signed !== undefined && !remote.maySettleFrom(signed)) {
      return { outcome: 'refused', reason: 'the payment names another settling account' }
    }
    const verdict = await remote.verify(payment, requirement)
    return verdict.isValid ? undefined : { outcome: 'refused', reason: verdict.refusal.reason }
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error
    return { outcome: 'unreachable', reason: error.message }
  }
}

function endOf(settlement: Settlement): Pick<TurnEnd, 'outcome' | 'reason'> {
  switch (settlement.outcome) {
    case 'settled':
      return { outcome: 'settled', reason: null }
    case 'failed':
      return { outcome: 'refused', reason: settlement.refusal.reason }
    case 'unknown':
      return {
        outcome: 'unknown',
        reason: settlement.cause instanceof Error ? settlement.cause.message.slice(0, 300) : null,
      }
  }
}

function copyOf(told: ExtensionResponses | undefined): TurnEnd['extensionResponses'] {
  return told ? Object.fromEntries(Object.entries(told).map(([name, fields]) => [name, { ...fields }])) : null
}
