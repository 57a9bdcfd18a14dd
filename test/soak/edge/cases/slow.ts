import { setTimeout as pause } from 'node:timers/promises'
import { repeatFor } from '../attacker/pace.ts'
import { openRaw, type RawConnection } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Callers who take their time, or say nothing at all. */

/** One address has no more ports than this to spare. */
const ofOneAddress = 500
/** Connections that are opened at the same time: more would only wait in the kernel's queue. */
const opening = 200

export const slow: readonly Case[] = [
  {
    name: 'idle-connections',
    attack: 'ten thousand connections that send nothing',
    prepare: async (ground) => async () => {
      const open = await openMany(ground, vary(ground.random, ground.sizes.idle))
      await hold(ground, open)
      return []
    },
  },
  {
    name: 'half-heads',
    attack: 'two thousand connections send their request’s head a byte at a time and never end it',
    prepare: async (ground) => async () => {
      const open = await openMany(ground, vary(ground.random, ground.sizes.idle / 5))
      for (const connection of open) connection.send('POST /far/work HTTP/1.1\r\nHost: a\r\nX-Slow: ', 1)
      await hold(ground, open, 'a')
      return []
    },
  },
  {
    name: 'slow-bodies',
    attack:
      'a thousand connections announce large bodies to routes of every price and send a byte now and then',
    prepare: async (ground) => async () => {
      const { random } = ground
      const open = await openMany(ground, vary(random, ground.sizes.idle / 10))
      for (const connection of open) {
        const path = random.pick([paths.work, paths.draw, paths.model, paths.items, '/api/analyze'])
        connection.send(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${900_000 + random.below(90_000)}\r\n\r\n{"a":[`,
          1,
        )
      }
      await hold(ground, open, '1,')
      return []
    },
  },
  {
    name: 'one-byte-bodies',
    attack: 'connections send bodies of our own operations, and of others, in chunks of one byte each',
    prepare: async (ground) => async () => {
      const { random, sizes } = ground
      const body = `${'1\r\n7\r\n'.repeat(15_000)}0\r\n\r\n`
      await repeatFor(sizes.seconds, vary(random, 20), async () => {
        const connection = await openRaw(ground)
        const path = random.pick(['/api/insights/scan', paths.model, paths.items, paths.draw])
        const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`
        connection.send(`${head}Connection: close\r\n\r\n${body}`, 1)
        await connection.replies(1, 10_000)
        connection.close()
      })
      return []
    },
  },
  {
    name: 'half-requests',
    attack: 'connections are opened, send half a request and are broken off, again and again',
    prepare: async (ground) => async () => {
      const { random, sizes } = ground
      const deadline = performance.now() + sizes.seconds * 1_000
      while (performance.now() < deadline) {
        const open = await openMany(ground, vary(random, sizes.connections))
        for (const connection of open) {
          const whole = `POST ${random.pick([paths.model, paths.draw])} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"n":`
          connection.send(whole.slice(0, 1 + random.below(whole.length)), 1)
        }
        await pause(10)
        for (const connection of open) connection.close()
      }
      return []
    },
  },
]

async function openMany(ground: Ground, times: number): Promise<readonly RawConnection[]> {
  const open: RawConnection[] = []
  while (open.length < times) {
    const some = Array.from({ length: Math.min(opening, times - open.length) }, (_, n) =>
      openRaw(ground, { from: ground.addressOf(Math.floor((open.length + n) / ofOneAddress)) }),
    )
    open.push(...(await Promise.all(some)))
  }
  return open
}

/** Holds the connections, and sends a piece on some of them every few milliseconds. */
async function hold(
  { sizes, random }: Ground,
  open: readonly RawConnection[],
  piece?: string,
): Promise<void> {
  const deadline = performance.now() + sizes.seconds * 1_000
  while (performance.now() < deadline) {
    await pause(20)
    if (piece) for (let n = 0; n < 20; n += 1) open[random.below(open.length)]?.send(piece)
  }
  for (const connection of open) connection.close()
}
