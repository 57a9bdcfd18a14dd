import { createHttpClient } from '../attacker/http-client.ts'
import { repeatFor } from '../attacker/pace.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Replies that come one byte after another. */
export const streams: readonly Case[] = [
  {
    name: 'one-byte-chunks',
    attack: 'many open replies at the same time, each of which comes in chunks of one byte',
    prepare: (ground) => prepare(ground, `${paths.drip}?type=text/plain`, ground.sizes.streams),
  },
  {
    name: 'one-byte-chunks-few',
    attack: 'the same with ten replies: each byte comes as fast as the upstream can write',
    prepare: (ground) => prepare(ground, `${paths.drip}?type=text/event-stream`, 10),
  },
]

async function prepare(ground: Ground, path: string, atOnce: number) {
  const { random, sizes } = ground
  const client = createHttpClient(ground)
  const bytes = vary(random, 3_000)
  return async () => {
    await repeatFor(sizes.seconds, vary(random, atOnce), () =>
      client.call({ path: `${path}&bytes=${bytes}` }),
    )
    return []
  }
}
