import { repeatFor } from '../attacker/pace.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Replies that come one byte after another. */
export const streams: readonly Case[] = [
  {
    name: 'one-byte-chunks',
    attack:
      'many open replies at the same time, each of which comes in chunks of one byte, a millisecond apart',
    prepare: (ground) => prepare(ground, 'type=text/plain&apart=1', ground.sizes.streams),
  },
  {
    name: 'one-byte-chunks-few',
    attack: 'the same with ten event streams: each byte comes as fast as the upstream can write',
    prepare: (ground) => prepare(ground, 'type=text/event-stream&apart=0', 10),
  },
]

async function prepare(ground: Ground, query: string, atOnce: number) {
  const { random, sizes } = ground
  const path = `${paths.drip}?${query}&bytes=${vary(random, 3_000)}`
  return async () => {
    await repeatFor(sizes.seconds, vary(random, atOnce), async () => {
      const connection = await openRaw(ground)
      connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 1)
      // A reply that takes longer than the whole attack is left.
      await connection.ended(sizes.seconds * 1_000)
      connection.close()
    })
    return []
  }
}
