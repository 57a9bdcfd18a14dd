import type { PaymentPayload } from '@x402/core/types'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { tokenAbi } from '../../../src/doors/x402/evidence/token.ts'
import { Failover } from '../../../src/doors/x402/facilitators/failover.ts'
import { RemoteFacilitator } from '../../../src/doors/x402/facilitators/remote.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import type { Facilitator } from '../../../src/doors/x402/wire/facilitator.ts'
import { type Offer, requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import {
  account,
  chatCall,
  network,
  operation,
  payUpto,
  readable,
  requiredBy,
} from '../../support/chain/upto.ts'
import { freshWallet } from '../../support/chain/wallet.ts'
import { startFacilitator, type TestFacilitator } from '../../support/servers/facilitator.ts'

let chain: TestChain
let far: TestFacilitator
let other: TestFacilitator
let client: ReturnType<typeof createChainClient>
let remote: Facilitator
const gasKeys = [devPayers[6].privateKey, devPayers[5].privateKey] as const

const remoteAt = (url: string) => new RemoteFacilitator({ url, timeoutMs: 2_000, client, network })

beforeAll(async () => {
  chain = await startTestChain()
  client = createChainClient({ network, rpcUrl: chain.rpcUrl, timeoutMs: 5_000 })
  const bystander = devPayers[4].address
  const foreign = await chain.client.sendTransaction({ account: bystander, to: bystander })
  far = await startFacilitator(chain.rpcUrl, foreign, gasKeys[0])
  other = await startFacilitator(chain.rpcUrl, foreign, gasKeys[1])
  remote = remoteAt(far.url)
  await remote.checkReady()
})

afterAll(async () => {
  await far.close()
  await other.close()
  await chain.close()
})

afterEach(() => {
  far.settle = 'well'
})

const offerOf = (facilitator: Facilitator): Offer => ({
  network,
  payTo: devPayTo.address,
  upto: facilitator.uptoAddress,
})

/** Signs the payment that a wallet's client makes for a 402 that names this facilitator. */
function sign(
  wallet: LocalAccount = account,
  facilitator = remote,
  allowance = 50_000n,
): Promise<PaymentPayload> {
  const challenges = new Challenges(offerOf(facilitator), 'https://pay.example.com')
  return payUpto(wallet, requiredBy(challenges.unpaid(chatCall, operation)), { allowance, nonce: 0n })
}

const requirementOf = (amount = 50_000n, facilitator = remote) => ({
  ...requirementFor(operation, offerOf(facilitator), 'upto'),
  amount: amount.toString(),
})

const received = () =>
  chain.client.readContract({
    address: network.usdc.address,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })

describe('a remote facilitator that settles upto', () => {
  test('is named in the 402 by the account that it settles from', () => {
    expect(remote.uptoAddress()).toBe(privateKeyToAccount(gasKeys[0]).address)
  })

  test('verifies what a wallet signed for it, and takes exactly the requested amount', async () => {
    const payment = readable(await sign())
    expect(await remote.verify(payment, requirementOf())).toMatchObject({ isValid: true })
    const before = await received()
    const settled = await remote.settle(payment, requirementOf(1_234n), 'first')
    expect(settled).toMatchObject({ outcome: 'settled', transaction: expect.stringMatching(/^0x/) })
    expect(await received()).toBe(before + 1_234n)
  })

  test('accepts a payment with the wallet’s permit, and refuses it without', async () => {
    const wallet = freshWallet()
    await chain.mint(wallet.address, 60_000n)
    const { permit, ...bare } = readable(await sign(wallet, remote, 0n))
    expect(await remote.verify(bare, requirementOf())).toMatchObject({
      isValid: false,
      refusal: { reason: 'permit2_allowance_required' },
    })
    expect(await remote.verify({ ...bare, permit }, requirementOf())).toMatchObject({ isValid: true })
    const before = await received()
    expect(await remote.settle({ ...bare, permit }, requirementOf(50_000n), 'first')).toMatchObject({
      outcome: 'settled',
    })
    expect(await received()).toBe(before + 50_000n)
  })

  test('is not believed when the transaction that it names shows no such transfer', async () => {
    const payment = readable(await sign())
    far.settle = 'names somebody else’s transaction'
    expect(await remote.settle(payment, requirementOf(10n), 'first')).toMatchObject({ outcome: 'unknown' })
  })

  test('is believed only for the amount that the chain shows, even when asked again', async () => {
    const payment = readable(await sign())
    expect(await remote.settle(payment, requirementOf(500n), 'first')).toMatchObject({ outcome: 'settled' })
    const before = await received()
    expect(await remote.settle(payment, requirementOf(400n), 'again')).toMatchObject({ outcome: 'unknown' })
    expect(await remote.settle(payment, requirementOf(500n), 'again')).toMatchObject({ outcome: 'settled' })
    expect(await received()).toBe(before)
  })

  test('counts as settled when its reply is lost and the chain shows the transfer', async () => {
    const payment = readable(await sign())
    far.settle = 'sends, then answers 502'
    expect(await remote.settle(payment, requirementOf(77n), 'first')).toMatchObject({ outcome: 'settled' })
  })
})

describe('of several remote facilitators', () => {
  let failover: Facilitator
  let second: Facilitator

  beforeAll(async () => {
    second = remoteAt(other.url)
    failover = new Failover({ facilitators: [remoteAt(far.url), second], client, log: createLog('silent') })
    await failover.checkReady()
  })

  test('the first that is ready is named in the 402', () => {
    expect(failover.uptoAddress()).toBe(remote.uptoAddress())
    expect(second.uptoAddress()).toBe(privateKeyToAccount(gasKeys[1]).address)
  })

  test('only the one that a payment was signed for is asked to verify and settle it', async () => {
    const payment = readable(await sign(account, second))
    const asksOfFirst = { ...far.count }
    expect(await failover.verify(payment, requirementOf(50_000n, second))).toMatchObject({ isValid: true })
    expect(await failover.settle(payment, requirementOf(9n, second), 'first')).toMatchObject({
      outcome: 'settled',
    })
    expect(far.count).toEqual(asksOfFirst)
  })

  test('none is asked for a payment that was signed for another account, and its settlement stays unknown', async () => {
    const payment = readable(await sign(account, second))
    const facilitator = devPayers[3].address
    const foreign = { ...payment, authorization: { ...payment.authorization, facilitator } }
    const asks = [{ ...far.count }, { ...other.count }]
    await expect(failover.verify(foreign, requirementOf())).rejects.toThrow('none settles from the account')
    expect(await failover.settle(foreign, requirementOf(9n), 'first')).toMatchObject({ outcome: 'unknown' })
    expect([far.count, other.count]).toEqual(asks)
  })
})
