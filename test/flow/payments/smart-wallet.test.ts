import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import request from 'supertest'
import {
  type Address,
  concat,
  getContractAddress,
  type Hex,
  type LocalAccount,
  serializeErc6492Signature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import {
  PaymentsUnavailable,
  type Settlement,
  type Verdict,
} from '../../../src/doors/x402/wire/facilitator.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { codeWith } from '../../support/chain/burners.ts'
import { contractCode, temporaryFolder } from '../../support/chain/chain.ts'
import {
  type SettlementScene,
  settle,
  settleAgain,
  sign,
  startSettlementScene,
  type TestSettler,
  transactionOf,
} from '../../support/chain/settlement.ts'
import { signUpto } from '../../support/chain/upto-authorization.ts'
import {
  freshWallet,
  type SignedPayment,
  signPayment,
  v1Header,
  v2Header,
} from '../../support/chain/wallet.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'

const network = networks['base-sepolia']
const owner = privateKeyToAccount(devPayers[0].privateKey)
const deployer = privateKeyToAccount(devPayers[5].privateKey)
const price = 100_000n

let scene: SettlementScene
let gateway: TestGateway
let files: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  scene = await startSettlementScene()
  files = await temporaryFolder()
  const catalog = await writeCatalog(files.folder, { researchLead: { replay: 'payer', price: '0.10' } })
  gateway = await startGateway(scene.node.url, { CATALOG_FILE: catalog })
})
afterEach(() => scene.tidy())
afterAll(async () => {
  await gateway.close()
  await files.remove()
  await scene.close()
})

const signatureSchema = z.templateLiteral(['0x', z.string()])

async function deploy(code: Hex): Promise<Address> {
  const { chain } = scene
  const nonce = BigInt(await chain.client.getTransactionCount({ address: deployer.address }))
  const hash = await chain.client.sendTransaction({ account: deployer, data: code })
  await chain.client.waitForTransactionReceipt({ hash })
  const wallet = getContractAddress({ from: deployer.address, nonce })
  await chain.mint(wallet, 10n * price)
  return wallet
}

/** A wallet contract that pays with signatures of `owner`. */
async function deployWallet(): Promise<Address> {
  return deploy(await codeWith('ContractWallet', [{ type: 'address' }], [owner.address]))
}

const balanceOf = (address: Address) =>
  scene.chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [address],
  })

/** The local facilitator's verdict, without a gateway. */
const verify = ({ facilitator }: TestSettler, payment: SignedPayment): Promise<Verdict> =>
  facilitator.verify(
    {
      version: 1,
      identifier: undefined,
      accepted: { version: 1, scheme: 'exact', network: network.name },
      ...payment,
    },
    {
      scheme: 'exact',
      network: network.caip2,
      amount: price.toString(),
      asset: network.usdc.address,
      payTo: devPayTo.address,
      maxTimeoutSeconds: 300,
      extra: { name: network.usdc.name, version: network.usdc.version },
    },
  )

/** A call of the token itself. */
const transferSchema = z.tuple(
  [z.object({ to: z.string().regex(RegExp(network.usdc.address, 'i')) })],
  z.unknown(),
)

const refusedFor = (reason: string) => ({ isValid: false, refusal: { reason } })
const badSignature = refusedFor('invalid_exact_evm_payload_signature')

const pay = (header: string) =>
  request(gateway.url)
    .post('/api/analyze')
    .set('PAYMENT-SIGNATURE', header)
    .send({ businessName: 'Acme Dental' })

test('a wallet contract pays once with a signature of its owner', async () => {
  const wallet = await deployWallet()
  const before = await balanceOf(devPayTo.address)
  const header = v2Header(await signPayment(owner, price, { from: wallet }))
  const replies = [await pay(header), await pay(header)]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect((await balanceOf(devPayTo.address)) - before).toBe(price)
})

