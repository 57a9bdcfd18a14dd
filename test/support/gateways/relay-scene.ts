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
 * A gateway in front of a test's servers, with its own books and a new receiving account that only the test
 * pays.
 */
export interface RelayScene {
  readonly gateway: TestGateway
  readonly account: ReceivingAccount
  /** Resolves once every delivered reply is charged and recorded. */
  idle(): Promise<void>
  /** @returns the text of a new key. */
  key(tier: string): Promise<string>
  /** fetch with a wallet of this scheme, which pays a 402 and a 429 with a price. */
  payingFetch(wallet: LocalAccount, scheme?: 'upto' | 'exact'): typeof fetch
  /** Sends a GET request with the operator token. */
  operate(path: string): Promise<Response>
  close(patienceMs?: number): Promise<void>
}

/** @param catalog the YAML behind `provider`. */
export async function openRelayScene(
  chain: TestChain,
  catalog: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RelayScene> {
  const { folder, remove } = await temporaryFolder()
  const file = join(folder, `${randomUUID()}.yaml`)
  await writeFile(file, `provider: { name: Tests, description: Sells what others serve. }\n${catalog}`)
  const account = createReceivingAccount(chain, freshWallet().address)
  const gateway = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: file,
    PAY_TO: account.address,
    ...settings,
  })
  return {
    gateway,
    account,
    idle: gateway.services.idle,
    async key(tier) {
      const books = { queries: gateway.services.queries, clock: systemClock }
      const { text } = await createKey(books, {
        tier,
        owner: 'a test',
        label: '',
        chainId: 84_532,
        expiresAt: null,
      })
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
