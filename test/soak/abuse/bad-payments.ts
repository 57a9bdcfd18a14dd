import { randomBytes } from 'node:crypto'
import { type Address, concat, encodeAbiParameters, type Hex, toHex } from 'viem'
import { freshWallet, v2Header } from '../../support/chain/wallet.ts'
import type { CallerRequest } from './callers/callers.ts'
import { callOf, headerOf, settledBy, signExact, signPrice, signUpto } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import { failByCancel } from './repeats.ts'
import type { Numbers } from './scene.ts'
import type { Stage } from './stage.ts'
import { copyFromChain, payFor } from './victim.ts'

/** Kinds of payments that a gateway refuses: what each costs it is what an attacker can make it spend. */
export interface BadPayment {
  readonly kind: string
  /** Makes the n-th of this kind, for one of these gateways. */
  make(n: number, url: string): Promise<CallerRequest>
}

/** Nodes refuse headers above 16 kB, so a header can nest this deep. */
const deepInHeader = '['.repeat(5_500) + ']'.repeat(5_500)
const deepInBody = '['.repeat(40_000) + ']'.repeat(40_000)
/** The end of a signature of a wallet that is not deployed yet (ERC-6492). */
const undeployed: Hex = `0x${'6492'.repeat(16)}`

export async function createBadPayments(
  stage: Stage,
  { addresses, bystanders, offers: [offers] }: Pick<Numbers, 'addresses' | 'bystanders' | 'offers'>,
): Promise<BadPayment[]> {
  const victim = await payFor(stage, 4)
  const known = bystanders.length > 0 ? bystanders : [victim]
  const from = Array.from({ length: addresses }, stage.attacker.address)
  const copies = await copyFromChain(stage, victim)
  const failed = await failByCancel(stage, 'bad', {})
  const late = BigInt(Math.floor(Date.now() / 1000) - 10)

  const work = (n: number, url: string, header: string): CallerRequest =>
    callOf([url], `${paths.work}?by=bad`, header, { from: from[n % addresses] ?? '' })
  /** A payment of a wallet that has nothing. */
  const signed = async (change: Parameters<typeof signPrice>[2] = {}) => {
    const wallet = freshWallet()
    stage.nodeCalls.suspect(wallet.address)
    return signPrice(wallet, prices.call, change)
  }
  /** A payment with this signature in place of the payer's. */
  const signedWith = async (signature: Hex) => headerOf({ ...(await signed()), signature })

  const kinds: Readonly<Record<string, (n: number) => Promise<string>>> = {
    'no base64': async () => '{"x402Version":2}',
    'no JSON': async () => randomBytes(300).toString('base64'),
    'JSON nested 5,500 deep': async () => Buffer.from(deepInHeader).toString('base64'),
    'another network': async () => v2Header(await signed(), { network: 'eip155:1' }),
    'another amount': async () => headerOf(await signPrice(freshWallet(), prices.call - 1n)),
    'another recipient': async () => headerOf(await signed({ to: freshWallet().address })),
    expired: async () => headerOf(await signed({ validBefore: late })),
    'signature at random': async () => signedWith(toHex(randomBytes(65))),
    'signature at random for a known payer': async (n) => {
      const { authorization } = await signed({ from: known[n % known.length] ?? victim })
      return headerOf({ authorization, signature: toHex(randomBytes(65)) })
    },
    'long signature, no contract': async () => signedWith(toHex(randomBytes(200))),
    'signature of a wallet to be deployed': async () => signedWith(undeployedSignature(victim)),
    'empty wallet': async () => headerOf(await signed()),
    'copied from the chain': async (n) => copies[n % copies.length] ?? '',
    '`upto` of an empty wallet': async () => {
      const wallet = freshWallet()
      stage.nodeCalls.suspect(wallet.address)
      return signUpto(wallet, offers)
    },
    '`upto` for another account': async () => signUpto(freshWallet(), settledBy(offers, victim)),
  }
  return [
    ...Object.entries(kinds).map(([kind, header]) => ({
      kind,
      make: async (n: number, url: string) => {
        const isUpto = kind.includes('upto')
        const call = work(n, url, await header(n))
        return isUpto ? { ...call, path: `${paths.stream}?by=bad` } : call
      },
    })),
    {
      kind: 'failed before',
      make: async (n, url) =>
        callOf([url], paths.research, failed.header, {
          from: from[n % addresses] ?? '',
          body: { companyName: failed.company },
        }),
    },
    {
      kind: 'body nested 40,000 deep',
      make: async (n, url) => {
        const header = await signExact(freshWallet(), prices.research)
        const call = callOf([url], paths.research, header, { from: from[n % addresses] ?? '' })
        return { ...call, body: `{"companyName":${deepInBody}}` }
      },
    },
  ]
}

function undeployedSignature(factory: Address): Hex {
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  return concat([
    encodeAbiParameters(types, [factory, toHex(randomBytes(68)), toHex(randomBytes(65))]),
    undeployed,
  ])
}
