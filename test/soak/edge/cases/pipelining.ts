import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../random.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Many requests on one connection, none of which waits for a reply. */

/** How long a connection is held that reads nothing. */
const holdMs = 1_500
/** An attack whose replies do not come is over then. */
const patienceMs = 60_000

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Makes one request. */
type Written = (random: Random) => string

const documents: Written = (random) =>
  get(random.pick(['/pricing', '/pricing.md', '/api/health', '/', '/health']))
const anything: Written = (random) =>
  random.pick<Written>([
    documents,
    () => post(paths.work),
    () => post(paths.draw, `{"n":${1 + random.below(9)}}`),
    () => get(`${paths.size}?n=${random.below(99)}`),
    () => get(`/nothing/${random.below(1_000)}`),
    () => 'OPTIONS /pricing HTTP/1.1\r\nHost: a\r\n\r\n',
    () => 'HEAD /pricing HTTP/1.1\r\nHost: a\r\n\r\n',
  ])(random)

const kinds: readonly { readonly name: string; readonly what: string; readonly written: Written }[] = [
  { name: 'pricing', what: '`GET /pricing`', written: () => get('/pricing') },
  { name: 'documents', what: 'requests for documents', written: documents },
  { name: '402', what: 'unpaid calls', written: () => post(paths.work) },
  { name: '404', what: 'requests for nothing', written: (random) => get(`/nothing/${random.below(1_000)}`) },
  { name: 'mixed', what: 'requests of all kinds', written: anything },
]

export const pipelining: readonly Case[] = [
  ...kinds.flatMap(({ name, what, written }) => [
    {
      name: `pipelined-${name}`,
      attack: `one connection sends ${what} without waiting, and reads all replies; then the next one`,
      prepare: (ground: Ground) => prepare(ground, written, { connections: 1, isReading: true }),
    },
    {
      name: `pipelined-${name}-unread`,
      attack: `one connection sends ${what} without waiting, and reads no reply; then the next one`,
      prepare: (ground: Ground) => prepare(ground, written, { connections: 1, isReading: false }),
    },
  ]),
  {
    name: 'pipelined-by-many',
    attack: 'the same number of requests of all kinds, spread over fifty connections of one address',
    prepare: (ground) => prepare(ground, anything, { connections: 50, isReading: true }),
  },
]

async function prepare(
  ground: Ground,
  written: Written,
  { connections, isReading }: { readonly connections: number; readonly isReading: boolean },
) {
  const { sizes, random } = ground
  const times = Math.ceil(vary(random, sizes.pipelined) / connections)
  const bursts = Array.from({ length: connections }, () =>
    Array.from({ length: times }, () => written(random)).join(''),
  )
  return async () => {
    const deadline = performance.now() + sizes.seconds * 1_000
    while (performance.now() < deadline) {
      await Promise.all(
        bursts.map(async (burst) => {
          const connection = await openRaw(ground, { isReading })
          connection.send(burst, times)
          if (isReading) await connection.replies(times, patienceMs)
          else await pause(holdMs)
          connection.close()
        }),
      )
    }
    return []
  }
}
