import type { Endpoint } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { Offer } from '../wire/requirements.ts'
import type { Check } from './check.ts'
import type { PaymentDoor } from './payment.ts'
import { createPurchase, type Purchase } from './purchase.ts'

/**
 * The payment door of a gateway that is only tried out: a payment is checked like any other, the call is served, and
 * nothing is claimed, settled or written into the books. Each reply says so, because it has no receipt.
 */
export function createDryRunDoor({
  check,
  challenges,
  offer,
}: {
  readonly check: (purchase: Purchase) => Promise<Check>
  readonly challenges: Challenges
  readonly offer: Offer
}): PaymentDoor {
  return {
    async open(call) {
      refuseSaleInDryRun(call.endpoint)
      const purchase = createPurchase(call, offer)
      const checked = await check(purchase)
      if (!checked.isValid) {
        if (!checked.refusal) throw checked.error
        return challenges.refused(call.endpoint, call.operation, checked.refusal)
      }
      return {
        owed: undefined,
        payment: { id: purchase.wanted.id, attempt: 0 },
        settle: async (reply) => ({ ...reply, headers: { ...reply.headers, ...notSettled } }),
        release: async () => notSettled,
      }
    },
    async lookAhead(call) {
      const checked = await check(createPurchase({ ...call, body: new Uint8Array() }, offer))
      if (checked.isValid) return undefined
      if (!checked.refusal) throw checked.error
      return challenges.refused(call.endpoint, call.operation, checked.refusal)
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
