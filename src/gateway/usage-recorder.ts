import { createBackgroundWork } from '../core/background.ts'
import { type Cost, costOf, type Usage } from '../core/catalog/metering.ts'
import type { Meter } from '../core/catalog/prices.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { parseUsdc } from '../core/money.ts'
import type { Reply } from '../core/reply.ts'
import { LateWrites } from '../platform/store/late-writes.ts'
import type { MeteringRow } from '../platform/store/rows/payments.ts'
import { clientOf } from './client-address.ts'
import type { DecidedCall } from './policy.ts'
import { payerOf } from './principal.ts'

/**
 * Records what the calls of metered operations have used, at any door, and which calls have cost us money.
 * This record is independent of the payments and the quotas, so the operator can compare it with the
 * payments, the allowances and the costs of upstreams.
 */
export interface UsageRecorder {
  /** Records a call once its reply is delivered. */
  readonly record: (call: DecidedCall, paymentId: string | undefined, reply: Reply) => void
  /** Resolves when all replies delivered so far are recorded, or kept because the store is down. */
  readonly idle: () => Promise<void>
  /** Records for the last time. */
  readonly close: () => Promise<void>
}

export function createUsageRecorder({
  write,
  clock,
  log,
}: {
  readonly write: (row: MeteringRow) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}): UsageRecorder {
  const delivering = createBackgroundWork()
  const writes = new LateWrites<MeteringRow>({
    what: 'the usage of metered calls',
    write: ([row]) => (row ? write(row) : Promise.resolve()),
    keyOf: ({ callId }) => callId,
    merge: (row) => row,
    log,
  })

  return {
    record(call, paymentId, { delivered = atOnce, hasCost = false }) {
      const { operation, endpoint, door } = call
      const meter = operation.priced?.meter
      if (!meter && !hasCost) return
      const subject = subjectOf(call)
      const recorded = delivered.then(async ({ outcome, usage }) => {
        const { input, output, isEstimate } = usage ?? unused
        const { units, amount } = meter ? costOfUsage(meter, usage) : { units: 0, amount: priceOf(operation) }
        if (units === 0 && amount === 0n && !hasCost) return
        await writes.add([
          {
            callId: call.id,
            operation: endpoint.id,
            door: door.kind,
            subject,
            paymentId: paymentId ?? null,
            unit: meter?.per ?? null,
            input: BigInt(input),
            output: BigInt(output),
            isEstimate,
            outcome,
            amount,
            createdAt: new Date(clock.now()),
          },
        ])
      })
      delivering.add(recorded)
    },
    async idle() {
      await delivering.idle()
      await writes.flush()
    },
    close: () => writes.close(),
  }
}

/** A reply without a stream is sent as a whole. */
const atOnce: NonNullable<Reply['delivered']> = Promise.resolve({ outcome: 'complete', usage: undefined })
const unused = { input: 0, output: 0, isEstimate: false }

function costOfUsage(meter: Meter, usage: Usage | undefined): Cost {
  return usage ? costOf(meter, usage) : { units: 0, amount: 0n }
}

/** The price of an operation without a meter, in atomic units. */
function priceOf(operation: DecidedCall['operation']): bigint {
  const price = operation.priced?.price
  return price === undefined ? 0n : parseUsdc(price)
}

/** The caller, by the same name as in quotas and payments. */
function subjectOf({ door, principal, client }: DecidedCall): string {
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
