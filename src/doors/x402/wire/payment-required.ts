import { failedCallText } from '../../../core/catalog/failed-call.ts'
import type { PricedOperation } from '../../../core/catalog/priced-operation.ts'
import type { Meter } from '../../../core/catalog/prices.ts'
import { type ErrorCode, errorKind } from '../../../core/errors.ts'
import { json, type Reply } from '../../../core/reply.ts'
import type { Network } from '../../../platform/chain/networks.ts'
import type { ServiceMetadata } from './discovery.ts'
import type { Extensions } from './extensions.ts'
import type { ResourceDescription } from './resource.ts'
import type { Refusal, Requirement } from './types.ts'

/**
 * Makes a 402. One reply serves three kinds of clients: x402 v2 reads the PAYMENT-REQUIRED header, v1 reads
 * the body's `accepts`, and the service specification's clients read the error body and X-Payment. A v1
 * client rejects the whole reply for one entry that it does not know, so the body lists only what v1 has:
 * scheme `exact`, v1's network name, and an absolute resource address.
 */
export function paymentRequired({
  operation,
  network,
  resourceUrl,
  service,
  schemaV1,
  accepts,
  exact,
  extensions,
  replay,
  code,
  refusal,
  remark,
}: Terms & Occasion): Reply {
  const { meter, price, whyMaximum } = operation
  const failedCalls = failedCallText(operation)
  const { status, error, message: usual } = errorKind(code)
  const message = code === 'PAYMENT_INVALID' && isUsedUp(refusal) ? usedUp : usual
  const isDear = BigInt(exact.amount) > usualLimit
  const resource = describeResource(operation, resourceUrl)
  const required = {
    x402Version: 2,
    error: refusal?.reason ?? 'A payment is required',
    resource: { ...resource, ...service },
    accepts,
    extensions,
  }
  const body = {
    error,
    message: [message, ...(remark ? [remark.hint] : []), ...(isDear ? [raiseLimit] : [])].join(' '),
    code,
    details: {
      price,
      ...(whyMaximum === undefined ? {} : { why_maximum: whyMaximum }),
      ...(meter ? { metered: metered(meter) } : {}),
      asset: 'USDC',
      network: network.name,
      payTo: exact.payTo,
      replay,
      ...(failedCalls === undefined ? {} : { failedCalls }),
      ...(refusal ? described(refusal) : {}),
      ...remark?.details,
    },
    x402Version: 1,
    accepts: [v1Requirement(exact, network, resource, schemaV1)],
  }
  const max = meter ? `, max="${meter.max}"` : ''
  return json(status, body, {
    'payment-required': Buffer.from(JSON.stringify(required)).toString('base64'),
    'x-payment': `scheme="exact", network="${network.name}", asset="USDC", amount="${exact.amount}", price="${price}"${max}`,
    // A shared cache that kept a 402 would ask for money that was paid already.
    'cache-control': 'no-store',
    ...(refusal?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  })
}

function described({ reason, message, retryAfterSeconds, gas }: Refusal) {
  return {
    reason,
    problem: message,
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    ...(gas ? { gas: { needed: Number(gas.needed), most: Number(gas.most) } } : {}),
  }
}

/**
 * Another program may have carried the payment out, so the money may have come in without this gateway
 * knowing of it.
 */
const usedUp =
  'The payment was not accepted: this authorization was already used or canceled on the chain. If your money moved to details.payTo, do not pay again: ask the operator, and name the transaction that moved it. Otherwise sign a new payment for one of the accepted requirements and repeat the request.'

function isUsedUp(refusal: Refusal | undefined): boolean {
  return refusal?.reason === 'invalid_transaction_state' || refusal?.reason === 'permit2_invalid_nonce'
}

/** Above 1.00 USDC, in atomic units, many clients refuse to pay unless told otherwise. */
const usualLimit = 1_000_000n
const raiseLimit =
  'Many clients pay at most 1.00 USDC: raise the limit of yours, such as spendControls in @x402/fetch.'

/** What a 402 offers, for whatever reason it is given. */
export interface Terms {
  readonly operation: PricedOperation
  readonly network: Network
  readonly resourceUrl: string
  readonly service?: ServiceMetadata | undefined
  /** How the operation is called and what it replies, as version 1 says it. */
  readonly schemaV1?: object | undefined
  /** The ways to pay for the call. */
  readonly accepts: readonly Requirement[]
  /** The one that clients of every version know. */
  readonly exact: Requirement
  readonly extensions: Extensions
  /** Who gets the reply again, in sentences. */
  readonly replay: string
}

/** Why a 402 is given. */
interface Occasion {
  readonly code: ErrorCode
  /** Set when a payment came and was refused. */
  readonly refusal: Refusal | undefined
  readonly remark?: Remark | undefined
}

/** What the caller should know besides the price. */
export interface Remark {
  /** A sentence for the message. */
  readonly hint: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** How a metered call is priced; `price` itself is its maximum. */
function metered({ per, units, base, input, output, max }: Meter) {
  return { per, units, base, input, output, max }
}

/** What is sold, as catalogs and clients read it. */
export function describeResource(
  { description }: Pick<PricedOperation, 'description'>,
  url: string,
): Resource {
  return { url, description, mimeType: 'application/json' }
}

type Resource = Pick<ResourceDescription, 'url' | 'description' | 'mimeType'>

function v1Requirement(
  requirement: Requirement,
  network: Network,
  resource: Resource,
  outputSchema: object | undefined,
) {
  return {
    scheme: requirement.scheme,
    network: network.name,
    maxAmountRequired: requirement.amount,
    resource: resource.url,
    description: resource.description,
    mimeType: resource.mimeType,
    ...(outputSchema && { outputSchema }),
    payTo: requirement.payTo,
    maxTimeoutSeconds: requirement.maxTimeoutSeconds,
    asset: requirement.asset,
    extra: requirement.extra,
  }
}
