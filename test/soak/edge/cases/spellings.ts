import { decodePaymentRequiredHeader } from '@x402/core/http'
import { z } from 'zod'
import type { Random } from '../../random.ts'
import { createHttpClient } from '../attacker/http-client.ts'
import { repeatFor } from '../attacker/pace.ts'
import { openRaw } from '../attacker/raw-connection.ts'
import { type Case, vary } from '../case.ts'
import { paths, prices } from '../catalog.ts'

/** Other spellings of a path or a query, which one server reads in another way than the next. */

const inserted = [
  ...[
    '%3F',
    '%3f',
    '%23',
    '%3B',
    '%3b',
    '%20',
    '%09',
    '%00',
    '%0a',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '%25',
    '%253F',
    '%ff',
  ],
  ...[
    '.',
    '..',
    '/',
    '//',
    '/.',
    '/./',
    '/../',
    ';',
    ';a=b',
    '?',
    '?a',
    '\\',
    '~',
    '+',
    "'",
    '*',
    '$',
    ':',
    '@',
    '&',
    '=',
  ],
] as const
const premiums = z.object({ given: z.array(z.string()) })

export const spellings: readonly Case[] = [
  {
    name: 'path-spellings',
    attack: 'a page that costs, beside an open rest of its site, under thousands of spellings',
    async prepare(ground) {
      const { random, sizes, farEnd } = ground
      const burst = vary(random, 50)
      return async () => {
        await repeatFor(sizes.seconds, 4, async () => {
          const connection = await openRaw(ground)
          for (let n = 0; n < burst; n += 1)
            connection.send(`GET ${spell(paths.premium, random)} HTTP/1.1\r\nHost: a\r\n\r\n`, 1)
          await connection.replies(burst, 10_000)
          connection.close()
        })
        const { given: spelled } = premiums.parse(await (await fetch(`${farEnd.url}/told/premium`)).json())
        const few = spelled.slice(0, 12).join('  ')
        return spelled.length === 0 ? [] : [`${spelled.length} spellings gave the page away: ${few}`]
      }
    },
  },
  {
    name: 'query-spellings',
    attack:
      'a price by a field of the query, whose name occurs twice, in another case, escaped or with brackets',
    async prepare(ground) {
      const { random, sizes } = ground
      const client = createHttpClient(ground)
      const cheap = new Set<string>()
      return async () => {
        await repeatFor(sizes.seconds, 10, async () => {
          const query = spellQuery(random)
          const { status, headers } = await client.call({ path: `${paths.size}?${query}` })
          if (status !== 402) return
          const { accepts } = decodePaymentRequiredHeader(String(headers['payment-required'] ?? ''))
          if (accepts.some(({ amount }) => BigInt(amount) < prices.maxSize)) cheap.add(query)
        })
        const few = [...cheap].slice(0, 8).join('  ')
        return cheap.size === 0 ? [] : [`${cheap.size} queries were priced below the maximum: ${few}`]
      }
    },
  },
  {
    name: 'long-letters',
    attack:
      'a hundred connections ask under paths and queries of 8 kB, all of it letters that stand for many others',
    async prepare(ground) {
      const { random, sizes } = ground
      const client = createHttpClient(ground)
      return async () => {
        await repeatFor(sizes.seconds, vary(random, 2 * sizes.connections), () => {
          const letters = random.pick(longLetters).repeat(vary(random, 700)).slice(0, 8_000)
          const path = random.pick([
            `${paths.size}?${letters}=1&n=2`,
            `${paths.size}?n=${letters}`,
            `${paths.size}?${letters.match(/.{27}/g)?.join('&')}`,
            `/shop/${letters}`,
            `/far/${letters}`,
          ])
          return client.call({ path })
        })
        return []
      }
    },
  },
]

/** A word of eighteen letters, a ligature, a letter with many marks, a Hangul syllable, a wide bracket. */
const longLetters = ['%EF%B7%BA', '%EF%AC%83', '%E1%BE%A7', '%ED%95%9C', '%EF%BC%BB'] as const

/** Puts up to three pieces into the path, most often at the end of the page's name. */
function spell(path: string, random: Random): string {
  let spelled = path
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const piece = random.pick(inserted)
    const at = random.chance(0.6) ? spelled.length : 6 + random.below(spelled.length - 5)
    spelled = spelled.slice(0, at) + piece + spelled.slice(at)
  }
  if (random.chance(0.1))
    spelled = spelled.replace('premium', random.pick(['PREMIUM', 'Premium', '%70remium', 'premıum']))
  // Bytes outside of ASCII and blanks would end the request line, not spell the path.
  return spelled.replaceAll(/[^\x21-\x7e]/g, '%E2%80%8B')
}

/** One sum to be priced by, and a larger one for a server that reads the query in another way. */
function spellQuery(random: Random): string {
  const small = `n=${1 + random.below(3)}`
  const large = `${random.pick(['n', 'N', 'n[]', 'n%5B%5D', '%6e', '%4E', 'n[0]'])}=${20 + random.below(80)}`
  return random.chance(0.5) ? `${small}&${large}` : `${large}&${small}`
}
