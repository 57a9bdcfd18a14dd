import { createHttpClient } from '../attacker/http-client.ts'
import type { Shape } from '../attacker/json-bodies.ts'
import { repeatFor } from '../attacker/pace.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'
import type { encodings } from '../far-end/bombs.ts'
import { rawNames } from '../far-end/raw-replies.ts'

/** Replies of an upstream that are small on the wire and large in memory, or that are no HTTP at all. */

interface Bombing {
  readonly name: string
  readonly attack: string
  readonly path: string
  /** Inflated. */
  readonly bytes: number
  readonly shapes: readonly [Shape, ...Shape[]]
  readonly encoding: (typeof encodings)[number]
  readonly atOnce: number
}

const megabyte = 1_000_000
const bombings: readonly Bombing[] = [
  {
    name: 'items-gzip',
    attack: 'replies of some hundred kilobytes of gzip that become 9.8 MB of JSON, priced by items',
    path: paths.items,
    bytes: 9.8 * megabyte,
    shapes: ['empty-arrays', 'numbers', 'empty-objects'],
    encoding: 'gzip',
    atOnce: 2,
  },
  {
    name: 'items-gzip-everything',
    attack: 'the same where the path selects every value',
    path: paths.everything,
    bytes: 9.8 * megabyte,
    shapes: ['empty-arrays', 'many-names'],
    encoding: 'gzip',
    atOnce: 2,
  },
  {
    name: 'items-gzip-ratio',
    attack: 'replies of gzip that become 200 MB of JSON, priced by items',
    path: paths.items,
    bytes: 200 * megabyte,
    shapes: ['long-string', 'blanks'],
    encoding: 'gzip',
    atOnce: 2,
  },
  {
    name: 'items-gzip-twice',
    attack: 'replies of gzip within gzip that become 50 MB of JSON, priced by items',
    path: paths.items,
    bytes: 50 * megabyte,
    shapes: ['blanks'],
    encoding: 'gzip, gzip',
    atOnce: 4,
  },
  {
    name: 'items-brotli',
    attack: 'replies of brotli that become 9.8 MB of JSON, priced by items',
    path: paths.items,
    bytes: 9.8 * megabyte,
    shapes: ['empty-arrays', 'numbers'],
    encoding: 'br',
    atOnce: 4,
  },
  {
    name: 'items-zstd',
    attack: 'replies of zstd that become 9.8 MB of JSON, priced by items',
    path: paths.items,
    bytes: 9.8 * megabyte,
    shapes: ['nested-arrays', 'short-strings'],
    encoding: 'zstd',
    atOnce: 4,
  },
  {
    name: 'items-plain',
    attack: 'replies of 1.9 MB of JSON without compression, where the path selects every value',
    path: paths.everything,
    bytes: 1.9 * megabyte,
    shapes: ['empty-objects', 'empty-arrays', 'numbers'],
    encoding: 'identity',
    atOnce: 4,
  },
  {
    name: 'tokens-gzip',
    attack: 'replies of gzip that become 9.8 MB of JSON, priced by tokens',
    path: paths.words,
    bytes: 9.8 * megabyte,
    shapes: ['empty-arrays', 'many-names', 'short-strings'],
    encoding: 'gzip',
    atOnce: 2,
  },
]

export const replies: readonly Case[] = [
  ...bombings.map((one) => ({
    name: one.name,
    attack: one.attack,
    prepare: (ground: Ground) => prepareBombs(ground, one),
  })),
  {
    name: 'malformed-replies',
    attack: 'twenty connections call an upstream that writes everything but HTTP',
    async prepare(ground) {
      const { random, sizes } = ground
      const client = createHttpClient(ground)
      return async () => {
        await repeatFor(sizes.seconds, 20, () => {
          const name = rawNames[random.below(rawNames.length)] ?? 'no-http'
          const path = random.chance(0.5) ? `${paths.raw}/${name}` : `${paths.countedRaw}/${name}`
          return client.call({ path, patienceMs: 10_000 })
        })
        return []
      }
    },
  },
]

async function prepareBombs(ground: Ground, { path, bytes, shapes, encoding, atOnce }: Bombing) {
  const { random, sizes, farEnd } = ground
  const client = createHttpClient(ground)
  const targets = shapes.map((shape) => {
    const seed = `${random.below(1_000_000)}`
    const query = { shape, bytes: String(Math.min(bytes, vary(random, bytes))), encoding, seed }
    return `${path}?${new URLSearchParams(query)}`
  })
  // The far end compresses each once, before the attack.
  for (const target of targets) {
    const reply = await fetch(farEnd.url + target.slice('/far'.length), {
      headers: { 'accept-encoding': encoding },
    })
    await reply.body?.cancel()
  }
  return async () => {
    await repeatFor(sizes.seconds, atOnce, (n) =>
      client.call({ path: targets[n % targets.length] ?? path, patienceMs: 30_000 }),
    )
    return []
  }
}
