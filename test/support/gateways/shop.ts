import request from 'supertest'
import type { Address, LocalAccount } from 'viem'
import { expect } from 'vitest'
import { paymentId } from '../../../src/doors/x402/wire/requirements.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../chain/chain.ts'
import { type ReceivedPayment, receivedPayments } from '../chain/received-payments.ts'
import { freshWallet, type SignedPayment, signPayment, v2Header } from '../chain/wallet.ts'
import { freshDatabase } from '../stores/database.ts'
import { operatorToken, startGateway, type TestGateway } from './gateway.ts'

/**
 * A gateway with sales, for tests of the operator's view: two analyses and a lead research to one wallet and
 * an analysis to another, 0.55 USDC in total, paid to a new account.
 */
export interface Shop {
  readonly chain: TestChain
  readonly gateway: TestGateway
  readonly databaseUrl: string
  readonly payTo: Address
  /** The account that pays refunds. */
  readonly refunder: Address
  readonly payer: LocalAccount
  readonly other: LocalAccount
  /** The sales, the oldest first. */
  readonly bought: readonly Sale[]
  /** Sends a request with the operator token of test gateways. */
  asOperator(method: 'get' | 'post' | 'options' | 'delete', path: string): request.Test
  /** The payments that the chain shows. */
  takings(): Promise<readonly ReceivedPayment[]>
  close(): Promise<void>
}

export interface Sale {
  readonly id: string
  readonly payment: SignedPayment
  readonly operation: string
  readonly amount: bigint
}

const offers = {
  analyzeBusiness: { path: '/api/analyze', amount: 100_000n, body: { businessName: 'Bright Smile Dental' } },
  researchLead: { path: '/api/leads/research', amount: 250_000n, body: { companyName: 'Acme Dental' } },
}
const [, , , refunder] = devPayers

/**
 * Opens a shop.
 * @param more additional settings of the gateway.
 */
export async function openShop(more: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const chain = await startTestChain()
  const since = await chain.client.getBlockNumber()
  const payTo = freshWallet().address
  const [payer, other] = [freshWallet(), freshWallet()]
  for (const { address } of [payer, other]) await chain.mint(address, 10_000_000n)
  const databaseUrl = await freshDatabase()
  const settings = { DATABASE_URL: databaseUrl, PAY_TO: payTo, REFUND_KEY: refunder.privateKey }
  const gateway = await startGateway(chain.rpcUrl, { ...settings, ...more })

  async function sell(to: LocalAccount, operation: keyof typeof offers): Promise<Sale> {
    const { path, amount, body } = offers[operation]
    const payment = await signPayment(to, amount, { to: payTo })
    const header = v2Header(payment, { payTo })
    const reply = await request(gateway.url).post(path).set('payment-signature', header).send(body)
    expect(reply.status).toBe(200)
    return { id: idOf(payment), payment, operation, amount }
  }

  const bought = [
    await sell(payer, 'analyzeBusiness'),
    await sell(payer, 'researchLead'),
    await sell(other, 'analyzeBusiness'),
    await sell(payer, 'analyzeBusiness'),
  ]
  return {
    chain,
    gateway,
    databaseUrl,
    payTo,
    refunder: refunder.address,
    payer,
    other,
    bought,
    asOperator: (method, path) =>
      request(gateway.url)[method](path).set('authorization', `Bearer ${operatorToken}`),
    takings: () => receivedPayments(chain.client, payTo, since),
    async close() {
      await gateway.close()
      await chain.close()
    },
  }
}

export function idOf({ authorization: { from, nonce } }: SignedPayment): string {
  const { chainId, usdc } = networks['base-sepolia']
  return paymentId(chainId, usdc.address, from, nonce)
}
