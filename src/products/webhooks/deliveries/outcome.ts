import { sql } from 'kysely'
import type { Books } from '../../../platform/store/books.ts'
import { grouped } from '../../../platform/store/group.ts'
import type { Claimed } from './claim.ts'
import { type Answer, judge, maxFailingMs, type Verdict } from './schedule.ts'

/** Pause between two deliveries of a subscription without a key. */
export const anonymousGapMs = 1_000

/**
 * Records how an attempt ended, and what follows for the subscription. The delivery is moved first: when the gateway
 * dies in between, the next attempt of this subscription finds the same follows.
 * @param chance from 0 to 1, for the pause before the next attempt.
 */
export async function record(
  books: Books,
  claimed: Claimed,
  answer: Answer,
  chance: number,
): Promise<Verdict> {
  const now = books.clock.now()
  const verdict = judge(answer, claimed.attempts + 1, chance)
  const isMoved = await move(books.queries, {
    id: claimed.id,
    claims: claimed.claims,
    status: statusOf(verdict),
    dueAt: new Date(verdict.kind === 'retry' ? now + verdict.inMs : now),
    now: new Date(now),
    answerStatus: answer.kind === 'answered' ? answer.status : null,
    answer: answer.kind === 'answered' ? answer.text : null,
    error: 'problem' in verdict ? verdict.problem : verdict.kind === 'gone' ? wantsNoMore : null,
  })
  // Another gateway has taken the delivery over, and its outcome counts.
  if (isMoved) await follow(books, claimed, verdict)
  return verdict
}

const wantsNoMore = 'The receiver answered 410, so this subscription is disabled.'

function statusOf({ kind }: Verdict): Moved['status'] {
  switch (kind) {
    case 'delivered':
      return 'delivered'
    case 'retry':
      return 'pending'
    case 'gone':
    case 'given up':
      return 'failed'
  }
}

interface Moved {
  readonly id: string
  readonly claims: number
  readonly status: 'delivered' | 'pending' | 'failed'
  readonly dueAt: Date
  readonly now: Date
  readonly answerStatus: number | null
  readonly answer: string | null
  readonly error: string | null
}

/** Outcomes that arrive together share a statement. */
const move = grouped<Moved, boolean>({
  keyOf: ({ id }) => id,
  sizeOf: ({ answer }) => 500 + (answer?.length ?? 0),
  async run(queries, moves) {
    const rows = moves.map(
      ({ id, claims, status, dueAt, now, answerStatus, answer, error }) =>
        sql`(${id}::uuid, ${claims}::integer, ${status}::text, ${dueAt}::timestamptz, ${now}::timestamptz,
          ${answerStatus}::integer, ${answer}::text, ${error}::text)`,
    )
    const moved = await sql<{ id: string }>`
      update webhook_deliveries as delivery set status = made.status, due_at = made.due_at, is_leased = false,
        attempts = delivery.attempts + 1, attempted_at = made.now, answer_status = made.answer_status,
        answer = made.answer, error = made.error,
        ended_at = case made.status when 'pending' then null else made.now end
      from (values ${sql.join(rows)}) as made(id, claims, status, due_at, now, answer_status, answer, error)
      where delivery.id = made.id and delivery.claims = made.claims and delivery.status = 'pending'
      returning delivery.id`.execute(queries)
    const ids = new Set(moved.rows.map(({ id }) => id))
    return moves.map(({ id }) => ids.has(id))
  },
})

/** Most deliveries of a receiver that works change nothing here. */
async function follow(books: Books, { subscription }: Claimed, verdict: Verdict): Promise<void> {
  const { id, isAnonymous, provenAt, failingSince } = subscription
  const nowMs = books.clock.now()
  const now = new Date(nowMs)
  const goesAlone = isAnonymous || provenAt === null
  switch (verdict.kind) {
    case 'delivered':
      if (goesAlone || failingSince !== null) {
        const until = new Date(isAnonymous ? nowMs + anonymousGapMs : nowMs)
        await accept(books, id, now, until)
      }
      return
    case 'gone':
      return await disable(books, id, 'gone')
    case 'retry':
    case 'given up': {
      if (failingSince !== null && nowMs - failingSince.getTime() >= maxFailingMs) {
        return await disable(books, id, 'failing')
      }
      // A receiver that has accepted nothing yet is tried with one delivery, in the pauses of that delivery.
      const pauseMs = verdict.kind === 'retry' && provenAt === null ? verdict.inMs : anonymousGapMs
      if (goesAlone || failingSince === null) await fail(books, id, now, new Date(nowMs + pauseMs))
    }
  }
}

/** The receiver accepted a delivery. The first one proves it: all that waited goes out, unless it has no key. */
async function accept({ queries }: Books, id: string, now: Date, holdUntil: Date): Promise<void> {
  await sql`
    with accepted as (
      update webhook_subscriptions set proven_at = coalesce(proven_at, ${now}), failing_since = null,
        hold_until = ${holdUntil}
      where id = ${id}::uuid returning id, is_anonymous, status
    )
    update webhook_deliveries as delivery set is_held = false
    from accepted
    where delivery.subscription_id = accepted.id and not accepted.is_anonymous and accepted.status = 'active'
      and delivery.status = 'pending' and delivery.is_held`.execute(queries)
}

async function fail({ queries }: Books, id: string, now: Date, holdUntil: Date): Promise<void> {
  await sql`
    update webhook_subscriptions set failing_since = coalesce(failing_since, ${now}),
      hold_until = case when is_anonymous or proven_at is null then ${holdUntil} else hold_until end
    where id = ${id}::uuid`.execute(queries)
}

/** Ends a subscription's deliveries. Its owner can begin anew, with a receiver that is unproven again. */
async function disable({ queries, clock }: Books, id: string, reason: 'gone' | 'failing'): Promise<void> {
  const now = new Date(clock.now())
  await sql`
    with disabled as (
      update webhook_subscriptions set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
      where id = ${id}::uuid returning id
    )
    update webhook_deliveries as delivery set status = 'dropped', is_leased = false, ended_at = ${now}
    from disabled where delivery.subscription_id = disabled.id and delivery.status = 'pending'`.execute(
    queries,
  )
}