test('a wallet contract gets its lost reply by a sign-in of its owner, also in the form of ERC-6492, and nobody else does', async () => {
  const wallet = await deployWallet()
  const header = v2Header(await signPayment(owner, price, { from: wallet }))
  const fetchAgain = (signIn: string) =>
    request(gateway.url)
      .post('/api/leads/research')
      .set({ 'PAYMENT-SIGNATURE': header, 'SIGN-IN-WITH-X': signIn })
      .send({ companyName: 'Acme Dental' })
  const first = await fetchAgain('')
  expect(first.status).toBe(200)
  const refused = await fetchAgain('')
  expect(refused.body).toMatchObject({ code: 'PAYMENT_REPLAYED' })
  const challenge = refused.body.details.sign_in
  const signedBy = async (signer: LocalAccount) =>
    createSIWxPayload(challenge, { ...signer, address: wallet }, challenge.uri)
  const wrapped = async (signer: LocalAccount) => {
    const signIn = await signedBy(signer)
    const signature = serializeErc6492Signature({
      address: wallet,
      data: '0x',
      signature: signatureSchema.parse(signIn.signature),
    })
    return encodeSIWxHeader({ ...signIn, signature })
  }
  for (const proof of [encodeSIWxHeader(await signedBy(owner)), await wrapped(owner)]) {
    const again = await fetchAgain(proof)
    expect([again.status, again.text]).toEqual([200, first.text])
  }
  for (const forged of [encodeSIWxHeader(await signedBy(deployer)), await wrapped(deployer)]) {
    expect((await fetchAgain(forged)).body).toMatchObject({ code: 'PAYMENT_REPLAYED' })
  }
})

test('a wallet contract does not pay with a signature of another account', async () => {
  const wallet = await deployWallet()
  const reply = await pay(v1Header(await signPayment(deployer, price, { from: wallet })))
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ details: { reason: 'invalid_exact_evm_payload_signature' } })
})

test('a wallet that burns gas is not served, and all payments beside it settle', async () => {
  const burner = await deploy(await contractCode('GasBurner'))
  const before = await balanceOf(devPayTo.address)
  const bad = await Promise.all(
    [1, 2, 3].map(async () => v2Header(await signPayment(owner, price, { from: burner }))),
  )
  const good = await Promise.all(
    Array.from({ length: 30 }, async () => v2Header(await signPayment(owner, price))),
  )
  const [burnt, served] = await Promise.all([
    Promise.all(bad.map((header) => pay(header))),
    Promise.all(good.map((header) => pay(header))),
  ])
  expect(burnt.map(({ status }) => status)).toEqual([402, 402, 402])
  expect(served.map(({ status }) => status)).toEqual(Array(30).fill(200))
  expect((await balanceOf(devPayTo.address)) - before).toBe(30n * price)
  expect(await balanceOf(burner)).toBe(10n * price)
})

test('a wallet that burned the gas of its transaction gets a 402 that says until when it is refused', async () => {
  // A block for each transaction and no other, so that the burner agrees to the trial.
  await scene.stopMining()
  await scene.startMining()
  const burner = await deploy(await contractCode('BlockBurner'))
  if ((await scene.chain.client.getBlockNumber()) % 2n === 1n) await scene.chain.client.mine({ blocks: 1 })
  const burnt = await pay(v2Header(await signPayment(owner, price, { from: burner })))
  expect([burnt.status, burnt.body.code]).toEqual([402, 'PAYMENT_FAILED'])

  const refused = await pay(v2Header(await signPayment(owner, price, { from: burner })))

  expect([refused.status, refused.body.code]).toEqual([402, 'PAYMENT_INVALID'])
  expect(refused.body.details).toMatchObject({
    reason: 'smart_wallet_refused',
    problem: expect.stringMatching(
      /refused until 20\d\d-.*Z: pay then, or from a wallet without a contract now/,
    ),
  })
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(refused.body.details.retry_after_seconds).toBe(seconds)
})

