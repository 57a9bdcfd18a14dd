import type { Random } from '../../random.ts'
import { repeatFor } from '../attacker/pace.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** Heads that are as large as they may be, larger, or none that HTTP knows. */

const path = (random: Random) => random.pick([paths.work, paths.model, paths.draw, '/pricing', '/health'])
const lines = (times: number, line: (n: number) => string) =>
  Array.from({ length: times }, (_, n) => line(n)).join('')

/** Requests that are answered, with all that the gateway has to look through. */
const floods: readonly ((random: Random) => string)[] = [
  (random) => lines(vary(random, 800), (n) => `x-${n.toString(36)}: a\r\n`),
  (random) => lines(vary(random, 400), () => 'x-forwarded-for: 127.0.0.1, 127.0.0.2\r\n'),
  (random) => `cookie: ${'a=b; '.repeat(vary(random, 2_500))}\r\n`,
  (random) => `accept: ${'text/html;q=0.1,'.repeat(vary(random, 800))}*/*\r\n`,
  (random) => `accept-encoding: ${'gzip;q=0.5,'.repeat(vary(random, 1_100))}br\r\n`,
  (random) => `accept-language: ${'de-DE-1996;q=0.3,'.repeat(vary(random, 750))}en\r\n`,
  (random) => `payment-signature: ${'A'.repeat(vary(random, 12_500))}\r\n`,
  (random) => lines(vary(random, 300), (n) => `x-payment: ${n}\r\n`),
  (random) => `authorization: Bearer ${'a.'.repeat(vary(random, 6_000))}\r\n`,
  (random) => `if-none-match: ${'"a", '.repeat(vary(random, 2_500))}"b"\r\n`,
  (random) => `connection: ${'x-a, '.repeat(vary(random, 2_500))}keep-alive\r\n`,
  (random) => `range: bytes=${'0-0,'.repeat(vary(random, 3_000))}1-1\r\n`,
]

/** First lines and heads that are refused. */
const oddities: readonly ((random: Random) => string)[] = [
  () => 'GET /pricing\r\n\r\n',
  () => 'GET /pricing HTTP/0.9\r\n\r\n',
  () => 'GET /pricing HTTP/2.0\r\nHost: a\r\n\r\n',
  (random) => `GET /pricing HTTP/1.${2 + random.below(8)}\r\nHost: a\r\n\r\n`,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  (random) => `GET /${'a'.repeat(vary(random, 12_000))} HTTP/1.1\r\nHost: a\r\n\r\n`,
  (random) => `GET /pricing?${'a=b&'.repeat(vary(random, 3_000))} HTTP/1.1\r\nHost: a\r\n\r\n`,
  (random) => `${'A'.repeat(vary(random, 30_000))} / HTTP/1.1\r\nHost: a\r\n\r\n`,
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  (random) => `GET /pricing HTTP/1.1\r\n${'x-a: b\r\n'.repeat(vary(random, 4_000))}\r\n`,
  () => 'GET /pricing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  () =>
    `POST ${paths.work} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  () => `POST ${paths.work} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  () => `POST ${paths.work} HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 0\r\n\r\n`,
  () => 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
  () => 'GET http://elsewhere.example/pricing HTTP/1.1\r\nHost: a\r\n\r\n',
  () => 'GET /pricing HTTP/1.1\r\nHost: a\r\nx-a: b\0c\r\n\r\n',
  () => 'GET /pricing HTTP/1.1\nHost: a\n\n',
  () => 'GET /pricing HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
]

export const headers: readonly Case[] = [
  {
    name: 'header-floods',
    attack:
      'connections of one address send heads of 15 kB, in many lines or long ones, as fast as they are answered',
    prepare: (ground) =>
      prepare(ground, 'answered', (random) => {
        const head = `POST ${path(random)} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n`
        return `${head}${(floods[random.below(floods.length)] ?? floods[0])?.(random) ?? ''}\r\n`
      }),
  },
  {
    name: 'odd-heads',
    attack: 'connections of one address send heads that are no HTTP, or two kinds of it at once',
    prepare: (ground) =>
      prepare(ground, 'refused', (random) => oddities[random.below(oddities.length)]?.(random) ?? ''),
  },
  {
    name: 'odd-versions',
    attack: 'a request line with a version of HTTP that is not served here, for a page and for a priced call',
    async prepare(ground) {
      const { random, sizes } = ground
      const wrong = new Set<string>()
      return async () => {
        await repeatFor(sizes.seconds, 4, async () => {
          const version = random.pick(versions)
          const connection = await openRaw(ground)
          connection.send(`GET ${path(random)} HTTP/${version}\r\nHost: a\r\n\r\n`, 1)
          await connection.replies(1, patienceMs.refused)
          connection.close()
          if (connection.lastStatus !== '505')
            wrong.add(`HTTP/${version} got ${connection.lastStatus || 'no reply'}`)
        })
        return wrong.size === 0 ? [] : [`not refused with 505: ${[...wrong].sort().join(', ')}`]
      }
    },
  },
]

const versions = ['0.9', '1.2', '1.7', '1.9', '2.0', '3.0', '9.9'] as const

/** How long a reply to a head that never ends is waited for. */
const patienceMs = { answered: 10_000, refused: 500 } as const

async function prepare(ground: Ground, expected: keyof typeof patienceMs, head: (random: Random) => string) {
  const { random, sizes } = ground
  const heads = Array.from({ length: 200 }, () => head(random))
  return async () => {
    await repeatFor(sizes.seconds, vary(random, sizes.connections / 2), async (n) => {
      const connection = await openRaw(ground)
      connection.send(Buffer.from(heads[n % heads.length] ?? '', 'latin1'), 1)
      await connection.replies(1, patienceMs[expected])
      connection.close()
    })
    return []
  }
}
