import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { fetchOrPay } from '../../../src/client/fetch-or-pay.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { createKey } from '../../../src/doors/keys/keys.ts'
import type { TestChain } from '../chain/chain.ts'
import { temporaryFolder } from '../chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../chain/receiving-account.ts'
import { freshWallet } from '../chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from './gateway.ts'

/**
 * A gateway that stands in front of servers of a test, with books of its own and a recipient that nobody has paid
 * before: what comes in there is what the test has sent.
 */
export interface RelayScene {
  readonly gateway: TestGateway
  readonly till: ReceivingAccount
  /** Resolves once everything that was delivered is charged and noted. */
  idle(): Promise<void>
  /** @returns the text of a new key. */
  key(tier: string): Promise<string>
  /** fetch with a wallet that knows the scheme; it pays where the reply names a price, be it a 402 or a 429. */
  payingFetch(wallet: LocalAccount, scheme?: 'upto' | 'exact'): typeof fetch
  /** As the operator asks it. */
  operate(path: string): Promise<Response>
  close(patienceMs?: number): Promise<void>
}

/** @param catalog what stands behind `provider`, in YAML. */
export async function openRelayScene(
  chain: TestChain,
  catalog: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RelayScene> {
  const { folder, remove } = await temporaryFolder()
  const file = join(folder, `${randomUUID()}.yaml`)
  await writeFile(file, `provider: { name: Tests, description: Sells what others serve. }\n${catalog}`)
  const till = createReceivingAccount(chain, freshWallet().address)
  const gateway = await startGateway(chain.rpcUrl, { CATALOG_FILE: file, PAY_TO: till.address, ...settings })
  return {
    gateway,
    till,
    idle: gateway.services.idle,
    async key(tier) {
      const books = { queries: gateway.services.queries, clock: systemClock }
      const { text } = await createKey(books, { tier, owner: 'a test', label: '', expiresAt: null })
      return text
    },
    payingFetch(wallet, scheme = 'upto') {
      const signer = scheme === 'upto' ? new UptoEvmScheme(wallet) : new ExactEvmScheme(wallet)
      return wrapFetchWithPayment(fetchOrPay, new x402Client().register('eip155:*', signer))
    },
    operate: (path) =>
      fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } }),
    async close(patienceMs) {
      await gateway.close(patienceMs)
      await remove()
    },
  }
}
