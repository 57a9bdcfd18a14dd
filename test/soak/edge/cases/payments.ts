import { randomBytes } from 'node:crypto'
import { concat, encodeAbiParameters, type Hex, type LocalAccount, toHex } from 'viem'
import { freshWallet, signPayment, v2Header } from '../../../support/chain/wallet.ts'
import type { Random } from '../../random.ts'
import { connectToChain } from '../attacker/chain-access.ts'
import { createHttpClient, type HttpClient } from '../attacker/http-client.ts'
import { atRate, repeatFor } from '../attacker/pace.ts'
import { type Case, type Ground, vary } from '../case.ts'
import { paths, prices } from '../catalog.ts'

/** Payments that are refused, and calls without any: each must cost the gateway less than it costs the attacker. */

/** Signed ones are made before the attack, and then repeated: the gateway has refused them before. */
const signed = 300
/** Nodes refuse headers above 16 kB, so a header can nest this deep. */
const deep = 5_500

/** Makes the n-th payment header. */
type Make = (n: number) => string

async function makeKinds(random: Random): Promise<Readonly<Record<string, Make>>> {
  const wallets = Array.from({ length: 8 }, freshWallet)
  const empty: string[] = []
  for (let n = 0; n < signed; n += 1) empty.push(await sign(wallets[n % wallets.length] ?? freshWallet()))
  const plain = await signPayment(freshWallet(), prices.work)
  const withSignature = (signature: Hex) => {
    // A payer and a nonce of their own, so that each has to be looked at.
    const authorization = {
      ...plain.authorization,
      from: toHex(randomBytes(20)),
      nonce: toHex(randomBytes(32)),
    }
    return v2Header({ authorization, signature })
  }
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  const undeployed = concat([
    encodeAbiParameters(types, [wallets[0]?.address ?? '0x', toHex(randomBytes(68)), toHex(randomBytes(65))]),
    `0x${'6492'.repeat(16)}`,
  ])
  return {
    garbage: () => randomBytes(100 + random.below(2_000)).toString('base64'),
    'no base64': () => `{"x402Version":${random.below(5)}}`,
    'deep JSON': () => Buffer.from('['.repeat(deep) + ']'.repeat(deep)).toString('base64'),
    'deep payload': () =>
      Buffer.from(`{"x402Version":2,"payload":${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}}`).toString(
        'base64',
      ),
    'many members': () =>
      Buffer.from(
        `{"x402Version":2,${Array.from({ length: 800 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
      ).toString('base64'),
    'signature at random': () => withSignature(toHex(randomBytes(65))),
    'long signature': () => withSignature(toHex(randomBytes(200 + random.below(2_000)))),
    'wallet to be deployed': () => withSignature(undeployed),
    'empty wallet': (n) => empty[n % empty.length] ?? '',
  }
}

const sign = async (wallet: LocalAccount) => v2Header(await signPayment(wallet, prices.work))

export const payments: readonly Case[] = [
  ...['garbage', 'deep JSON', 'signature at random', 'empty wallet'].map((kind) => ({
    name: `payments-${kind.replaceAll(' ', '-').toLowerCase()}`,
    attack: `hundreds of refused payments a second from one address: ${kind}`,
    prepare: (ground: Ground) => prepare(ground, [kind], 1),
  })),
  {
    name: 'payments-mixed',
    attack: 'hundreds of refused payments of all kinds a second from one address',
    prepare: (ground) => prepare(ground, undefined, 1),
  },
  {
    name: 'payments-many-addresses',
    attack: 'the same from two hundred addresses, so that a limit for each address comes late',
    prepare: (ground) => prepare(ground, undefined, 200),
  },
  {
    name: 'payments-replayed',
    attack:
      'a payment that was served is repeated hundreds of times a second, for its own call and for others',
    async prepare(ground) {
      const { sizes, random } = ground
      const client = createHttpClient(ground)
      const wallet = freshWallet()
      await connectToChain(ground.rpcUrl).mint(wallet.address, prices.work)
      const header = await sign(wallet)
      const { status, text } = await pay(client, header, '{}')
      if (status !== 200) throw new Error(`the payment to repeat was not served: ${status} ${text}`)
      return async () => {
        await atRate(vary(random, sizes.rate), sizes.seconds, (n) =>
          pay(client, header, random.chance(0.5) ? '{}' : `{"n":${n}}`),
        )
        return []
      }
    },
  },
  {
    name: 'unpaid-calls',
    attack: 'connections of one address ask for prices as fast as they get them, and never pay',
    async prepare(ground) {
      const { sizes, random } = ground
      const client = createHttpClient(ground)
      return async () => {
        await repeatFor(sizes.seconds, vary(random, sizes.connections), (n) =>
          client.call(
            random.chance(0.5)
              ? { method: 'POST', path: paths.work, body: '{}' }
              : { path: `${paths.size}?n=${n % 100}` },
          ),
        )
        return []
      }
    },
  },
]

async function prepare(ground: Ground, chosen: readonly string[] | undefined, addresses: number) {
  const { sizes, random } = ground
  const client = createHttpClient(ground)
  const kinds = await makeKinds(random)
  const names = chosen ?? Object.keys(kinds)
  const perSecond = vary(random, sizes.rate)
  const headers = Array.from({ length: perSecond * sizes.seconds }, (_, n) => {
    const name = names[random.below(names.length)] ?? ''
    return kinds[name]?.(n) ?? ''
  })
  return async () => {
    await atRate(perSecond, sizes.seconds, (n) =>
      pay(client, headers[n] ?? '', '{}', ground.addressOf(n % addresses)),
    )
    return []
  }
}

function pay(client: HttpClient, header: string, body: string, from?: string) {
  return client.call({
    method: 'POST',
    path: paths.work,
    headers: { 'content-type': 'application/json', 'payment-signature': header },
    body,
    ...(from ? { from } : {}),
    patienceMs: 20_000,
  })
}
