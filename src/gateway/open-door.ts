import type { Admission, DoorOutcome } from '../core/admission.ts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { PricedOperation } from '../core/catalog/priced-operation.ts'
import type { Holder } from '../core/endpoint.ts'
import { comeBack, GatewayError } from '../core/errors.ts'
import { listed } from '../core/problems.ts'
import type { QuotaDoor } from '../doors/quota/door.ts'
import { isUnlimited, type Use } from '../doors/quota/use.ts'
import type { PaymentDoor } from '../doors/x402/door/payment.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import type { UploadCall } from './bodies/paid-upload.ts'
import { clientOf } from './client-address.ts'
import { payerOf } from './principal.ts'
import { freeUse, keyUse } from './use.ts'

export interface Doors {
  readonly payments: Pick<PaymentDoor, 'open'>
  readonly quotas: Pick<QuotaDoor, 'open'>
  readonly challenges: Challenges
  readonly catalog: () => Pick<Catalog, 'tiers'>
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
}

/** Takes a unit of quota or claims the payment. An open operation needs neither, so it has no admission. */
export async function openDoor(call: UploadCall, doors: Doors): Promise<DoorOutcome | { kind: 'open' }> {
  const { door, endpoint, operation } = call
  switch (door.kind) {
    case 'open':
      return { kind: 'open' }
    case 'free':
      return admitted(await takeUnit(call, freeUse(endpoint.id, door, call.client()), doors))
    case 'key': {
      const use = keyUse(endpoint.id, door, operation.priced?.meter)
      if (!isUnlimited(use)) await confirmHolder(door.holder)
      return admitted(await takeUnit(call, use, doors))
    }
    case 'payment':
      return claimPayment(call, door.operation, doors)
  }
}

function admitted(admission: Admission): DoorOutcome {
  return { kind: 'admitted', admission }
}

/** @throws GatewayError QUOTAS_UNAVAILABLE while the store cannot confirm the key. */
async function confirmHolder({ confirm }: Holder): Promise<void> {
  if (confirm === undefined || (await confirm())) return
  // The next call gets the reason: by then the key is read again.
  throw comeBack('QUOTAS_UNAVAILABLE', new Error('the key has changed since it was read last'))
}

/**
 * When a limit is reached, the 429 says how to call sooner. If the operation has a price, the 429 carries it,
 * so that a wallet can pay instead.
 */
async function takeUnit(call: UploadCall, use: Use, doors: Doors): Promise<Admission> {
  try {
    return await doors.quotas.open({ ...use, requestBytes: () => bytesOf(call) })
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'RATE_LIMIT')) throw error
    const { priced } = call.operation
    if (!priced || doors.whyNotReady()) throw error.with({}, keyHint(call, doors.catalog()))
    throw error.with(priceHeaders(call, priced, doors.challenges), payHint)
  }
}

function bytesOf({ incoming }: UploadCall): number {
  return incoming?.collected()?.byteLength ?? incoming?.length ?? 0
}

const payHint =
  'To call now, pay for the call: its price is in the PAYMENT-REQUIRED header. Send the payment without a key.'

/** Names what raises the limit: a key of a tier that covers the operation, other than the caller's own. */
function keyHint({ endpoint, door }: UploadCall, { tiers }: Pick<Catalog, 'tiers'>): string | undefined {
  const own = door.kind === 'key' ? door.holder.tier : undefined
  const covering = Object.entries(tiers).flatMap(([name, { operations }]) =>
    operations[endpoint.id] && name !== own ? [name] : [],
  )
  if (covering.length === 0) return undefined
  const key = own === undefined ? 'An API key' : 'A key of another tier'
  return `${key} has its own limits: ${listed(covering)}. GET /pricing lists them.`
}

function priceHeaders(
  call: UploadCall,
  operation: PricedOperation,
  challenges: Challenges,
): Record<string, string> {
  const { headers } = challenges.unpaid(call, operation)
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'payment-required' || name === 'x-payment'),
  )
}

function claimPayment(
  { endpoint, incoming, principal, target, tool, body, client, verified, onLeave }: UploadCall,
  operation: PricedOperation,
  { payments }: Doors,
): Promise<DoorOutcome> {
  const { payment, idempotencyKey, signIn } = payerOf(principal)
  // An upstream answers HEAD without a body, so a stored reply to HEAD must not answer a GET.
  const { method } = incoming ?? endpoint
  const paid = {
    endpoint: { ...endpoint, method },
    operation,
    payment,
    idempotencyKey,
    signIn,
    target,
    tool,
    body,
    client: clientOf(client()),
    onLeave,
  }
  return payments.open(paid, verified)
}
