import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { Call } from '../../core/call.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { PricedOperation } from '../../core/catalog/priced-operation.ts'
import { type Endpoint, noBody } from '../../core/endpoint.ts'
import { errorKind, GatewayError } from '../../core/errors.ts'
import type { Explanation, Question } from '../../core/explanation.ts'
import { formatUsdc, parseUsdc } from '../../core/money.ts'
import type { QuotaDoor, Standing } from '../../doors/quota/door.ts'
import { reserved, type Use } from '../../doors/quota/use.ts'
import { refuseSaleInDryRun } from '../../doors/x402/door/dry-run.ts'
import { unavailable } from '../../doors/x402/door/payment-errors.ts'
import { PaymentsUnavailable } from '../../doors/x402/wire/facilitator.ts'
import { type FindRelay, findEndpoint, type Found as Place } from '../find-endpoint.ts'
import { type Credentials, type Principal, recognize } from '../identify.ts'
import { type Caller, decide } from '../policy.ts'
import { pricedAt, requestPrice } from '../price.ts'
import { type PricedCall, tierAsked } from '../tier-price.ts'
import { freeUse, keyUse } from '../use.ts'
import { balanceReason, doorReason, fullReason, preflightReason, refusalReason } from './reasons.ts'

export interface ExplainParts {
  readonly endpoints: () => readonly Endpoint[]
  /** Finds what leads to an upstream; undefined for all that does not. */
  readonly findRelay: FindRelay
  readonly catalog: () => Catalog
  readonly credentials: Credentials
  readonly quotas: Pick<QuotaDoor, 'look'>
  /** What a wallet holds, in atomic units. */
  readonly balanceOf: (payer: `0x${string}`) => Promise<bigint>
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  readonly isDryRun: boolean
}

/** @param operatorToken of whoever asks: it opens what is the operator's, whatever else is asked about. */
export type Explain = (question: Question, operatorToken: string | undefined) => Promise<Explanation>

/**
 * Tells what a call would meet, by the functions that decide for one that is made: `recognize`, `decide`, the price
 * of a tier, the check of the input and what would be used up. Nothing is run, and nothing is taken.
 */
export function createExplain(parts: ExplainParts): Explain {
  const { endpoints, findRelay, catalog, credentials, quotas, balanceOf, whyNotReady, isDryRun } = parts

  /** As `http/routes` looks: what an upstream's prefix covers is none of ours. */
  function locate(method: string, target: string): Place | undefined {
    const found = findRelay({ method, target, host: undefined })
    return found?.kind === 'routed' ? { ...found, kind: 'endpoint' } : found
  }

  async function explain(question: Question, operatorToken: string | undefined): Promise<Explanation> {
    const { method, path } = question
    const [pathname = '', query = ''] = path.split(/\?(.*)/s)
    return orRefused({ method, path }, async () => {
      const found = locate(method, path) ?? findEndpoint(endpoints(), method, pathname)
      if (found.kind === 'preflight') {
        return { method, path, door: 'open', status: 204, why: preflightReason, limits: [] }
      }
      const { endpoint, params } = found
      const operation = endpoint.operation ?? catalog().operations[endpoint.id]
      if (!operation) throw new GatewayError('NOT_FOUND')
      const about = { method, path, operation: endpoint.id, access: operation.access }
      const call = { endpoint, operation, params, query: parse(query), body: question.body }
      return orRefused(about, () => atTheDoor(about, call, question, operatorToken))
    })
  }

  async function atTheDoor(
    about: About,
    call: PlannedCall,
    question: Question,
    operatorToken: string | undefined,
  ): Promise<Explanation> {
    const principal = await recognize(credentials, operatorToken)(call.operation.access, headersOf(question))
    const { tiers } = catalog()
    const { operation, tier } = await withPrice(call)
    const { id } = call.endpoint
    const door = decide(id, operation, callerOf(principal, question.payer), tiers)
    const known: About = {
      ...about,
      ...(tier !== undefined && { tier }),
      ...holderOf(principal),
      door: door.kind,
    }

    return orRefused(known, async () => {
      if (door.kind === 'refuse') throw new GatewayError(door.code, door.details)
      const isHolder = principal.kind === 'holder'
      const found: Found = { ...known, why: doorReason(door, call, question, { isHolder, isDryRun }) }
      if (door.kind === 'challenge') {
        checkReady()
        const asked = { ...found, ...priceOf(door.operation) }
        return { ...asked, door: 'challenge', status: 402, code: 'PAYMENT_REQUIRED', limits: [] }
      }
      checkInput(call)
      switch (door.kind) {
        case 'open':
          return { ...found, door: 'open', status: 200, limits: [] }
        case 'payment':
          return paid(found, door.operation, call.endpoint, question.payer)
        case 'free': {
          const use = freeUse(id, door, question.client ?? '')
          const limits = question.client === undefined ? uncounted(use) : await quotas.look(use)
          return counted({ ...found, door: 'free' }, limits, operation)
        }
        case 'key': {
          const limits = await quotas.look(keyUse(id, door, operation.priced?.meter))
          return counted({ ...found, door: 'key' }, limits, operation)
        }
      }
    })
  }

  async function paid(
    found: Found,
    operation: PricedOperation,
    endpoint: Endpoint,
    payer: Question['payer'],
  ): Promise<Explanation> {
    if (payer === undefined) throw new Error('the payment door was chosen for a call without payer')
    if (isDryRun) refuseSaleInDryRun(endpoint)
    checkReady()
    const balance = await balanceOf(payer).catch((cause: unknown) => {
      throw unavailable(new PaymentsUnavailable('the chain cannot be asked what the wallet holds', { cause }))
    })
    const price = parseUsdc(operation.price)
    const calls = balance / price
    const wallet = {
      address: payer,
      balance: formatUsdc(balance),
      balanceAtomic: balance.toString(),
      calls: Number(calls < maxTold ? calls : maxTold),
    }
    const asked = { ...found, ...priceOf(operation), door: 'payment' as const, limits: [], wallet }
    if (calls > 0n) return { ...asked, status: 200 }
    const details = { reason: 'insufficient_funds' }
    return {
      ...asked,
      status: 402,
      code: 'PAYMENT_INVALID',
      details,
      why: balanceReason(wallet.balance, operation.price),
    }
  }

  /** A full limit is what a call is refused for; where the operation has a price, a payment opens it all the same. */
  function counted(
    found: Found & { readonly door: 'free' | 'key' },
    standings: readonly Standing[],
    operation: PricedCall['operation'],
  ): Explanation {
    const limits = standings.map(limitOf)
    const full = standings.filter(({ limit, used, units }) => used !== undefined && limit - used < units)
    if (full.length === 0) return { ...found, status: 200, limits }
    const { priced } = operation
    const offered = priced && !whyNotReady() ? priced : undefined
    return {
      ...found,
      ...(offered && priceOf(offered)),
      status: 429,
      code: 'RATE_LIMIT',
      limits,
      why: fullReason(found.door, full, offered?.price),
    }
  }

  function checkReady(): void {
    const reason = whyNotReady()
    if (reason) throw unavailable(new PaymentsUnavailable(reason))
  }

  return explain
}

