import request from 'supertest'
import { type Address, concat, encodeAbiParameters, getContractAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPayers, devPayTo } from '../../src/chain/dev-accounts.ts'
import { networks } from '../../src/chain/networks.ts'
import { tokenAbi } from '../../src/x402/token.ts'
import { contractCode, startTestChain, type TestChain } from '../support/chain.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startRpcProxy } from '../support/rpc-proxy.ts'
import { signPayment, v1Header, v2Header } from '../support/wallet.ts'

let chain: TestChain
let gateway: TestGateway
const owner = privateKeyToAccount(devPayers[0].privateKey)
const deployer = privateKeyToAccount(devPayers[5].privateKey)
const price = 100_000n

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl)
})

afterAll(async () => {
  await gateway.close()
  await chain.close()
})

async function deploy(code: Hex): Promise<Address> {
  const nonce = BigInt(await chain.client.getTransactionCount({ address: deployer.address }))
  const hash = await chain.client.sendTransaction({ account: deployer, data: code })
  await chain.client.waitForTransactionReceipt({ hash })
  const wallet = getContractAddress({ from: deployer.address, nonce })
  await chain.mint(wallet, 10n * price)
  return wallet
}

const balanceOf = (address: Address) =>
  chain.client.readContract({
    address: networks['base-sepolia'].usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [address],
  })

const pay = (header: string) =>
  request(gateway.url).post('/api/analyze').set('PAYMENT-SIGNATURE', header).send({ businessName: 'Acme' })

test('a wallet contract pays with what its owner signed, once', async () => {
  const wallet = await deploy(
    concat([
      await contractCode('ContractWallet'),
      encodeAbiParameters([{ type: 'address' }], [owner.address]),
    ]),
  )
  const before = await balanceOf(devPayTo.address)
  const header = v2Header(await signPayment(owner, price, { from: wallet }))
  const replies = [await pay(header), await pay(header)]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect((await balanceOf(devPayTo.address)) - before).toBe(price)
})

test('a wallet contract does not pay with what somebody else signed', async () => {
  const wallet = await deploy(
    concat([
      await contractCode('ContractWallet'),
      encodeAbiParameters([{ type: 'address' }], [owner.address]),
    ]),
  )
  const reply = await pay(v1Header(await signPayment(deployer, price, { from: wallet })))
  expect(reply.status).toBe(402)
  expect(reply.body).toMatchObject({ details: { reason: 'invalid_exact_evm_payload_signature' } })
})

test('a wallet that burns gas gets nothing, and the payments beside it all settle', async () => {
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

test('a node that cannot estimate is no reason to give a payment up: it is unknown, and settles once the node works', async () => {
  const proxy = await startRpcProxy(chain.rpcUrl)
  const behind = await startGateway(proxy.url)
  try {
    const wallet = await deploy(
      concat([
        await contractCode('ContractWallet'),
        encodeAbiParameters([{ type: 'address' }], [owner.address]),
      ]),
    )
    const before = await balanceOf(devPayTo.address)
    const header = v2Header(await signPayment(owner, price, { from: wallet }))
    const send = () =>
      request(behind.url).post('/api/analyze').set('PAYMENT-SIGNATURE', header).send({ businessName: 'Acme' })
    proxy.faults.set('eth_estimateGas', 'refused')
    const first = await send()
    expect([first.status, first.body.code]).toEqual([503, 'SETTLEMENT_UNKNOWN'])
    proxy.faults.clear()
    expect((await send()).status).toBe(200)
    expect((await balanceOf(devPayTo.address)) - before).toBe(price)
  } finally {
    await behind.close()
    await proxy.close()
  }
})
