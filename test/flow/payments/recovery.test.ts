import { sql } from 'kysely'
import request from 'supertest'
import { type Hex, isAddressEqual, isHex, type LocalAccount, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { totals } from '../../../src/doors/ledger/totals.ts'
import {
  findAuthorizationState,
  provesTransfer,
} from '../../../src/doors/x402/evidence/authorization-state.ts'
import { tokenAbi, transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import { openPostgres, type Queries } from '../../../src/platform/store/database.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { signCancel } from '../../support/chain/chain-authorization.ts'
import { freshWallet, type SignedPayment, signPayment, v2Header } from '../../support/chain/wallet.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace } from '../../support/gateways/process.ts'
import { expectRefused, expectUnknown, transactionOf } from '../../support/gateways/replies.ts'
import { type Model, startModel } from '../../support/servers/model.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../../support/servers/rpc-proxy.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

const network = networks['base-sepolia']
const payer = devPayers[0]
const account = privateKeyToAccount(payer.privateKey)
const bystander = devPayers[5].address
const price = 250_000n
const body = { companyName: 'Acme Dental' }
const path = '/api/leads/research'

/**
 * A chain, a node in front of it that can fail, a model to count the runs by, and the books of one or more
 * gateways.
 */
interface Scene {
  readonly chain: TestChain
  readonly node: RpcProxy
  readonly model: Model
  readonly queries: Queries
  /** Starts a gateway with the built-in facilitator, through that node. */
  start(more?: Readonly<Record<string, string>>): Promise<TestGateway>
  readonly settings: Readonly<Record<string, string>>
  close(): Promise<void>
}

async function startScene(): Promise<Scene> {
  const chain = await startTestChain()
  const node = await startRpcProxy(chain.rpcUrl)
  const model = await startModel()
  const settings = {
    ...model.settings,
    DATABASE_URL: await emptyDatabase(),
    RPC_TIMEOUT_MS: '1000',
    SETTLEMENT_TIMEOUT_MS: '1000',
    SETTLER_LEASE_MS: '1000',
  }
  const books = await openPostgres(settings.DATABASE_URL, createLog('silent'))
  return {
    chain,
    node,
    model,
    queries: books.queries,
    settings,
    // A gateway that was killed leaves its account for another one soon.
    start: (more = {}) => startGateway(node.url, { ...settings, ...more }),
    async close() {
      await books.close()
      await node.close()
      await model.close()
      await chain.close()
    },
  }
}

let scene: Scene
let gateway: TestGateway

const pay = (payment: SignedPayment, to: { readonly url: string } = gateway) =>
  request(to.url).post(path).set('PAYMENT-SIGNATURE', v2Header(payment)).send(body)

/** Sends the request now; supertest by itself waits until the reply is awaited. */
const payNow = (payment: SignedPayment, to?: { readonly url: string }) =>
  pay(payment, to).then((reply) => reply)

const received = () =>
  scene.chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

const rowOf = ({ authorization }: SignedPayment) =>
  scene.queries.selectFrom('payments').selectAll().where('nonce', '=', authorization.nonce).executeTakeFirst()

const stateOf = async (payment: SignedPayment) => (await rowOf(payment))?.state

/** Ends a lease, or the pause after an unknown outcome, instead of waiting for it. */
const endLease = ({ authorization }: SignedPayment) =>
  scene.queries
    .updateTable('payments')
    .set({ leaseUntil: new Date(0) })
    .where('nonce', '=', authorization.nonce)
    .execute()

/** The transaction in the reply's receipt, which must contain this payment's transfer. */
async function provesPayment(reply: request.Response, payment: SignedPayment): Promise<boolean> {
  const { logs } = await scene.chain.client.getTransactionReceipt({ hash: transactionOf(reply) })
  return provesTransfer(logs, network.usdc.address, payment.authorization)
}

/** Submits the authorization from another account. */
async function submit({ authorization, signature }: SignedPayment): Promise<Hex> {
  const data = transferCall(authorization, signature)
  const { client } = scene.chain
  const hash = await client.sendTransaction({ account: bystander, to: network.usdc.address, data })
  await client.waitForTransactionReceipt({ hash })
  return hash
}

async function cancel({ authorization }: SignedPayment): Promise<void> {
  const { nonce } = authorization
  const { client } = scene.chain
  const hash = await client.writeContract({
    account: bystander,
    address: network.usdc.address,
    abi: parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']),
    functionName: 'cancelAuthorization',
    args: [payer.address, nonce, await signCancel(payer.privateKey, { authorizer: payer.address, nonce })],
  })
  await client.waitForTransactionReceipt({ hash })
}

async function empty(wallet: LocalAccount): Promise<void> {
  await submit(await signPayment(wallet, price, { to: bystander }))
}

const counts = async () => ({
  asked: scene.model.asked,
  received: await received(),
  sent: scene.node.count('eth_sendRawTransaction'),
})

/** What has happened since: runs of the handler, atomic units received, and transactions of gateways. */
async function since(before: Awaited<ReturnType<typeof counts>>) {
  const now = await counts()
  return {
    asked: now.asked - before.asked,
    received: now.received - before.received,
    sent: now.sent - before.sent,
  }
}

/** Makes the chain mine only on request. */
async function stopMining(): Promise<void> {
  await scene.chain.client.setAutomine(false)
  await scene.chain.client.setIntervalMining({ interval: 0 })
}

describe('with a node that fails', () => {
  let receivedAtFirst: bigint

  beforeAll(async () => {
    scene = await startScene()
    gateway = await scene.start()
    receivedAtFirst = await received()
  })
  afterAll(async () => {
    await gateway.close()
    await scene.close()
  })
  afterEach(async () => {
    // The tests share a payer, and its failures in one are nothing to the next.
    await gateway.services.queries.deleteFrom('payers').execute()
    scene.node.faults.clear()
    scene.node.staleHead = undefined
  })

  test.each<[string, string, Fault]>([
    ['a broadcast whose answer is lost', 'eth_sendRawTransaction', 'answer lost'],
    ['a receipt that is refused', 'eth_getTransactionReceipt', 'refused'],
    ['a receipt that hangs', 'eth_getTransactionReceipt', 'hangs'],
    ['a receipt that is never there', 'eth_getTransactionReceipt', 'sees nothing'],
  ])(
    '%s leaves the outcome unknown; the same payment then gets the stored reply for one transfer, sent once',
    async (_case, method, fault) => {
      const before = await counts()
      scene.node.faults.set(method, fault)
      // Otherwise the sweep would find the transaction soon after.
      if (fault === 'answer lost') scene.node.faults.set('eth_getTransactionReceipt', 'refused')
      const payment = await signPayment(account, price)
      expectUnknown(await pay(payment))
      const row = await rowOf(payment)
      expect(row).toMatchObject({ state: 'settling' })

      scene.node.faults.clear()
      await endLease(payment)
      const paid = await pay(payment)
      expect(paid.status).toBe(200)
      expect(paid.text).toBe(Buffer.from(row?.replyBody ?? []).toString())
      expect(transactionOf(paid)).toBe(row?.transaction)
      expect(await provesPayment(paid, payment)).toBe(true)
      expect((await pay(payment)).text).toBe(paid.text)
      expect(await since(before)).toEqual({ asked: 1, received: price, sent: 1 })
    },
  )

  test('a transfer that the node refuses is unknown, and is sent again when the node accepts it', async () => {
    const before = await counts()
    scene.node.faults.set('eth_sendRawTransaction', 'refused')
    const payment = await signPayment(account, price)
    expectUnknown(await pay(payment))
    expect(await stateOf(payment)).toBe('settling')
    expect(await received()).toBe(before.received)

    scene.node.faults.clear()
    await endLease(payment)
    const paid = await pay(payment)
    expect(paid.status).toBe(200)
    expect(await provesPayment(paid, payment)).toBe(true)
    expect(await since(before)).toMatchObject({ asked: 1, received: price })
  })

  test('an unknown outcome is found without the caller', async () => {
    scene.node.faults.set('eth_sendRawTransaction', 'refused')
    const payment = await signPayment(account, price)
    expectUnknown(await pay(payment))
    scene.node.faults.clear()
    await expect.poll(() => stateOf(payment), { interval: 100 }).toBe('settled')
    expect((await pay(payment)).status).toBe(200)
  })

  test('a node that lags behind makes no payer pay twice: unknown stays unknown until it has caught up', async () => {
    const before = await counts()
    const head = await scene.chain.client.getBlockNumber()
    scene.node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    const payment = await signPayment(account, price)
    expectUnknown(await pay(payment))
    scene.node.faults.clear()
    expect(await received()).toBe(before.received + price)

    // The node shows the chain before the transfer. The transfer is sent again, which cannot move the money
    // again.
    scene.node.staleHead = head
    await endLease(payment)
    const repeated = payNow(payment)
    await expect.poll(() => rowOf(payment)).toMatchObject({ state: 'settling', tries: 2 })

    scene.node.staleHead = undefined
    await endLease(payment)
    const paid = await repeated
    expect(paid.status).toBe(200)
    expect(await provesPayment(paid, payment)).toBe(true)
    expect(await since(before)).toMatchObject({ asked: 1, received: price })
  })

  test('a node without events does not prove that the payer canceled', async () => {
    const before = await counts()
    scene.node.faults.set('eth_getTransactionReceipt', 'sees nothing')
    const payment = await signPayment(account, price)
    expectUnknown(await pay(payment))
    scene.node.faults.clear()

    scene.node.faults.set('eth_getLogs', 'sees nothing')
    const looked = scene.node.count('eth_getLogs')
    await endLease(payment)
    const repeated = payNow(payment)
    await expect
      .poll(() => scene.node.count('eth_getLogs'), {
        message: 'the sweep did not search for events',
      })
      .toBeGreaterThan(looked)
    await expect
      .poll(() => rowOf(payment))
      .toMatchObject({ state: 'settling', leaseUntil: expect.toSatisfy((at: Date) => at.getTime() > 0) })
    scene.node.faults.clear()
    await endLease(payment)
    expect((await repeated).status).toBe(200)
    expect(await since(before)).toEqual({ asked: 1, received: price, sent: 1 })
  })

  test('a transaction that the node has dropped does not block later ones', async () => {
    const { client } = scene.chain
    const before = await counts()
    await stopMining()
    const payment = await signPayment(account, price)
    try {
      expectUnknown(await pay(payment))
      const row = await rowOf(payment)
      await client.dropTransaction({ hash: hexOf(row?.transaction) })
    } finally {
      await client.setAutomine(true)
    }
    expect((await pay(await signPayment(account, price))).status).toBe(200)
    await endLease(payment)
    expect((await pay(payment)).status).toBe(200)
    expect(await since(before)).toMatchObject({ asked: 2, received: 2n * price })
  })

  test('a payment whose transaction was replaced by another is not refused: it is sent again', async () => {
    const { client } = scene.chain
    const before = await counts()
    await stopMining()
    const payment = await signPayment(account, price)
    const settler = devSettler.address
    const nonce = await client.getTransactionCount({ address: settler })
    const reply = payNow(payment)
    try {
      const pending = () => client.getTransactionCount({ address: settler, blockTag: 'pending' })
      await expect.poll(pending, { message: 'the replacement was not sent' }).toBe(nonce + 1)
      const maxFeePerGas = 10n ** 12n
      const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
      await client.sendTransaction({ account: settler, to: settler, nonce, ...fees })
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expectUnknown(await reply)
    await endLease(payment)
    expect((await pay(payment)).status).toBe(200)
    expect(await since(before)).toMatchObject({ asked: 1, received: price })
  })

  test('two gateways with one settlement account take turns, and neither blocks the other', async () => {
    const other = await scene.start({ SETTLEMENT_TIMEOUT_MS: '20000' })
    try {
      for (const seller of [gateway, other, gateway, other]) {
        expect((await pay(await signPayment(account, price), seller)).status).toBe(200)
      }
    } finally {
      await other.close()
    }
  })

  describe('actions of others on the chain between verification and settlement', () => {
    /** Pays, and runs `meanwhile` right before the settlement is sent to the node. */
    async function payWhile(payment: SignedPayment, meanwhile: () => Promise<unknown>) {
      const held = scene.node.hold('eth_sendRawTransaction')
      try {
        const reply = payNow(payment)
        await held.reached
        expect(await stateOf(payment)).toBe('served')
        await meanwhile()
        held.release()
        return await reply
      } finally {
        held.release()
      }
    }

    test('an authorization that another account submits is the payment: the caller gets the reply, and that transaction', async () => {
      const before = await counts()
      const payment = await signPayment(account, price)
      let submitted: Hex | undefined
      const reply = await payWhile(payment, async () => {
        submitted = await submit(payment)
      })
      expect(reply.status).toBe(200)
      expect(transactionOf(reply)).toBe(submitted)
      expect(await rowOf(payment)).toMatchObject({ state: 'settled', transaction: submitted })
      expect(await since(before)).toMatchObject({ asked: 1, received: price })
    })

    test('a payer who cancels the authorization gets 402 with the reason, now and later', async () => {
      const before = await counts()
      const payment = await signPayment(account, price)
      expectRefused(
        await payWhile(payment, () => cancel(payment)),
        'invalid_transaction_state',
        'PAYMENT_FAILED',
      )
      expect(await rowOf(payment)).toMatchObject({ state: 'failed', replyBody: null })
      const again = await pay(payment)
      expectRefused(again, 'invalid_transaction_state')
      expect(again.body.message).toContain('do not pay again: ask the operator')
      expect(again.body.message).not.toContain('no money was taken')
      expectRefused(await pay(payment).send({ companyName: 'Other Dental' }), 'invalid_transaction_state')
      expect(await since(before)).toMatchObject({ asked: 1, received: 0n })
    })

    test('a payer who empties the wallet gets 402 with the reason; with money again the same payment buys, and pays first', async () => {
      const before = await counts()
      const wallet = freshWallet()
      await scene.chain.mint(wallet.address, price)
      const payment = await signPayment(wallet, price)
      expectRefused(
        await payWhile(payment, () => empty(wallet)),
        'invalid_transaction_state',
        'PAYMENT_FAILED',
      )
      expect(await rowOf(payment)).toMatchObject({ state: 'failed', replyBody: null })
      expectRefused(await pay(payment), 'insufficient_funds')
      expect(await since(before)).toMatchObject({ asked: 1, received: 0n })

      await scene.chain.mint(wallet.address, price)
      expect((await pay(payment)).status).toBe(200)
      expect(await rowOf(payment)).toMatchObject({ state: 'settled', timing: 'before' })
      expect(await since(before)).toMatchObject({ asked: 2, received: price })
    })

    test('of two equal payments in one transaction, the good one does not prove the canceled one', async () => {
      const before = await counts()
      const [first, good, canceled] = await Promise.all([
        signPayment(account, price),
        signPayment(account, price),
        signPayment(account, price),
      ])
      let others: Promise<[request.Response, request.Response]> | undefined
      // While the first is sent, the two others queue behind it and then go together.
      const reply = await payWhile(first, async () => {
        others = Promise.all([payNow(good), payNow(canceled)])
        const states = async () => [await stateOf(good), await stateOf(canceled)]
        await expect.poll(states).toEqual(['served', 'served'])
        await cancel(canceled)
      })
      expect(reply.status).toBe(200)
      const [paid, refused] = (await others) ?? []
      if (!paid || !refused) throw new Error('the two payments were not sent')
      expect(paid.status).toBe(200)
      expect(await provesPayment(paid, good)).toBe(true)
      expectRefused(refused, 'invalid_transaction_state', 'PAYMENT_FAILED')
      expect([await stateOf(good), await stateOf(canceled)]).toEqual(['settled', 'failed'])
      expect(await since(before)).toEqual({ asked: 3, received: 2n * price, sent: 2 })
      const { to } = await scene.chain.client.getTransaction({ hash: transactionOf(paid) })
      expect(to && isAddressEqual(to, multicall3Address)).toBe(true)
    })
  })

  describe('when the store cannot be written', () => {
    /** Makes the store refuse every move to `state` until the end of the test. */
    async function refuse(state: string): Promise<() => Promise<void>> {
      const { queries } = scene
      await sql`
        create function refuse_move() returns trigger language plpgsql as
        ${sql.lit(`begin if new.state = '${state}' then raise exception 'the disk is full'; end if; return new; end`)}
      `.execute(queries)
      await sql`create trigger refuse_move before update on payments for each row execute function refuse_move()`.execute(
        queries,
      )
      return async () => void (await sql`drop function refuse_move cascade`.execute(queries))
    }

    test('when the store fails after the handler ran, nothing is settled and the caller is not told to pay again', async () => {
      const before = await counts()
      const payment = await signPayment(account, price)
      const mend = await refuse('served')
      try {
        expectUnknown(await pay(payment))
      } finally {
        await mend()
      }
      expect(await since(before)).toEqual({ asked: 1, received: 0n, sent: 0 })
      await endLease(payment)
      expect((await pay(payment)).status).toBe(200)
      expect(await since(before)).toMatchObject({ received: price })
    })

    test('when the store fails after the money moved, the caller gets the reply, and gets it again', async () => {
      const before = await counts()
      const payment = await signPayment(account, price)
      const mend = await refuse('settled')
      const first = await payNow(payment)
      expect(first.status).toBe(200)
      expect(await stateOf(payment)).toBe('served')
      await endLease(payment)
      expectUnknown(await payNow(payment).finally(mend))
      await endLease(payment)
      const again = await pay(payment)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(transactionOf(again)).toBe(transactionOf(first))
      expect(await since(before)).toEqual({ asked: 1, received: price, sent: 1 })
    })

    test('a failed settlement is not reported before it is recorded', async () => {
      const wallet = freshWallet()
      await scene.chain.mint(wallet.address, price)
      const payment = await signPayment(wallet, price)
      const mend = await refuse('failed')
      const held = scene.node.hold('eth_sendRawTransaction')
      try {
        const reply = payNow(payment)
        await held.reached
        await empty(wallet)
        held.release()
        expectUnknown(await reply)
      } finally {
        held.release()
        await mend()
      }
      await endLease(payment)
      expectRefused(await pay(payment), 'insufficient_funds')
      expect(await rowOf(payment)).toMatchObject({ state: 'failed', failure: 'invalid_transaction_state' })
    })
  })

  test('no failure writes a signature to the log', async () => {
    scene.node.faults.set('eth_call', 'answer lost')
    const payment = await signPayment(account, price)
    expect((await pay(payment)).body).toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
    const log = gateway.logged.join('')
    expect(log).toContain('the outcome of a settlement is unknown')
    const rows = await scene.queries.selectFrom('payments').select('signature').execute()
    const signatures = [payment.signature, ...rows.map(({ signature }) => signature)]
    // r and s, which every form of a signature contains.
    expect(signatures.filter((signature) => log.includes(signature.slice(2, 130)))).toEqual([])
  })

  test('after all tests above, the books and the chain name the same sum', async () => {
    const taken = (await totals(scene)).filter(({ state }) => ['paid', 'settled', 'final'].includes(state))
    expect(taken.reduce((sum, { amount }) => sum + amount, 0n)).toBe((await received()) - receivedAtFirst)
  })
})

describe('a gateway that is killed', () => {
  beforeAll(async () => {
    scene = await startScene()
  })
  afterAll(() => scene.close())

  /** Runs `until` against a gateway in its own process, then kills that process. */
  async function killAfter(until: (doomed: { url: string }) => Promise<void>): Promise<void> {
    const workplace = await openWorkplace()
    try {
      const port = await freePort()
      const doomed = workplace.start('main', {
        settings: {
          ...scene.settings,
          RPC_URL: scene.node.url,
          PAY_TO: devPayTo.address,
          SETTLER_KEY: devSettler.privateKey,
          PORT: String(port),
          // The gateway is killed while it waits, so it must not time out before.
          RPC_TIMEOUT_MS: '30000',
          SETTLEMENT_TIMEOUT_MS: '30000',
        },
      })
      await doomed.shows(/tollgate listens/)
      await until({ url: `http://127.0.0.1:${port}` })
      doomed.signal('SIGKILL')
      await doomed.ended
    } finally {
      await workplace.close()
    }
  }

  test.each<[string, string, bigint]>([
    ['before its broadcast reaches the node', 'eth_sendRawTransaction', 0n],
    ['between its broadcast and the receipt', 'eth_getTransactionReceipt', price],
  ])(
    'a gateway that is killed %s leaves a served payment that the next start finishes: one transfer, and the stored reply',
    async (_moment, method, moved) => {
      const before = await counts()
      const payment = await signPayment(account, price)
      scene.node.faults.set(method, 'hangs')
      await killAfter(async (doomed) => {
        const reached = scene.node.count(method)
        void payNow(payment, doomed).catch(() => 'killed')
        await expect
          .poll(() => scene.node.count(method), { message: `no ${method} reached the node` })
          .toBeGreaterThan(reached)
      })
      const row = await rowOf(payment)
      expect(row).toMatchObject({ state: 'served' })
      expect((await since(before)).received).toBe(moved)

      scene.node.faults.clear()
      await endLease(payment)
      gateway = await scene.start()
      try {
        await expect.poll(() => stateOf(payment)).toBe('settled')
        const paid = await pay(payment)
        expect(paid.status).toBe(200)
        expect(paid.text).toBe(Buffer.from(row?.replyBody ?? []).toString())
        expect(await provesPayment(paid, payment)).toBe(true)
        expect(await since(before)).toMatchObject({ asked: 1, received: price })
        await expect
          .poll(gasTransactions, { message: 'the gas of the settlement is not in the books' })
          .toContain(transactionOf(paid))
      } finally {
        await gateway.close()
      }
    },
  )

  const gasTransactions = async () =>
    (await scene.queries.selectFrom('gasCosts').select('transaction').execute()).map(
      ({ transaction }) => transaction,
    )

  test('a gateway that is killed while the handler runs has charged nothing, and the same payment buys a run when its lease has ended', async () => {
    const before = await counts()
    const payment = await signPayment(account, price)
    scene.model.answer = 'never'
    await killAfter(async (doomed) => {
      void payNow(payment, doomed).catch(() => 'killed')
      await expect
        .poll(() => scene.model.asked, { message: 'the handler did not begin' })
        .toBe(before.asked + 1)
    })
    scene.model.answer = 'research'
    expect(await stateOf(payment)).toBe('claimed')

    await endLease(payment)
    gateway = await scene.start({ SETTLEMENT_TIMEOUT_MS: '20000' })
    try {
      expect((await pay(payment)).status).toBe(200)
      expect(await since(before)).toEqual({ asked: 2, received: price, sent: 1 })
    } finally {
      await gateway.close()
    }
  })
})

describe('on a chain whose time moves', () => {
  beforeAll(async () => {
    scene = await startScene()
    gateway = await scene.start()
  })
  afterAll(async () => {
    await gateway.close()
    await scene.close()
  })

  test('an unknown payment whose authorization expires has failed, and moves no money later', async () => {
    const { client } = scene.chain
    const before = await received()
    scene.node.faults.set('eth_sendRawTransaction', 'refused')
    const payment = await signPayment(account, price)
    expectUnknown(await pay(payment))
    await client.increaseTime({ seconds: 660 })
    await client.mine({ blocks: 1 })
    scene.node.faults.clear()
    await endLease(payment)
    // Our clock has not moved with the chain's, so the reason is only that the token refuses it.
    expectRefused(await pay(payment), 'invalid_exact_evm_payload_signature')
    const failure = 'invalid_exact_evm_payload_authorization_valid_before'
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', failure })
    await submit(payment)
    expect(await received()).toBe(before)
  })

  test('an authorization’s outcome is found further back than one search for events reaches', async () => {
    const { client } = scene.chain
    const valid = { validBefore: BigInt(Math.floor(Date.now() / 1000)) + 10_000n }
    const [used, canceled, usedOtherwise] = await Promise.all([
      signPayment(account, price, valid),
      signPayment(account, price, valid),
      signPayment(account, price, valid),
    ])
    const elsewhere = await signPayment(account, price, { ...usedOtherwise.authorization, to: bystander })
    const transaction = await submit(used)
    await cancel(canceled)
    await submit(elsewhere)
    await client.mine({ blocks: 50 })

    const find = ({ authorization }: SignedPayment) =>
      findAuthorizationState(client, network.usdc.address, authorization, { blocksAtOnce: 10n })
    expect(await find(used)).toMatchObject({ kind: 'transferred', transaction })
    expect(await find(canceled)).toEqual({ kind: 'canceled' })
    expect(await find(usedOtherwise)).toEqual({ kind: 'canceled' })
    expect(await find(await signPayment(account, price, valid))).toMatchObject({ kind: 'unused' })
  })
})

function hexOf(text: string | null | undefined): Hex {
  if (!isHex(text)) throw new Error('no transaction was named')
  return text
}
