import type { Call } from '../../core/call.ts'
import type { PricedOperation } from '../../core/catalog/priced-operation.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { errorKind, GatewayError } from '../../core/errors.ts'
import type { ExplainRequest, Explanation } from '../../core/explanation.ts'
import { formatUsdc, parseUsdc } from '../../core/money.ts'
import type { QuotaDoor, Standing } from '../../doors/quota/door.ts'
import { refuseSaleInDryRun } from '../../doors/x402/door/dry-run.ts'
import { unavailable } from '../../doors/x402/door/payment-errors.ts'
import { PaymentsUnavailable } from '../../doors/x402/wire/facilitator.ts'
import { type Caller, type Door, decide } from '../policy.ts'
import type { PricedCall } from '../price.ts'
import { type Credentials, findPrincipal, type Principal } from '../principal.ts'
import { freeUse, keyUse } from '../use.ts'
import { isFull, limitsOfAnyone, showLimit } from './limits.ts'
import { checkPlanned, type PlannedCall, type PlanParts, planCall, pricePlanned } from './planned-call.ts'
import { balanceReason, doorReason, fullReason, preflightReason, refusalReason } from './reasons.ts'

export interface ExplainParts extends PlanParts {
  readonly credentials: Credentials
  readonly quotas: Pick<QuotaDoor, 'look'>
  /** The balance of a wallet, in atomic units. */
  readonly balanceOf: (payer: `0x${string}`) => Promise<bigint>
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  readonly isDryRun: boolean
}

/** @param operatorToken of the operator who asks: the explained call may be one to an operator's endpoint. */
export type Explain = (request: ExplainRequest, operatorToken: string | undefined) => Promise<Explanation>

/**
 * Explains what would happen to a call. It uses the functions that decide for real calls, so the two cannot
 * disagree: `findPrincipal`, `decide`, the prices, the input check and the quota that would be used. It runs
 * and takes nothing.
 */
export function createExplain(parts: ExplainParts): Explain {
  return (request, operatorToken) => explain(parts, request, operatorToken)
}

/** The part of the explanation that is known so far. */
type Known = Pick<Explanation, 'method' | 'path'> & Partial<Explanation>
type KnownDoor = Omit<Known, 'why'> & Pick<Explanation, 'why'>

async function explain(
  parts: ExplainParts,
  request: ExplainRequest,
  operatorToken: string | undefined,
): Promise<Explanation> {
  const { method, path } = request
  return orRefused({ method, path }, async () => {
    const call = planCall(parts, request)
    if (!call) return { method, path, door: 'open', status: 204, why: preflightReason, limits: [] }
    const known = { method, path, operation: call.endpoint.id, access: call.operation.access }
    return orRefused(known, () => explainCall(parts, known, call, request, operatorToken))
  })
}

async function explainCall(
  parts: ExplainParts,
  known: Known,
  call: PlannedCall,
  request: ExplainRequest,
  operatorToken: string | undefined,
): Promise<Explanation> {
  const { access } = call.operation
  const principal = await findPrincipal(access, headersOf(request), parts.credentials, operatorToken)
  const { tiers } = parts.catalog()
  const { operation, tier } = await pricePlanned(call, principal.kind === 'holder')
  const door = decide(call.endpoint.id, operation, callerOf(principal, request.payer), tiers)
  const decided: Known = {
    ...known,
    ...(tier !== undefined && { tier }),
    ...holderOf(principal),
    door: door.kind,
  }
  return orRefused(decided, async () => {
    if (door.kind === 'refuse') throw new GatewayError(door.code, door.details)
    const context = { isHolder: principal.kind === 'holder', isDryRun: parts.isDryRun }
    const why = doorReason(door, call, request, context)
    return explainDoor(parts, { ...decided, why }, door, { ...call, operation }, request)
  })
}

async function explainDoor(
  parts: ExplainParts,
  known: KnownDoor,
  door: Exclude<Door, { kind: 'refuse' }>,
  call: PlannedCall & Pick<PricedCall, 'operation'>,
  request: ExplainRequest,
): Promise<Explanation> {
  const { endpoint, operation } = call
  // A 402 is sent before the input is checked.
  if (door.kind !== 'challenge') checkPlanned(call)
  switch (door.kind) {
    case 'challenge': {
      checkReady(parts)
      const priced = { ...known, ...showPrice(door.operation) }
      return { ...priced, door: 'challenge', status: 402, code: 'PAYMENT_REQUIRED', limits: [] }
    }
    case 'open':
      return { ...known, door: 'open', status: 200, limits: [] }
    case 'payment':
      return explainPayment(parts, known, door.operation, endpoint, request.payer)
    case 'free': {
      const use = freeUse(endpoint.id, door, request.client ?? '')
      const standings = request.client === undefined ? limitsOfAnyone(use) : await parts.quotas.look(use)
      return explainLimits(parts, { ...known, door: 'free' }, standings, operation)
    }
    case 'key': {
      const standings = await parts.quotas.look(keyUse(endpoint.id, door, operation.priced?.meter))
      return explainLimits(parts, { ...known, door: 'key' }, standings, operation)
    }
  }
}

