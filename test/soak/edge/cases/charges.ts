import { setTimeout as pause } from 'node:timers/promises'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { payUpto, uptoHeader } from '../../../support/chain/upto.ts'
import { connectToChain } from '../attacker/chain-access.ts'
import { createHttpClient } from '../attacker/http-client.ts'
import type { Case } from '../case.ts'
import { prices } from '../catalog.ts'

/** Paid calls whose reply has nothing to count: they cost the base of their price. */

const calls = [
  { method: 'HEAD', path: '/far/nothing/head' },
  { method: 'GET', path: '/far/nothing/204' },
  { method: 'GET', path: '/far/nothing/304' },
  { method: 'GET', path: '/far/nothing/empty' },
  { method: 'GET', path: '/far/no-items' },
] as const
/** A settlement on the local chain takes a fraction of this. */
const settleMs = 4_000

export const charges: readonly Case[] = [
  {
    name: 'nothing-counted',
    attack:
      'HEAD, 204, 304, an empty reply and an empty list at a price per unit with a base, paid by `upto`',
    async prepare(ground) {
      const client = createHttpClient(ground)
      const chain = connectToChain(ground.rpcUrl)
      const wallet = await chain.wallet(prices.most * BigInt(calls.length))

      async function pay({ method, path }: (typeof calls)[number]): Promise<string | undefined> {
        const asked = await client.call({ path })
        const offers = decodePaymentRequiredHeader(String(asked.headers['payment-required'] ?? ''))
        const payment = uptoHeader(await payUpto(wallet, offers, { allowance: 2n ** 128n, nonce: 0n }))
        const before = await chain.balanceOf(wallet.address)
        const headers = { 'payment-signature': payment }
        const reply = await client.call({ method, path, headers })
        const deadline = performance.now() + settleMs
        let charged = 0n
        while (charged === 0n && performance.now() < deadline) {
          await pause(100)
          charged = before - (await chain.balanceOf(wallet.address))
        }
        return charged === prices.base
          ? undefined
          : `${method} ${path} (${reply.status}) was charged ${charged} atomic units, its base is ${prices.base}`
      }

      return async () => {
        const faults: string[] = []
        for (const call of calls) {
          const fault = await pay(call)
          if (fault) faults.push(fault)
        }
        return faults
      }
    },
  },
]
