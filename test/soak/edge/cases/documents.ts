import { setTimeout as pause } from 'node:timers/promises'
import { createHttpClient } from '../attacker/http-client.ts'
import { repeatFor } from '../attacker/pace.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, vary } from '../case.ts'
import { paths } from '../catalog.ts'

/** The documents that the gateway makes from its catalog: open to everyone, and large beside a request for one. */

/** What decides which form of a document a caller gets. */
const accepts = [
  '*/*',
  'text/html',
  'application/json',
  'text/markdown',
  'text/html;q=0.9, */*;q=0.8',
] as const
const encodings = ['identity', 'gzip', 'br', 'gzip, deflate, br'] as const

export const documents: readonly Case[] = [
  {
    name: 'documents',
    attack: 'connections of one address ask for documents in all forms, each as fast as it gets them',
    async prepare(ground) {
      const { sizes, random } = ground
      const client = createHttpClient(ground)
      return async () => {
        await repeatFor(sizes.seconds, vary(random, sizes.connections), () =>
          client.call({
            method: random.chance(0.1) ? 'HEAD' : 'GET',
            path: paths.documents[random.below(paths.documents.length)] ?? '/pricing',
            headers: { accept: random.pick(accepts), 'accept-encoding': random.pick(encodings) },
          }),
        )
        return []
      }
    },
  },
  {
    name: 'documents-varied',
    attack:
      'the same with other preferences, another host and another condition each time, so that no cache of replies can help',
    async prepare(ground) {
      const { sizes, random } = ground
      const client = createHttpClient(ground)
      return async () => {
        await repeatFor(sizes.seconds, vary(random, sizes.connections), (n) =>
          client.call({
            path: paths.documents[random.below(paths.documents.length)] ?? '/pricing',
            headers: {
              accept: `text/html;q=0.${random.below(9)}, application/json;q=0.${random.below(9)}`,
              host: `h${n}.example`,
              'if-none-match': `"${n}"`,
            },
          }),
        )
        return []
      }
    },
  },
  {
    name: 'documents-unread',
    attack: 'many connections ask for `/pricing` forty times each and read nothing',
    async prepare(ground) {
      const { sizes, random } = ground
      const times = vary(random, 40)
      const burst = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times)
      return async () => {
        const open = await Promise.all(
          Array.from({ length: 6 * sizes.connections }, async (_, n) => {
            const connection = await openRaw(ground, { from: ground.addressOf(n % 10), isReading: false })
            connection.send(burst, times)
            return connection
          }),
        )
        await pause(sizes.seconds * 1_000)
        for (const connection of open) connection.close()
        return []
      }
    },
  },
]
