import { isDeepStrictEqual } from 'node:util'
import type { SoldOperation, TierOperation } from '../core/catalog/catalog.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { GatewayError } from '../core/errors.ts'
import type { HeldCall } from './bodies/hold-bodies.ts'
import { parseBody } from './body.ts'

/**
 * Reads the body to learn which tier a key is bought for.
 * @throws GatewayError as `findOffer` does, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export async function priceByTier(
  { endpoint, readBody, room }: HeldCall,
  operation: TierOperation,
): Promise<SoldOperation> {
  const raw = await readBody(room)
  // A caller who only asks for the price sends no body.
  const body = raw.bytes.byteLength === 0 ? undefined : parseBody(raw, endpoint)
  const { offer } = await findOffer(endpoint, body, operation)
  return offer
}

/**
 * Finds the offer of the tier that a body asks for.
 * @param body undefined or an empty object for a caller who only asks for the price.
 * @throws GatewayError TIER_NOT_FOR_SALE, or the endpoint's errors for a faulty body: a caller must not learn
 *   the price of a request that is refused once it is paid.
 */
export async function findOffer(
  endpoint: Endpoint,
  body: unknown,
  { offers }: TierOperation,
): Promise<{ readonly tier: string; readonly offer: SoldOperation }> {
  if (!endpoint.tierOf) throw new Error(`the endpoint ${endpoint.id} sells no tier`)
  const wanted = body ?? {}
  if (!isDeepStrictEqual(wanted, {})) endpoint.prepare({ body: wanted })
  const tier = await endpoint.tierOf(wanted)
  const offer = Object.hasOwn(offers, tier) ? offers[tier] : undefined
  if (!offer) throw new GatewayError('TIER_NOT_FOR_SALE', { tier, for_sale: Object.keys(offers) })
  return { tier, offer }
}
