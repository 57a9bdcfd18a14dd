import { createHttpClient } from '../attacker/http-client.ts'
import { requestOf, type Shape, shapes } from '../attacker/json-bodies.ts'
import { repeatFor } from '../attacker/pace.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Large JSON that the gateway looks into before anyone has paid. */

/** A body that is read to find its price may have a million bytes. */
const pricedBytes = 990_000
const json = { 'content-type': 'application/json' }
/** Different bodies of one case. */
const bodies = 6

export const jsonBodies: readonly Case[] = [
  ...shapes.map((shape) => ({
    name: `tokens-${shape}`,
    attack: `two connections send large JSON (${shape}) to a route priced by tokens, whose upstream refuses it`,
    prepare: (ground: Ground) =>
      prepare(ground, [shape], {
        bytes: ground.sizes.bodyBytes,
        atOnce: 2,
        path: `${paths.model}?answer=400`,
      }),
  })),
  {
    name: 'tokens-served',
    attack:
      'ten connections send large JSON of all shapes to a route priced by tokens, whose upstream serves it',
    prepare: (ground) =>
      prepare(ground, shapes, {
        bytes: ground.sizes.bodyBytes,
        atOnce: 10,
        path: `${paths.model}?answer=200`,
      }),
  },
  ...[2, 10, 50].map((atOnce) => ({
    name: `unpaid-bodies-${atOnce}`,
    attack: `${atOnce} connections send JSON of just under 1 MB to a price per request, and pay nothing`,
    prepare: (ground: Ground) => prepare(ground, shapes, { bytes: pricedBytes, atOnce, path: paths.draw }),
  })),
  {
    name: 'items-bodies',
    attack: 'ten connections send large JSON of all shapes to a route priced by the items of its reply',
    prepare: (ground) =>
      prepare(ground, shapes, {
        bytes: ground.sizes.bodyBytes,
        atOnce: 10,
        path: `${paths.items}?bytes=100`,
      }),
  },
  {
    name: 'own-bodies',
    attack: 'ten connections send large JSON of all shapes to operations of the gateway’s own',
    prepare: (ground) => prepare(ground, shapes, { bytes: 90_000, atOnce: 10, path: '/api/insights/scan' }),
  },
]

async function prepare(
  ground: Ground,
  chosen: readonly Shape[],
  { bytes, atOnce, path }: { readonly bytes: number; readonly atOnce: number; readonly path: string },
) {
  const { random, sizes } = ground
  const client = createHttpClient(ground)
  // Under the limit in any case: what is refused for its length costs nothing.
  const made = Array.from({ length: Math.max(bodies, chosen.length) }, (_, n) =>
    Buffer.from(
      requestOf(chosen[n % chosen.length] ?? 'numbers', Math.min(bytes, vary(random, bytes)) * 0.98, random),
    ),
  ).filter((body) => body.byteLength <= bytes * 1.01)
  return async () => {
    await repeatFor(sizes.seconds, atOnce, (n) =>
      client.call({
        method: 'POST',
        path,
        headers: json,
        body: made[n % made.length] ?? '{}',
        patienceMs: 30_000,
      }),
    )
    return []
  }
}
