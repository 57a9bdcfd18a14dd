import type { DoorOutcome } from '../../../core/admission.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Reply } from '../../../core/reply.ts'
import type { Challenges } from '../wire/challenge.ts'
import type { CheckPayment, Verified } from './check.ts'
import type { EarlyOutcome, PaymentDoor } from './payment.ts'
import { createPurchase, type PaidCall, type Purchase } from './purchase.ts'
import type { PaymentRecipients } from './recipients.ts'

interface DryRunOptions {
  readonly check: CheckPayment
  readonly challenges: Challenges
  readonly recipients: Pick<PaymentRecipients, 'offerFor'>
  readonly clock: Clock
}

type CheckResult = Extract<EarlyOutcome, { kind: 'verified' | 'answered' }>

/**
 * The payment door in dry-run mode. Payments are checked and calls are served, but nothing is claimed,
 * settled or recorded. Each reply says so, because it has no receipt.
 */
export function createDryRunDoor({ check, challenges, recipients, clock }: DryRunOptions): PaymentDoor {
  async function checkOnly(purchase: Purchase, verified?: Verified): Promise<CheckResult> {
    const checked = await check(purchase, verified)
    switch (checked.kind) {
      case 'valid':
        return { kind: 'verified', verified: { funds: checked.funds, atMs: clock.now() } }
      case 'refused':
        return {
          kind: 'answered',
          reply: challenges.refused(purchase, purchase.operation, checked.refusal),
          refusedFor: checked.refusal.reason,
        }
      case 'unchecked':
        throw checked.error
    }
  }
  return {
    async open(call: PaidCall, verified?: Verified): Promise<DoorOutcome> {
      refuseSaleInDryRun(call.endpoint)
      const purchase = createPurchase(call, await recipients.offerFor(call.payment))
      const checked = await checkOnly(purchase, verified)
      switch (checked.kind) {
        case 'answered':
          return checked
        case 'verified':
          return {
            kind: 'admitted',
            admission: {
              owed: undefined,
              payment: { id: purchase.wanted.id, attempt: 0 },
              settle: async (reply: Reply) => ({ ...reply, headers: { ...reply.headers, ...notSettled } }),
              release: async () => notSettled,
            },
          }
      }
    },
    async verifyEarly(call) {
      const offer = await recipients.offerFor(call.payment)
      return checkOnly(createPurchase({ ...call, body: new Uint8Array() }, offer))
    },
    async idle() {},
  }
}

/**
 * Refuses the sale of keys in dry-run mode: a reply that is given away costs one run, and a key would be
 * months of calls.
 * @throws GatewayError DRY_RUN for an endpoint that sells keys.
 */
export function refuseSaleInDryRun({ tierOf }: Endpoint): void {
  if (tierOf) throw new GatewayError('DRY_RUN')
}

const notSettled = {
  'x-dry-run': 'the payment was checked and not settled',
  'cache-control': 'private, no-store',
}