test('a heavy wallet gets a 402 that says how much gas its payment takes and what is the most', async () => {
  const code = await codeWith('HeavyWallet', [{ type: 'uint256' }], [1_500n])
  const reply = await pay(v2Header(await signPayment(owner, price, { from: await deploy(code) })))
  expect(reply.status).toBe(402)
  expect(reply.body.details).toMatchObject({ reason: 'smart_wallet_gas_limit', gas: { most: 200_000 } })
  expect(reply.body.details.gas.needed).toBeGreaterThan(300_000)
})

test('a wallet contract that accepts only simulations is refused before it is served', async () => {
  const tested = scene.start([await scene.gasAccount()])
  const burner = await deploy(await contractCode('GasBurner'))
  expect(await verify(tested, await signPayment(owner, price, { from: burner }))).toMatchObject(badSignature)
})

test('a verdict on a wallet contract names its balance and the missing amount', async () => {
  const tested = scene.start([await scene.gasAccount()])
  const wallet = await deployWallet()
  expect(await verify(tested, await signPayment(owner, price, { from: wallet }))).toMatchObject({
    isValid: true,
    funds: { balance: 10n * price },
  })
  const tooMuch = await signPayment(owner, 11n * price, { from: wallet })
  expect(await verify(tested, tooMuch)).toMatchObject(refusedFor('insufficient_funds'))
})

test('a wallet contract’s payment is verified and settled by the next account when one ran dry since the last check', async () => {
  const [drained, funded] = [await scene.gasAccount(), await scene.gasAccount()]
  const tested = scene.start([drained, funded])
  await tested.facilitator.checkReady()
  const payment = await signPayment(owner, price, { from: await deployWallet() })
  await scene.chain.client.setBalance({ address: drained.address, value: 0n })

  expect(await verify(tested, payment)).toMatchObject({ isValid: true })
  await scene.expectSettled(await settle(tested.settler, payment), payment)
  expect(await scene.countOf(funded)).toBe(1)
})

test('a node that fails during the verification of a wallet does not make its signature invalid', async () => {
  const tested = scene.start([await scene.gasAccount()])
  const payment = await signPayment(owner, price, { from: await deployWallet() })
  for (const [method, fault] of [
    ['eth_getCode', 'refused'],
    ['eth_call', 'refused'],
    ['eth_call', 'answer lost'],
  ] as const) {
    scene.node.faults.set(method, fault)
    await expect(verify(tested, payment)).rejects.toThrow(PaymentsUnavailable)
    scene.node.faults.clear()
  }
  // The node answers all requests except the simulation of the transfer.
  scene.node.meet = async ({ method, params }) =>
    method === 'eth_call' && transferSchema.safeParse(params).success ? 'refused' : undefined
  await expect(verify(tested, payment)).rejects.toThrow(PaymentsUnavailable)
  scene.node.meet = undefined
  expect(await verify(tested, payment)).toMatchObject({ isValid: true })
})

test('wrong signatures for an account without code cost one request to the node', async () => {
  const tested = scene.start([await scene.gasAccount()])
  const { address } = freshWallet()
  const asked = () => scene.node.count('eth_getCode') + scene.node.count('eth_call')
  const before = asked()
  for (const payment of await Promise.all(
    [1, 2, 3].map(() => signPayment(owner, price, { from: address })),
  )) {
    expect(await verify(tested, payment)).toMatchObject(badSignature)
    const longer = concat([payment.signature, '0x00'])
    expect(await verify(tested, { ...payment, signature: longer })).toMatchObject(badSignature)
  }
  expect(asked() - before).toBe(1)
})

test('a transfer that the node cannot simulate is unknown, and settles once the node works', async () => {
  const { settler } = scene.start([await scene.gasAccount()])
  const payment = await signPayment(owner, price, { from: await deployWallet() })
  scene.node.faults.set('eth_call', 'refused')
  expect(await settle(settler, payment)).toMatchObject({ outcome: 'unknown' })
  scene.node.faults.clear()
  await scene.expectSettled(await settleAgain(settler, payment), payment)
})

