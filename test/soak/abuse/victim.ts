import { randomBytes } from 'node:crypto'
import { type Address, parseAbi, toHex } from 'viem'
import { networks } from '../../../src/platform/chain/networks.ts'
import { callOf, headerOf, signExact, signPrice } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import type { Stage } from './stage.ts'

/** A payer whose settled payments an attacker copies. */

/** A new wallet buys so many calls. @returns its address. */
export async function payFor({ attacker, attackers, replicas }: Stage, calls: number): Promise<Address> {
  const wallet = await attacker.wallet()
  await attacker.fund(wallet.address, prices.call * BigInt(calls))
  for (let n = 0; n < calls; n += 1) {
    const header = await signExact(wallet, prices.call)
    const from = attacker.address()
    const call = callOf([replicas[0].url], `${paths.work}?by=victim`, header, { from })
    const [answer] = await attackers.send([call], { atOnce: 1, patienceMs: 20_000 })
    if (answer?.status !== 200) throw new Error(`a payment to copy was not served: ${answer?.why}`)
  }
  return wallet.address
}

const used = parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'])

/** Payments with the payer and nonces that the chain shows, and signatures that are not the payer's. */
export async function copyFromChain({ attacker, chain }: Stage, payer: Address): Promise<string[]> {
  const logs = await chain.client.getLogs({
    address: networks['base-sepolia'].usdc.address,
    event: used[0],
    args: { authorizer: payer },
    fromBlock: 0n,
    strict: true,
  })
  return Promise.all(
    logs.map(async ({ args: { nonce } }) => {
      const { authorization } = await signPrice(attacker.account, prices.call, { from: payer, nonce })
      return headerOf({ authorization, signature: toHex(randomBytes(65)) })
    }),
  )
}
