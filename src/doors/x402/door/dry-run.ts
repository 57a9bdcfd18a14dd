import type { Clock } from '../../../core/clock.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Offer } from '../wire/requirements.ts'
import type { Check, CheckPayment } from './check.ts'
import type { PaymentDoor } from './payment.ts'
import { createPurchase, type PaidCall } from './purchase.ts'

/**
 * The payment door of a gateway that is only tried out: a payment is checked like any other, the call is served, and
 * nothing is claimed, settled or written into the books. Each reply says so, because it has no receipt.
 */
export function createDryRunDoor({
  check,
  challenges,
  offer,
  clock,
}: {
  readonly check: CheckPayment
  readonly challenges: Challenges
  readonly offer: Offer
  readonly clock: Clock
}): PaymentDoor {
  const refused = ({ endpoint, operation }: Omit<PaidCall, 'body'>, checked: Check & { isValid: false }) => {
    if (!checked.refusal) throw checked.error
    const reply = challenges.refused(endpoint, operation, checked.refusal)
    return { kind: 'answered', reply } as const
  }
  return {
    async open(call, verified) {
      refuseSaleInDryRun(call.endpoint)
      const purchase = createPurchase(call, offer)
      const checked = await check(purchase, verified)
      if (!checked.isValid) return refused(call, checked)
      return {
        kind: 'admitted',
        admission: {
          owed: undefined,
          payment: { id: purchase.wanted.id, attempt: 0 },
          settle: async (reply) => ({ ...reply, headers: { ...reply.headers, ...notSettled } }),
          release: async () => notSettled,
        },
      }
    },
    async verifyEarly(call) {
      const checked = await check(createPurchase({ ...call, body: new Uint8Array() }, offer))
      if (!checked.isValid) return refused(call, checked)
      return { kind: 'verified', verified: { verdict: checked, atMs: clock.now() } }
    },
    async idle() {},
  }
}

/**
 * What is served for a payment that is not taken is a reply, and costs us the work; a key would be months of calls.
 * @throws GatewayError DRY_RUN for an endpoint that sells keys.
 */
export function refuseSaleInDryRun({ tierOf }: Endpoint): void {
  if (tierOf) throw new GatewayError('DRY_RUN')
}

const notSettled = {
  'x-dry-run': 'the payment was checked and not settled',
  'cache-control': 'private, no-store',
}