async function explainPayment(
  parts: ExplainParts,
  known: KnownDoor,
  operation: PricedOperation,
  endpoint: Endpoint,
  payer: ExplainRequest['payer'],
): Promise<Explanation> {
  if (payer === undefined) throw new Error('a call without a payer came to the payment door')
  if (parts.isDryRun) refuseSaleInDryRun(endpoint)
  checkReady(parts)
  const balance = await parts.balanceOf(payer).catch((cause: unknown) => {
    throw unavailable(new PaymentsUnavailable('the chain does not answer with the balance', { cause }))
  })
  const calls = balance / parseUsdc(operation.price)
  const wallet = {
    address: payer,
    balance: formatUsdc(balance),
    balanceAtomic: balance.toString(),
    calls: Number(calls < maxCalls ? calls : maxCalls),
  }
  const priced = { ...known, ...showPrice(operation), door: 'payment' as const, limits: [], wallet }
  if (calls > 0n) return { ...priced, status: 200 }
  return {
    ...priced,
    status: 402,
    code: 'PAYMENT_INVALID',
    details: { reason: 'insufficient_funds' },
    why: balanceReason(wallet.balance, operation.price),
  }
}

const maxCalls = BigInt(Number.MAX_SAFE_INTEGER)

/** A full limit refuses the call; if the operation has a price, a payment still lets it pass. */
function explainLimits(
  { whyNotReady }: ExplainParts,
  known: KnownDoor & { readonly door: 'free' | 'key' },
  standings: readonly Standing[],
  operation: PricedCall['operation'],
): Explanation {
  const limits = standings.map(showLimit)
  const full = standings.filter(isFull)
  if (full.length === 0) return { ...known, status: 200, limits }
  const { priced } = operation
  const offered = priced && !whyNotReady() ? priced : undefined
  return {
    ...known,
    ...(offered && showPrice(offered)),
    status: 429,
    code: 'RATE_LIMIT',
    limits,
    why: fullReason(known.door, full, offered?.price),
  }
}

/** Turns an error that the call would get into an explanation. */
async function orRefused(known: Known, work: () => Promise<Explanation>): Promise<Explanation> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { code, details } = error
    return {
      door: 'refuse',
      limits: [],
      ...known,
      status: errorKind(code).status,
      code,
      ...(Object.keys(details).length > 0 && { details }),
      why: refusalReason(error, known.method),
    }
  }
}

function checkReady({ whyNotReady }: ExplainParts): void {
  const reason = whyNotReady()
  if (reason) throw unavailable(new PaymentsUnavailable(reason))
}

/**
 * The headers that the caller would send, so that `findPrincipal` reads them as it reads those of a real
 * call.
 */
function headersOf({ key, token }: ExplainRequest): Call['header'] {
  const sent: Readonly<Record<string, readonly string[]>> = {
    ...(key !== undefined && { 'x-mcp-api-key': [key] }),
    ...(token !== undefined && { authorization: [`Bearer ${token}`] }),
  }
  return (name) => sent[name]
}

/** A caller with a wallet is assumed to send a payment that fits. */
function callerOf(principal: Principal, payer: ExplainRequest['payer']): Caller {
  if (payer === undefined) return principal
  const payment = { kind: 'payer' } as const
  if (principal.kind === 'holder') return { ...principal, payment }
  return principal.kind === 'anonymous' ? payment : principal
}

function holderOf(principal: Principal): Pick<Explanation, 'tier' | 'keyId'> {
  if (principal.kind !== 'holder') return {}
  const { tier, keyId } = principal.holder
  return { tier, ...(keyId !== undefined && { keyId }) }
}

function showPrice({ price }: PricedOperation): Pick<Explanation, 'price' | 'priceAtomic'> {
  const atomic = parseUsdc(price)
  return { price: formatUsdc(atomic), priceAtomic: atomic.toString() }
}
