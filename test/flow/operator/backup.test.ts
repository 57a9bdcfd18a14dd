import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconciliationSchema, refundSchema } from '../../../src/edge/handlers/operator/replies.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { createReceivingAccount, type ReceivingAccount } from '../../support/chain/receiving-account.ts'
import { freshWallet, type SignedPayment, signPayment } from '../../support/chain/wallet.ts'
import { operatorToken, startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { type Ended, openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { buy } from '../../support/gateways/purchases.ts'
import { idOf, price } from '../../support/gateways/scene.ts'
import { type RpcProxy, startRpcProxy } from '../../support/servers/rpc-proxy.ts'
import { viewBooks } from '../../support/stores/books.ts'
import { copyDatabase, emptyDatabase } from '../../support/stores/database.ts'

/**
 * The runbook's "A lost database", step by step: sales, a backup, more sales, the loss, and the restored backup. The
 * gateway is stopped for the backup only because the test copies the database by a statement that requires it.
 */

let chain: TestChain
let node: RpcProxy
let payee: ReceivingAccount
let workplace: Workplace
const refundKey = generatePrivateKey()
const refunder = privateKeyToAccount(refundKey).address

beforeAll(async () => {
  chain = await startTestChain()
  node = await startRpcProxy(chain.rpcUrl)
  payee = createReceivingAccount(chain, freshWallet().address)
  workplace = await openWorkplace()
  await chain.mint(refunder, 10n * price)
})
afterAll(async () => {
  await workplace.close()
  await node.close()
  await chain.close()
})

const open = (databaseUrl: string) =>
  startGateway(node.url, {
    DATABASE_URL: databaseUrl,
    PAY_TO: payee.address,
    REFUND_KEY: refundKey,
    RPC_TIMEOUT_MS: '1000',
    SETTLEMENT_TIMEOUT_MS: '1000',
  })

async function sign(): Promise<SignedPayment> {
  const wallet = freshWallet()
  await chain.mint(wallet.address, price)
  return signPayment(wallet, price, { to: payee.address })
}

async function sell(gateway: TestGateway): Promise<{ payment: SignedPayment; text: string }> {
  const payment = await sign()
  const { status, text } = await buy(gateway, payment)
  expect(status).toBe(200)
  return { payment, text }
}

const tollgate = (gateway: TestGateway, ...args: string[]): Promise<Ended> =>
  workplace.run('cli', {
    args: [...args, '--url', gateway.url],
    settings: { OPERATOR_TOKEN: operatorToken },
  })

async function reconcile(gateway: TestGateway): Promise<Ended> {
  await payee.mine(2)
  return tollgate(gateway, 'ledger', 'reconcile', '--since', '7d')
}

const refundsTo = (payer: Address) => payee.transfers(refunder, payer)

test('after a restored backup reconcile fails and names the sales of the gap; adopted, they are served or refunded, and the books close', async () => {
  const books = await emptyDatabase()
  const first = await open(books)
  expect((await reconcile(first)).code).toBe(0)
  const kept = await sell(first)
  const refundedLater = await sell(first)
  // The node takes the transfer and says nothing: the backup has this payment as `settling`.
  const unclear = await sign()
  node.faults.set('eth_sendRawTransaction', 'answer lost')
  node.faults.set('eth_getTransactionReceipt', 'answer lost')
  expect((await buy(first, unclear)).body.code).toBe('SETTLEMENT_UNKNOWN')
  await first.close()
  node.faults.clear()
  const backup = await copyDatabase(books)

  const second = await open(books)
  const lost = [await sell(second), await sell(second), await sell(second)] as const
  const paidBack = await tollgate(
    second,
    'refund',
    idOf(refundedLater.payment),
    ...['--amount', '0.05', '--yes', '--json'],
  )
  expect(paidBack.code).toBe(0)
  await second.close()

  const restored = await open(backup)
  try {
    const failed = await reconcile(restored)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('The books do not match the chain.')
    const named = [...failed.stdout.matchAll(/^unmatched transfer: 0\.25 USDC from (0x\w+) in (0x\w+)$/gm)]
    expect(named.map(([, payer]) => payer)).toEqual(lost.map(({ payment }) => payment.authorization.from))
    expect(failed.stdout).toMatch(/^difference +0\.75$/m)

    // The chain says how the payment ended that was open, and its payer gets the stored reply.
    const view = viewBooks(backup)
    await view.endLeases()
    await view.close()
    expect((await buy(restored, unclear)).status).toBe(200)
    const again = await buy(restored, kept.payment)
    expect([again.status, again.text]).toEqual([200, kept.text])

    // Not adopted yet, a payer would be asked to pay again: that is why callers are kept away meanwhile.
    expect((await buy(restored, lost[0].payment)).status).toBe(402)
    for (const [, payer = '', transaction = ''] of named) {
      const adopted = await tollgate(restored, 'ledger', 'adopt', transaction)
      expect(adopted).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(`^adopted: 0.25 USDC from ${payer} is payment 0x`),
      })
      const known = await tollgate(restored, 'ledger', 'adopt', transaction)
      expect(known).toMatchObject({ code: 0, stdout: expect.stringMatching(/^in the books already: /) })
    }
    const asked = [lost[0], lost[1]]
    const served = await Promise.all(asked.map(({ payment }) => buy(restored, payment)))
    expect(served.map(({ status }) => status)).toEqual([200, 200])
    const unserved = lost[2].payment
    const returned = await tollgate(
      restored,
      'refund',
      idOf(unserved),
      '--reason',
      'restored backup',
      '--before-final',
      '--yes',
    )
    expect(returned.code).toBe(0)
    expect(await refundsTo(unserved.authorization.from)).toHaveLength(1)
    expect((await buy(restored, unserved)).status).toBe(409)

    // The refund of the gap is recorded, and no money moves for it.
    const id = idOf(refundedLater.payment)
    const whole = await tollgate(restored, 'refund', id, '--before-final', '--yes')
    expect([whole.code, whole.stderr]).toEqual([
      1,
      expect.stringContaining('pass the amount that was refunded'),
    ])
    const terms = ['--amount', '0.05', '--before-final', '--yes', '--json']
    const part = await tollgate(restored, 'refund', id, ...terms)
    expect(refundSchema.parse(JSON.parse(part.stdout)).transaction).toBe(
      refundSchema.parse(JSON.parse(paidBack.stdout)).transaction,
    )
    expect(await refundsTo(refundedLater.payment.authorization.from)).toHaveLength(1)

    const closed = await reconcile(restored)
    expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining('The books match the chain.')])
    const report = await tollgate(restored, 'ledger', 'reconcile', '--since', '7d', '--json')
    expect(reconciliationSchema.parse(JSON.parse(report.stdout))).toMatchObject({
      chain: { transfers: 6, amountAtomic: (await payee.balanceOf(payee.address)).toString() },
      books: { payments: 6, amountAtomic: (6n * price).toString() },
      closes: true,
    })
  } finally {
    await restored.close()
  }
})
