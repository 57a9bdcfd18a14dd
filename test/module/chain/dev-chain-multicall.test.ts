import { eip3009ABI } from '@x402/evm'
import { encodeFunctionData, type Hex, multicall3Abi, parseAbi, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { authorization, domain, signTransfer, transferData } from '../../support/chain/chain-authorization.ts'

/**
 * The local chain's Multicall3. Batches of settlements there prove something about Base only while these
 * tests pass.
 */

const usdc = domain.verifyingContract
const relayer = privateKeyToAccount(devSettler.privateKey)
const [payer] = devPayers
const usedAbi = parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'])
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())

async function send(data: Hex) {
  const hash = await chain.client.sendTransaction({ account: relayer, to: multicall3Address, data })
  return await chain.client.waitForTransactionReceipt({ hash })
}

const balanceOf = (account: Hex) =>
  chain.client.readContract({ address: usdc, abi: eip3009ABI, functionName: 'balanceOf', args: [account] })

const aggregate = (calls: readonly Hex[], allowFailure: boolean) =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map((callData) => ({ target: usdc, allowFailure, callData }))],
  })

async function signThreeWithOneExpired() {
  const payees = [newAddress(), newAddress(), newAddress()] as const
  const signed = payees.map((payee, index) =>
    authorization(payer.address, payee, index === 1 ? { validBefore: 1n } : {}),
  )
  const calls = await Promise.all(
    signed.map(async (each) => transferData(each, await signTransfer(payer.privateKey, each))),
  )
  return { payees, calls }
}

test('a transfer that fails does not undo the others of its batch', async () => {
  const { payees, calls } = await signThreeWithOneExpired()

  const receipt = await send(aggregate(calls, true))

  expect(receipt.status).toBe('success')
  expect(await Promise.all(payees.map(balanceOf))).toEqual([1_000_000n, 0n, 1_000_000n])
  expect(parseEventLogs({ abi: usedAbi, eventName: 'AuthorizationUsed', logs: receipt.logs })).toHaveLength(2)
})

test('without allowFailure, one transfer that fails undoes the whole batch', async () => {
  const { payees, calls } = await signThreeWithOneExpired()

  await expect(chain.client.call({ to: multicall3Address, data: aggregate(calls, false) })).rejects.toThrow(
    'Multicall3: call failed',
  )
  expect(await Promise.all(payees.map(balanceOf))).toEqual([0n, 0n, 0n])
})

test("x402's tryAggregate returns the results of all calls when one fails", async () => {
  const callOf = (functionName: 'name' | 'version') => ({
    target: usdc,
    callData: encodeFunctionData({ abi: eip3009ABI, functionName }),
  })

  const results = await chain.client.readContract({
    address: multicall3Address,
    abi: parseAbi([
      'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) view returns ((bool success, bytes returnData)[] results)',
    ]),
    functionName: 'tryAggregate',
    args: [false, [callOf('name'), { target: usdc, callData: '0x12345678' }, callOf('version')]],
  })

  expect(results.map(({ success }) => success)).toEqual([true, false, true])
})

test('viem reads several values in one call', async () => {
  const contract = { address: usdc, abi: eip3009ABI } as const

  const results = await chain.client.multicall({
    multicallAddress: multicall3Address,
    contracts: [
      { ...contract, functionName: 'balanceOf', args: [newAddress()] },
      { ...contract, functionName: 'version' },
      {
        address: multicall3Address,
        abi: multicall3Abi,
        functionName: 'getEthBalance',
        args: [payer.address],
      },
    ],
  })

  expect(results).toEqual([
    { status: 'success', result: 0n },
    { status: 'success', result: '2' },
    { status: 'success', result: await chain.client.getBalance({ address: payer.address }) },
  ])
})
