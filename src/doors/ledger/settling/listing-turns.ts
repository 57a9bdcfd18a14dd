import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import type { ListingTurnRow } from '../../../platform/store/rows/settlement.ts'

/**
 * Which payment goes through the facilitator that lists an operation. Every other payment is settled as usual, so
 * two gateways must not both take the turn: one statement decides.
 */

/** What a facilitator lists as one entry. */
export type ListingKey = Pick<ListingTurnRow, 'chainId' | 'operation' | 'transport' | 'facilitator'>

/** A turn that was taken. */
export interface ListingTurn extends ListingKey {
  readonly turn: number
}

/** How a turn ended. */
export interface TurnEnd extends Pick<ListingTurnRow, 'reason' | 'extensionResponses'> {
  readonly outcome: Exclude<ListingTurnRow['outcome'], 'begun'>
}

/** A turn that fails, or whose gateway dies, comes again after an hour. */
const turnHoldMs = 3_600_000
const dayMs = 86_400_000

/**
 * Takes the turn for a payment, in one statement.
 * @returns undefined when no payment is due yet, or another one has the turn.
 */
export async function takeTurn(
  { queries, clock }: Books,
  key: ListingKey,
  paymentId: string,
  everyDays: number,
): Promise<ListingTurn | undefined> {
  const takenAt = new Date(clock.now())
  const settledBefore = new Date(takenAt.getTime() - everyDays * dayMs)
  const heldUntil = new Date(takenAt.getTime() + turnHoldMs)
  const begun = { paymentId, outcome: 'begun', reason: null, takenAt, heldUntil } as const
  const taken = await queries
    .insertInto('listingTurns')
    .values({ ...key, ...begun, turn: 1, extensionResponses: null, settledAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'operation', 'transport', 'facilitator'])
        .doUpdateSet({ ...begun, turn: sql<number>`listing_turns.turn + 1` })
        .where('listingTurns.heldUntil', '<=', takenAt)
        .where(({ eb, or }) =>
          or([eb('listingTurns.settledAt', 'is', null), eb('listingTurns.settledAt', '<=', settledBefore)]),
        ),
    )
    .returning('turn')
    .executeTakeFirst()
  return taken && { ...key, turn: taken.turn }
}

/** Notes how a turn ended. One that was settled is due again after its interval, any other one after an hour. */
export async function endTurn(
  { queries, clock }: Books,
  { turn, ...key }: ListingTurn,
  { outcome, reason, extensionResponses }: TurnEnd,
): Promise<void> {
  const now = new Date(clock.now())
  await queries
    .updateTable('listingTurns')
    .set({
      outcome,
      reason,
      extensionResponses: extensionResponses && JSON.stringify(extensionResponses),
      ...(outcome === 'settled' && { settledAt: now, heldUntil: now }),
    })
    .where((row) => row.and({ ...key, turn }))
    .execute()
}

/** The last turn of each entry on a network. */
export async function listTurns(
  { queries }: Pick<Books, 'queries'>,
  chainId: number,
): Promise<ListingTurnRow[]> {
  return queries.selectFrom('listingTurns').selectAll().where('chainId', '=', chainId).execute()
}

/** When the next payment may take the turn. */
export function nextTurnAt(
  { heldUntil, settledAt }: Pick<ListingTurnRow, 'heldUntil' | 'settledAt'>,
  everyDays: number,
): Date {
  const due = settledAt ? settledAt.getTime() + everyDays * dayMs : 0
  return new Date(Math.max(due, heldUntil.getTime()))
}
