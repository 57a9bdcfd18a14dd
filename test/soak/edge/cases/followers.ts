import { z } from 'zod'
import { createHttpClient } from '../attacker/http-client.ts'
import { openRaw, type RawConnection } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'

/** Many followers of one scan: each of its events goes to all of them. */

/** One address may have so many streams open. */
const ofOneAddress = 20
/** How long the site takes for each reply, so that the events come one after the other. */
const siteMs = 120
const started = z.object({ scanId: z.string() })
/** A scan with all its retries takes less. */
const patienceMs = 60_000

export const followers: readonly Case[] = [
  {
    name: 'followers',
    attack: 'a thousand streams follow one scan while its events happen',
    async prepare(ground) {
      const scanId = await startHeldScan(ground)
      const open = await follow(ground, scanId)
      return async () => {
        await letGo(ground)
        // After the last event.
        await Promise.all(open.map((connection) => connection.ended(patienceMs)))
        return missed(ground, open)
      }
    },
  },
  {
    name: 'followers-arriving',
    attack: 'a thousand streams of one scan are opened at once, again and again, while its events happen',
    async prepare(ground) {
      const scanId = await startHeldScan(ground)
      return async () => {
        await letGo(ground)
        const deadline = performance.now() + ground.sizes.seconds * 1_000
        while (performance.now() < deadline)
          for (const connection of await follow(ground, scanId)) connection.close()
        return []
      }
    },
  },
]

/** Starts a scan that waits for the first reply of its website. */
async function startHeldScan(ground: Ground): Promise<string> {
  const { farEnd } = ground
  await fetch(`${farEnd.siteUrl}/told/hold?ms=${vary(ground.random, siteMs)}`)
  const { text } = await createHttpClient(ground).call({
    method: 'POST',
    path: '/api/insights/scan',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://${farEnd.siteName}/`, scanType: 'full' }),
    from: ground.addressOf(5_000),
  })
  return started.parse(JSON.parse(text)).scanId
}

async function letGo({ farEnd }: Ground): Promise<void> {
  await fetch(`${farEnd.siteUrl}/told/go`)
}

/** Opens the streams, and waits until each has begun. */
async function follow(ground: Ground, scanId: string): Promise<readonly RawConnection[]> {
  const times = vary(ground.random, ground.sizes.followers)
  const request = `GET /api/insights/scan/${scanId}/stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  return Promise.all(
    Array.from({ length: times }, async (_, n) => {
      const connection = await openRaw(ground, { from: ground.addressOf(Math.floor(n / ofOneAddress)) })
      connection.send(request, 1)
      await connection.replies(1, patienceMs)
      return connection
    }),
  )
}

function missed({ tally }: Ground, open: readonly RawConnection[]): readonly string[] {
  const { answers } = tally.figures()
  const served = answers['200'] ?? 0
  // All get the same events, and each numbers them.
  const most = Math.max(...open.map(({ receivedBytes }) => receivedBytes))
  const short = open.filter(({ receivedBytes }) => receivedBytes < most * 0.9).length
  const refused = open.length - (served - 1)
  return [
    ...(refused > 0 ? [`${refused} of ${open.length} followers got no stream`] : []),
    ...(short > refused ? [`${short - Math.max(0, refused)} followers missed events`] : []),
  ]
}
