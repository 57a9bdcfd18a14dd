import { costOf } from '../core/catalog/metering.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { parseUsdc } from '../core/money.ts'
import type { Reply } from '../core/reply.ts'
import { createUnderWay } from '../core/under-way.ts'
import type { MeteringRow } from '../platform/store/schema.ts'
import { clientOf } from './client-address.ts'
import { payerOf } from './identify.ts'
import type { ValidCall } from './validate.ts'

/**
 * Writes down what the calls of metered operations have used, by whichever door they came, and which calls have cost
 * us something. It is the meter's own account: what was taken from wallets and allowances, and what upstreams were
 * paid, can be laid beside it.
 */
export interface UseNotes {
  /** Notes a call once its reply is delivered. */
  readonly note: (call: ValidCall, paymentId: string | undefined, reply: Reply) => void
  /** Resolves when all replies that were delivered so far are noted. */
  readonly idle: () => Promise<void>
}

export function createUseNotes({
  write,
  clock,
  log,
}: {
  readonly write: (row: MeteringRow) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}): UseNotes {
  const underWay = createUnderWay()

  return {
    note(call, paymentId, { delivered = atOnce, hasCost = false }) {
      const { operation, endpoint, door } = call
      const meter = operation.priced?.meter
      if (!meter && !hasCost) return
      const subject = subjectOf(call)
      const noted = delivered.then(async ({ outcome, usage = unused }) => {
        const { input, output, isEstimate } = usage
        const { units, amount } = meter ? costOf(meter, usage) : { units: 0, amount: priceOf(operation) }
        if (units === 0 && !hasCost) return
        try {
          await write({
            callId: call.id,
            operation: endpoint.id,
            door: door.kind,
            subject,
            paymentId: paymentId ?? null,
            unit: meter?.per ?? null,
            input: BigInt(input),
            output: BigInt(output),
            isEstimate: isEstimate,
            outcome,
            amount,
            createdAt: new Date(clock.now()),
          })
        } catch (error) {
          log.error({ err: error, call: call.id, input, output }, 'what a call has used could not be noted')
        }
      })
      underWay.add(noted)
    },
    idle: underWay.idle,
  }
}

/** Of a reply that is sent as a whole. */
const atOnce: NonNullable<Reply['delivered']> = Promise.resolve({ outcome: 'complete', usage: undefined })
const unused = { input: 0, output: 0, isEstimate: false }

/** In atomic units, where nothing is counted. */
function priceOf(operation: ValidCall['operation']): bigint {
  const price = operation.priced?.price
  return price === undefined ? 0n : parseUsdc(price)
}

/** As quotas and payments know the caller. */
function subjectOf({ door, principal, client }: ValidCall): string {
  switch (door.kind) {
    case 'key':
      return door.holder.subject
    case 'payment':
      return payerOf(principal).payment.authorization.from.toLowerCase()
    case 'free':
    case 'open':
      return `client:${clientOf(client())}`
  }
}
