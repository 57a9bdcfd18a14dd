import { freshWallet, signPayment, v2Header } from '../../../support/chain/wallet.ts'
import { connectToChain } from '../attacker/chain-access.ts'
import { createHttpClient } from '../attacker/http-client.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths, prices } from '../catalog.ts'

/** Requests for a WebSocket that the upstream refuses with a large reply. */

const replyBytes = 1_000_000
/** A reply of a megabyte from this machine takes a few milliseconds. */
const patienceMs = 5_000
/** How long a connection is held that reads nothing. */
const unreadMs = 1_000

const upgradeOf = (path: string, header = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${header}\r\n`

export const upgrades: readonly Case[] = [
  {
    name: 'upgrades-refused',
    attack: 'refused upgrades with replies of 1 MB, many at the same time',
    prepare: (ground) => prepare(ground, true),
  },
  {
    name: 'upgrades-refused-unread',
    attack: 'the same, and none of the callers reads',
    prepare: (ground) => prepare(ground, false),
  },
  {
    name: 'upgrades-paid',
    attack: 'a refused upgrade with a reply of 1 MB that was paid for, and one whose reply breaks off',
    async prepare(ground) {
      const { rpcUrl, operatorToken } = ground
      const client = createHttpClient(ground)
      const wallet = freshWallet()
      await connectToChain(rpcUrl).mint(wallet.address, 3n * prices.work)
      const sign = async () => v2Header(await signPayment(wallet, prices.work))
      const payments = { whole: await sign(), broken: await sign() }

      async function buy(payment: string, query: string): Promise<{ bytes: number; state: string }> {
        const connection = await openRaw(ground)
        connection.send(upgradeOf(`${paths.paidSocket}?${query}`, `Payment-Signature: ${payment}\r\n`), 1)
        await connection.bytes(replyBytes, patienceMs)
        const bytes = connection.receivedBytes
        connection.close()
        const { text } = await client.call({
          path: '/operator/payments?limit=1',
          headers: { authorization: `Bearer ${operatorToken}` },
        })
        return { bytes, state: /"state":"(\w+)"/.exec(text)?.[1] ?? 'not in the books' }
      }

      return async () => {
        const whole = await buy(payments.whole, `bytes=${replyBytes}`)
        const broken = await buy(payments.broken, `bytes=${replyBytes}&sent=${replyBytes / 2}`)
        return [
          ...(whole.bytes < replyBytes
            ? [`a paid reply of ${replyBytes} bytes stopped at ${whole.bytes}, its payment is ${whole.state}`]
            : []),
          ...(broken.bytes < replyBytes && isTaken(broken.state)
            ? [`a paid reply that the upstream broke off is ${broken.state}`]
            : []),
        ]
      }
    },
  },
]

const isTaken = (state: string) => state === 'settled' || state === 'final'

async function prepare(ground: Ground, isReading: boolean) {
  const { random, sizes } = ground
  return async () => {
    const deadline = performance.now() + sizes.seconds * 1_000
    const counts = { all: 0, cut: 0, shortest: Number.POSITIVE_INFINITY }
    const one = async () => {
      const connection = await openRaw(ground, { isReading })
      // The head comes on top.
      const bytes = vary(random, replyBytes)
      connection.send(upgradeOf(`${paths.socket}?bytes=${bytes}`), 1)
      await connection.bytes(bytes, isReading ? patienceMs : unreadMs)
      counts.all += 1
      if (connection.receivedBytes < bytes) {
        counts.cut += 1
        counts.shortest = Math.min(counts.shortest, connection.receivedBytes)
      }
      connection.close()
    }
    while (performance.now() < deadline)
      await Promise.all(Array.from({ length: vary(random, sizes.upgrades) }, one))
    return isReading && counts.cut > 0
      ? [
          `${counts.cut} of ${counts.all} refused upgrades were not delivered whole; the shortest had ${counts.shortest} bytes`,
        ]
      : []
  }
}
