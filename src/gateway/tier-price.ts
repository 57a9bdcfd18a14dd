import { isDeepStrictEqual } from 'node:util'
import type { Stage } from '../core/call.ts'
import type { Operation, SoldOperation, TierOperation } from '../core/catalog/catalog.ts'
import type { Endpoint, OperatorOperation } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { Reply } from '../core/reply.ts'
import { parseBody } from './body.ts'
import type { IdentifiedCall } from './identify.ts'

/** A call whose price, if it has one, is known. */
export interface PricedCall extends Omit<IdentifiedCall, 'operation'> {
  readonly operation: Exclude<Operation, TierOperation> | OperatorOperation
}

/**
 * What a key costs depends on which one is asked for, so here, and only here, the body is looked at before the
 * price is told. All else passes as it is.
 */
export const priceTier: Stage<IdentifiedCall, PricedCall> = (call, next) => {
  const { operation } = call
  return operation.access === 'tier' ? sell(call, operation, next) : next({ ...call, operation })
}

async function sell(
  call: IdentifiedCall,
  operation: TierOperation,
  next: (call: PricedCall) => Promise<Reply>,
): Promise<Reply> {
  const { endpoint } = call
  const raw = await call.readBody()
  // Whoever only asks for a price sends nothing.
  const asked = raw.bytes.byteLength === 0 ? undefined : parseBody(raw, endpoint)
  const { offer } = await tierAsked(endpoint, asked, operation)
  return next({ ...call, operation: offer })
}

/**
 * @param body undefined or an empty object for whoever only wants to know what it would cost.
 * @throws GatewayError TIER_NOT_FOR_SALE, or what the endpoint finds wrong with the body: a price is told for
 *   nothing that would be refused once it is paid for.
 */
export async function tierAsked(
  endpoint: Endpoint,
  body: unknown,
  { offers }: TierOperation,
): Promise<{ readonly name: string; readonly offer: SoldOperation }> {
  if (!endpoint.tierOf) throw new Error(`${endpoint.id} sells no tier`)
  const asked = body ?? {}
  if (!isDeepStrictEqual(asked, {})) endpoint.prepare({ body: asked })
  const name = await endpoint.tierOf(asked)
  const offer = Object.hasOwn(offers, name) ? offers[name] : undefined
  if (!offer) throw new GatewayError('TIER_NOT_FOR_SALE', { tier: name, for_sale: Object.keys(offers) })
  return { name, offer }
}