test('a wallet’s settlement that is tried again while the first waits to be mined is not sent twice', async () => {
  const account = await scene.gasAccount()
  const [before, after] = [scene.start([account], { timeoutMs: 100 }), scene.start([account])]
  const payment = await signPayment(owner, price, { from: await deployWallet() })
  await scene.stopMining()
  expect(await settle(before.settler, payment)).toMatchObject({ outcome: 'unknown' })
  await scene.oneWaitingFrom(account)
  // As after a restart: the settler does not know what was sent.
  expect(await settleAgain(after.settler, payment)).toMatchObject({ outcome: 'unknown' })
  await scene.oneWaitingFrom(account)
})

test('wallet contracts take at most half of the places of payments that go alone, ten for each, and leave the rest to others', async () => {
  const signer = await scene.gasAccount()
  const tested = scene.start([signer])
  const wallets: Address[] = []
  for (let count = 0; count < 11; count += 1) wallets.push(await deployWallet())
  const signed = (from: Address) => signPayment(owner, price / 2n, { from })
  const payments = await Promise.all(
    wallets.flatMap((wallet) => Array.from({ length: 12 }, () => signed(wallet))),
  )
  const [last] = wallets.slice(-1)
  const verifyLast = async () =>
    verify(tested, await signPayment(owner, price, { from: last ?? owner.address }))
  await scene.stopMining()
  expect(await verifyLast()).toMatchObject({ isValid: true })

  const settling = payments.map((payment) => settle(tested.settler, payment))
  await expect
    .poll(() => verifyLast().then(() => 'accepted', String))
    .toMatch('too many payments of smart wallets')
  expect(await verify(tested, await sign())).toMatchObject({ isValid: true })
  const upto = await signUpto(owner, signer.address, price)
  const uptoSettling = settle(tested.settler, upto)
  await scene.startMining()

  await scene.expectSettled(await uptoSettling, upto)
  const outcomes = (await Promise.all(settling)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(Array(payments.length).fill('settled'))
})

test('a plain wallet that gets gas-burning code after its verification burns only its own share of gas', async () => {
  const tested = scene.start([await scene.gasAccount()])
  const burner = await deploy(await contractCode('GasBurner'))
  const turncoat = freshWallet()
  await scene.chain.mint(turncoat.address, 10n * price)
  const [bad, ...good] = await Promise.all([signPayment(turncoat, price), ...Array.from({ length: 5 }, sign)])
  expect(await verify(tested, bad)).toMatchObject({ isValid: true })
  const code = await scene.chain.client.getCode({ address: burner })
  await scene.chain.client.setCode({ address: turncoat.address, bytecode: code ?? '0x' })

  const [burnt, ...starved] = await settleTogether(tested, [bad, ...good])
  expect(burnt).toMatchObject({ outcome: 'failed' })
  const transactions = new Set<Hex>()
  for (const [index, settlement] of starved.entries()) {
    await scene.expectSettled(settlement, good[index] ?? bad)
    transactions.add(transactionOf(settlement))
  }
  // Each goes alone, because their common transaction had no gas left.
  expect(transactions.size).toBe(good.length)
  expect(await tested.metric('tollgate_settlement_payment_gas_sum')).toBeLessThan(2_000_000)

  // From now on it goes alone, and fails.
  const [worse, ...better] = await Promise.all([signPayment(turncoat, price), sign(), sign()])
  const [refused, ...spared] = await settleTogether(tested, [worse, ...better])
  expect(refused).toMatchObject({ outcome: 'failed' })
  expect(new Set(spared.map(transactionOf)).size).toBe(1)
  expect(await verify(tested, await signPayment(turncoat, price))).toMatchObject(badSignature)
})

/** Settles one payment and these others while it is sent: they queue and go together, if they may. */
async function settleTogether(
  { settler }: TestSettler,
  payments: readonly SignedPayment[],
): Promise<Settlement[]> {
  const first = await sign()
  const held = scene.node.hold('eth_sendRawTransaction')
  const alone = settle(settler, first)
  await held.reached
  const together = payments.map((payment) => settle(settler, payment))
  held.release()
  await scene.expectSettled(await alone, first)
  return Promise.all(together)
}