/** What is known of a call so far. */
type About = Pick<Explanation, 'method' | 'path'> & Partial<Explanation>
type Found = Omit<About, 'why'> & Pick<Explanation, 'why'>

interface PlannedCall extends Pick<Call, 'endpoint' | 'operation' | 'params'> {
  readonly query: ParsedUrlQuery
  readonly body: unknown
}

const maxTold = BigInt(Number.MAX_SAFE_INTEGER)

/** What would be thrown at the call is what is told of it. */
async function orRefused(about: About, work: () => Promise<Explanation>): Promise<Explanation> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { code, details } = error
    const told = Object.keys(details).length > 0 ? { details } : {}
    const { status } = errorKind(code)
    return {
      door: 'refuse',
      limits: [],
      ...about,
      status,
      code,
      ...told,
      why: refusalReason(error, about.method),
    }
  }
}

/** The question as a caller would put it, so that `recognize` reads what it reads of every call. */
function headersOf({ key, token }: Question): Call['header'] {
  const sent: Readonly<Record<string, readonly string[]>> = {
    ...(key !== undefined && { 'x-mcp-api-key': [key] }),
    ...(token !== undefined && { authorization: [`Bearer ${token}`] }),
  }
  return (name) => sent[name]
}

/** Somebody with a wallet is taken to send a payment that fits. */
function callerOf(principal: Principal, payer: Question['payer']): Caller {
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

async function withPrice({
  endpoint,
  operation,
  params,
  query,
  body,
}: PlannedCall): Promise<{ readonly operation: PricedCall['operation']; readonly tier?: string }> {
  if (operation.access === 'price' || operation.access === 'optional') {
    const price = operation.priced?.expression
    if (!price) return { operation }
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    return {
      operation: pricedAt(operation, requestPrice(price, { query, params, body: bytes, headers: {} })),
    }
  }
  if (operation.access !== 'tier') return { operation }
  const { name, offer } = await tierAsked(endpoint, body, operation)
  return { operation: offer, tier: name }
}

/** Without a body one is thought of that fits. */
function checkInput({ endpoint, params, query, body }: PlannedCall): void {
  if (endpoint.method === 'GET' || endpoint.body === noBody) endpoint.prepare({ params, query })
  else if (body !== undefined) endpoint.prepare({ params, query, body })
}

function priceOf({ price }: PricedOperation): Pick<Explanation, 'price' | 'priceAtomic'> {
  const atomic = parseUsdc(price)
  return { price: formatUsdc(atomic), priceAtomic: atomic.toString() }
}

/** The limits of a caller whom nobody named. */
function uncounted({ rate, allowances, meter }: Use): Standing[] {
  const unknown = { used: undefined, resetsAtMs: undefined }
  const quotas = allowances.map(({ per, limit, unit }) => {
    return { name: per, unit, units: reserved(unit, meter), limit, ...unknown }
  })
  return rate ? [{ name: 'rate', unit: 'calls', units: 1, limit: rate.calls, ...unknown }, ...quotas] : quotas
}

function limitOf({ name, unit, limit, used, resetsAtMs }: Standing): Explanation['limits'][number] {
  return {
    name,
    ...(unit !== 'calls' && { unit }),
    limit,
    ...(used !== undefined && { used, remaining: Math.max(limit - used, 0) }),
    ...(resetsAtMs !== undefined && { resetsAt: Math.ceil(resetsAtMs / 1000) }),
  }
}
