import { type Address, concat, encodeAbiParameters, getContractAddress, type Hex, parseSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { devAccounts, devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { adoptOrLaunch } from '../../../src/platform/chain/local/launch.ts'
import { createDevClient } from '../../../src/platform/chain/local/place-contracts.ts'
import {
  permit2Abi,
  permit2Address,
  uptoProxyAbi,
  uptoProxyAddress,
} from '../../../src/platform/chain/permit2.ts'
import { contractCode, startChainIn, temporaryFolder } from '../../support/chain/chain.ts'
import {
  facilitator,
  newAccount,
  otherAccount,
  type Payer,
  type Payment,
  payer,
  type Scene,
  startPermit2Scene,
  tokenAbi,
  usdc,
} from '../../support/chain/permit2.ts'

/** Permit2 moves a wallet's USDC only after an approval: by a transaction, or by a signature (EIP-2612). */

let scene: Scene
beforeAll(async () => {
  scene = await startPermit2Scene()
})
afterAll(() => scene.chain.close())

async function freshWallet() {
  const wallet = newAccount()
  await scene.chain.mint(wallet.address, 10_000_000n)
  return wallet
}

function permitOf({ permit2612 }: Payment) {
  if (!permit2612) throw new Error('the client signed no permit')
  return permit2612
}

function withPermit(payment: Payment, value = permitOf(payment).amount) {
  const { deadline, signature } = permitOf(payment)
  const { r, s, yParity } = parseSignature(signature)
  const { permit, owner, witness } = payment.terms
  return scene.chain.client.simulateContract({
    account: facilitator,
    address: uptoProxyAddress,
    abi: [...uptoProxyAbi, ...permit2Abi],
    functionName: 'settleWithPermit',
    args: [
      { value, deadline, r, s, v: 27 + yParity },
      permit,
      500_000n,
      owner,
      witness,
      payment.terms.signature,
    ],
  })
}

/** Carries out a signed permit for Permit2. */
async function approve(owner: Address, value: bigint, deadline: bigint, signature: Hex) {
  const { request } = await scene.chain.client.simulateContract({
    account: otherAccount,
    address: usdc,
    abi: tokenAbi,
    functionName: 'permit',
    args: [owner, permit2Address, value, deadline, signature],
  })
  const hash = await scene.chain.client.writeContract(request)
  await scene.chain.client.waitForTransactionReceipt({ hash })
}

test('a wallet without an approval pays with two signatures, and the rest of the approval remains', async () => {
  const wallet = await freshWallet()
  const payment = await scene.sign(wallet)
  await expect(scene.simulate(payment.terms)).rejects.toThrow('TRANSFER_FROM_FAILED')

  expect(await payment.settle(400_000n)).toMatchObject({ success: true, amount: '400000' })

  expect(await scene.balanceOf(payment.payTo)).toBe(400_000n)
  expect(await scene.allowanceOf(wallet.address)).toBe(600_000n)
})

test('a permit that another account has carried out before does not stop the payment it came with', async () => {
  const wallet = await freshWallet()
  const payment = await scene.sign(wallet)
  const { amount, deadline, signature } = permitOf(payment)
  await approve(wallet.address, amount, deadline, signature)

  await withPermit(payment)

  await expect(approve(wallet.address, amount, deadline, signature)).rejects.toThrow(
    'EIP2612: invalid signature',
  )
})

test('a permit for another amount than the signed maximum is refused', async () => {
  const payment = await scene.sign(await freshWallet())

  await expect(withPermit(payment, 999_999n)).rejects.toThrow('Permit2612AmountMismatch')
})

describe('an EIP-2612 permit is refused', () => {
  test('after its deadline', async () => {
    const wallet = await freshWallet()
    const { amount, deadline, signature } = permitOf(await scene.sign(wallet, -60))

    await expect(approve(wallet.address, amount, deadline, signature)).rejects.toThrow(
      'FiatTokenV2: permit is expired',
    )
  })

  test('when it was signed for another amount or by another account', async () => {
    const wallet = await freshWallet()
    const { amount, deadline, signature } = permitOf(await scene.sign(wallet))

    for (const [owner, value] of [
      [wallet.address, amount + 1n],
      [newAccount().address, amount],
    ] as const) {
      await expect(approve(owner, value, deadline, signature)).rejects.toThrow('EIP2612: invalid signature')
    }
  })
})

test("a wallet contract pays by Permit2 with its owner's signature, and with no other", async () => {
  const deployer = devPayers[7].address
  const { client, mint } = scene.chain
  const nonce = BigInt(await client.getTransactionCount({ address: deployer }))
  const wallet = getContractAddress({ from: deployer, nonce })
  const owner = encodeAbiParameters([{ type: 'address' }], [payer.address])
  const data = concat([await contractCode('ContractWallet'), owner])
  await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ account: deployer, data }) })
  await mint(wallet, 10_000_000n)
  const signedBy = ({ signTypedData }: Payer): Payer => ({ address: wallet, signTypedData })

  const payment = await scene.sign(signedBy(payer))
  expect(await payment.settle(300_000n)).toMatchObject({ success: true })

  expect(await scene.balanceOf(payment.payTo)).toBe(300_000n)
  const { terms } = await scene.sign(signedBy(otherAccount))
  await expect(scene.simulate(terms)).rejects.toThrow('InvalidContractSignature')
})

test('each test wallet has approved Permit2 without a transaction of its own', async () => {
  const { client } = scene.chain
  for (const { address } of devAccounts) expect(await scene.allowanceOf(address)).toBeGreaterThan(2n ** 255n)
  expect(await client.getTransactionCount({ address: devPayers[3].address })).toBe(0)
})

test('a chain with funded wallets and no approvals gets the approvals at its next start, once and without more money', async () => {
  const { folder, remove } = await temporaryFolder()
  onTestFinished(remove)
  const allowanceOn = (rpcUrl: string, owner: Address) =>
    createDevClient(rpcUrl).readContract({
      address: usdc,
      abi: tokenAbi,
      functionName: 'allowance',
      args: [owner, permit2Address],
    })
  await leaveChainWithMoneyOnly(folder)

  const chain = await startChainIn(folder)
  onTestFinished(() => chain.close())

  for (const { address } of devAccounts) {
    expect(await allowanceOn(chain.rpcUrl, address)).toBeGreaterThan(2n ** 255n)
  }
  const client = createDevClient(chain.rpcUrl)
  const token = { address: usdc, abi: tokenAbi } as const
  expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [payer.address] })).toBe(5n)

  const revoke = { ...token, functionName: 'approve', args: [permit2Address, 0n] } as const
  const hash = await client.writeContract({ account: payer.address, ...revoke })
  await client.waitForTransactionReceipt({ hash })
  await chain.close()
  const again = await startChainIn(folder)
  onTestFinished(() => again.close())
  expect(await allowanceOn(again.rpcUrl, payer.address)).toBe(0n)
})

async function leaveChainWithMoneyOnly(folder: string): Promise<void> {
  const launched = await adoptOrLaunch(0, folder, createLog('silent'), () => {})
  const client = createDevClient(`http://127.0.0.1:${launched.port}`)
  const bytecode = await scene.chain.client.getCode({ address: usdc })
  if (!bytecode) throw new Error('the token has no code')
  await client.setCode({ address: usdc, bytecode })
  const mint = { address: usdc, abi: tokenAbi, functionName: 'mint', args: [payer.address, 5n] } as const
  const hash = await client.writeContract({ account: payer.address, ...mint })
  await client.waitForTransactionReceipt({ hash })
  await launched.stop()
}
