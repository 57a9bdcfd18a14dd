import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import request from 'supertest'
import type { Address, LocalAccount } from 'viem'
import { createLog } from '../../../src/core/log.ts'
import { paymentId } from '../../../src/doors/x402/wire/requirements.ts'
import { type DevAccount, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { openPostgres, type Queries } from '../../../src/platform/store/database.ts'
import type { PaymentRow } from '../../../src/platform/store/rows/payments.ts'
import { type TestChain, temporaryFolder } from '../chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount, settlers } from '../chain/receiving-account.ts'
import { freshWallet, type SignedPayment, signPayment, v2Header } from '../chain/wallet.ts'
import { type Model, startModel } from '../servers/model.ts'
import { type RpcProxy, startRpcProxy } from '../servers/rpc-proxy.ts'
import { freshDatabase } from '../stores/database.ts'
import { operatorToken, startGateway, type TestGateway } from './gateway.ts'
import { projectRoot } from './process.ts'

/**
 * Gateways that sell on shared books, each with its own connection to the node. The receiving account is new,
 * so it receives only the payments of the test, and wrong sums show. Each scene on a chain has its own books.
 */
export interface Scene {
  readonly model: Model
  readonly queries: Queries
  /** The account that is paid, and what the chain shows of it. */
  readonly payee: ReceivingAccount
  /** The settings of every gateway of the scene. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings with a catalog that charges lead research before the work. */
  readonly paidFirst: Readonly<Record<string, string>>
  /** Starts a gateway, which is closed with the scene at the latest. */
  open(settings?: Readonly<Record<string, string>>): Promise<Seller>
  /** A wallet with so many atomic units; the price of one call when left out. */
  wallet(funds?: bigint): Promise<LocalAccount>
  /** Signs a payment for one lead research. */
  sign(payer: LocalAccount, change?: Partial<SignedPayment['authorization']>): Promise<SignedPayment>
  /** A new payer who has bought one call; throws when the call was not served. */
  buy(seller: Seller): Promise<{ payer: LocalAccount; payment: SignedPayment; reply: request.Response }>
  /** The payment's row; throws when there is none. */
  rowOf(payment: SignedPayment): Promise<PaymentRow>
  /** Ends a lease, or the pause after an unknown outcome, instead of waiting for it. */
  endLease(payment: SignedPayment): Promise<void>
  close(): Promise<void>
}

export interface Seller extends TestGateway {
  readonly node: RpcProxy
  /** @param key the `Idempotency-Key` of the purchase. */
  pay(payment: SignedPayment, body?: object, key?: string): Promise<request.Response>
  /** Refunds a payment as the operator: all of it without an amount, and by default before it is final. */
  refund(
    payment: SignedPayment,
    terms?: { amount?: string; reason?: string; beforeFinal?: boolean },
  ): Promise<request.Response>
  /**
   * Reconciles as the operator: checks finality, compares final blocks, then makes the report.
   * @param since Unix seconds; the last day when left out.
   */
  reconcile(since?: number): Promise<request.Response>
}

export const price = 250_000n
export const idOf = ({ authorization: { from, nonce } }: SignedPayment) =>
  paymentId(network.chainId, network.usdc.address, from, nonce)

const network = networks['base-sepolia']
const path = '/api/leads/research'
const lead = { companyName: 'Acme Dental' }

export async function openScene(chain: TestChain): Promise<Scene> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await build()
  } catch (error) {
    await close()
    throw error
  }

  async function build(): Promise<Scene> {
    const model = await startModel()
    closers.push(model.close)
    const { folder, remove } = await temporaryFolder()
    closers.push(remove)
    const databaseUrl = await freshDatabase()
    const books = await openPostgres(databaseUrl, createLog('silent'))
    closers.push(books.close)
    const { queries } = books
    const payee = createReceivingAccount(chain, freshWallet().address)
    const settings = {
      ...model.settings,
      DATABASE_URL: databaseUrl,
      PAY_TO: payee.address,
      RPC_TIMEOUT_MS: '1000',
      SETTLEMENT_TIMEOUT_MS: '1000',
    }

    const sign: Scene['sign'] = (payer, change) => signPayment(payer, price, { to: payee.address, ...change })
    const busy = new Set<DevAccount>()
    let minted: Promise<unknown> = Promise.resolve()
    const wallet: Scene['wallet'] = async (funds = price) => {
      const account = freshWallet()
      // One after the other, because two transactions at once would get the same nonce.
      minted = minted.then(() => chain.mint(account.address, funds))
      await minted
      return account
    }
    return {
      model,
      queries,
      payee,
      settings,
      paidFirst: { CATALOG_FILE: await writeCatalog(folder) },
      async open(more = {}) {
        // Each gateway settles from an account of its own, so that what a test does to it shows there.
        const settler = settlers.find((one) => !busy.has(one)) ?? devSettler
        busy.add(settler)
        const own = more.FACILITATOR_URL ? {} : { SETTLER_KEY: settler.privateKey }
        const seller = await openSeller(chain.rpcUrl, payee.address, { ...settings, ...own, ...more })
        let closed: Promise<void> | undefined
        const closeOnce = () => {
          closed ??= seller.close().finally(() => busy.delete(settler))
          return closed
        }
        closers.push(closeOnce)
        return { ...seller, close: closeOnce }
      },
      wallet,
      sign,
      async buy(seller) {
        const payer = await wallet()
        const payment = await sign(payer)
        const reply = await seller.pay(payment)
        if (reply.status !== 200) throw new Error(`a payment bought nothing: ${reply.text}`)
        return { payer, payment, reply }
      },
      rowOf: (payment) =>
        queries.selectFrom('payments').selectAll().where('id', '=', idOf(payment)).executeTakeFirstOrThrow(),
      async endLease(payment) {
        const past = { leaseUntil: new Date(0) }
        await queries.updateTable('payments').set(past).where('id', '=', idOf(payment)).execute()
      },
      close,
    }
  }
}

async function openSeller(
  rpcUrl: string,
  payTo: Address,
  settings: Readonly<Record<string, string>>,
): Promise<Seller> {
  const node = await startRpcProxy(rpcUrl)
  const gateway = await startGateway(node.url, settings).catch(async (error: unknown) => {
    await node.close()
    throw error
  })
  const operate = (endpoint: string) =>
    request(gateway.url).post(endpoint).set('authorization', `Bearer ${operatorToken}`)
  // Sends each request now; supertest by itself waits until the reply is awaited.
  return {
    ...gateway,
    node,
    pay: async (payment, body = lead, key) =>
      request(gateway.url)
        .post(path)
        .set({
          'PAYMENT-SIGNATURE': v2Header(payment, { payTo }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        })
        .send(body),
    refund: async (payment, terms) =>
      operate(`/operator/payments/${idOf(payment)}/refund`).send({ beforeFinal: true, ...terms }),
    reconcile: async (since) => operate('/operator/reconcile').send({ since }),
    async close() {
      await gateway.close()
      await node.close()
    },
  }
}

/** The tests' catalog, with lead research charged first. */
async function writeCatalog(folder: string): Promise<string> {
  const shipped = await readFile(join(projectRoot, 'test/fixtures/catalog.yaml'), 'utf8')
  const file = join(folder, 'paid-first.yaml')
  await writeFile(file, shipped.replace('price: "0.25"', 'price: "0.25"\n    settle: before'))
  return file
}
