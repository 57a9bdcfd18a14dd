import type { Reply } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { costOf } from '../core/metering.ts'
import { meterOf } from '../core/priced-operation.ts'
import type { MeteringRow } from '../store/schema.ts'
import { clientOf } from './client-address.ts'
import type { ValidCall } from './validate.ts'

/**
 * Writes down what the calls of metered operations have used, by whichever door they came. It is the meter's own
 * account: what was taken from wallets and allowances can be laid beside it.
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
  const open = new Set<Promise<void>>()

  return {
    note(call, paymentId, { delivered }) {
      const { operation, endpoint, door } = call
      const meter = operation.access === 'operator' ? undefined : meterOf(operation)
      if (!meter || !delivered) return
      const subject = subjectOf(call)
      const noted = delivered.then(async ({ outcome, usage }) => {
        if (!usage) return
        const { input, output, isEstimate } = usage
        const { units, amount } = costOf(meter, usage)
        if (units === 0) return
        try {
          await write({
            call_id: call.id,
            operation: endpoint.id,
            door: door.kind,
            subject,
            payment_id: paymentId ?? null,
            unit: meter.per,
            input: BigInt(input),
            output: BigInt(output),
            is_estimate: isEstimate,
            outcome,
            amount,
            created_at: new Date(clock.now()),
          })
        } catch (error) {
          log.error({ err: error, call: call.id, input, output }, 'what a call has used could not be noted')
        }
      })
      open.add(noted)
      void noted.then(() => open.delete(noted))
    },
    async idle() {
      while (open.size > 0) await Promise.all(open)
    },
  }
}

/** As quotas and payments know the caller. */
function subjectOf({ door, principal, client }: ValidCall): string {
  switch (door.kind) {
    case 'key':
      return door.holder.subject
    case 'payment': {
      const payer = principal.kind === 'holder' ? principal.payment : principal
      return payer?.kind === 'payer' ? payer.payment.authorization.from.toLowerCase() : 'unknown'
    }
    case 'free':
    case 'open':
      return `client:${clientOf(client())}`
  }
}
