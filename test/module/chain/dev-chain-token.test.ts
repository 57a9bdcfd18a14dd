import { eip3009ABI } from '@x402/evm'
import {
  concat,
  domainSeparator,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseEventLogs,
  parseSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { contractCode, startTestChain, type TestChain } from '../../support/chain/chain.ts'
import {
  type Authorization,
  authorization,
  domain,
  packedTransferData,
  randomNonce,
  signCancel,
  signReceive,
  signTransfer,
  termsOf,
  transferData,
} from '../../support/chain/chain-authorization.ts'

/** Payments on the local chain prove something about Base only while these tests pass. */

const usdc = domain.verifyingContract
const relayer = privateKeyToAccount(devSettler.privateKey)
const [payer, otherPayer, thirdPayer] = devPayers
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

const moreAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())

const simulate = (data: Hex) => chain.client.call({ account: relayer.address, to: usdc, data })

async function send(to: Hex, data: Hex) {
  const hash = await chain.client.sendTransaction({ account: relayer, to, data })
  return await chain.client.waitForTransactionReceipt({ hash })
}

const balanceOf = (account: Hex) =>
  chain.client.readContract({ address: usdc, abi: eip3009ABI, functionName: 'balanceOf', args: [account] })

test("a signature for Base Sepolia's USDC is a signature for the local one", async () => {
  const read = { address: usdc, abi: eip3009ABI } as const
  const separator = await chain.client.readContract({
    address: usdc,
    abi: moreAbi,
    functionName: 'DOMAIN_SEPARATOR',
  })

  expect(separator).toBe(domainSeparator({ domain }))
  expect(await chain.client.readContract({ ...read, functionName: 'name' })).toBe('USDC')
  expect(await chain.client.readContract({ ...read, functionName: 'version' })).toBe('2')
  expect(await chain.client.getChainId()).toBe(84532)
})

test('each test wallet starts with 10,000 USDC and with ETH for gas', async () => {
  expect(await balanceOf(payer.address)).toBe(10_000_000_000n)
  expect(await balanceOf(relayer.address)).toBe(10_000_000_000n)
  expect(await chain.client.getBalance({ address: payer.address })).toBeGreaterThan(0n)
})

test('a relayer moves exactly the signed amount, and the receipt names payer, nonce and amount', async () => {
  const payee = newAddress()
  const signed = authorization(payer.address, payee, { value: 100_001n })
  const before = await balanceOf(payer.address)

  const receipt = await send(usdc, transferData(signed, await signTransfer(payer.privateKey, signed)))

  expect(receipt.status).toBe('success')
  expect(await balanceOf(payee)).toBe(100_001n)
  expect(await balanceOf(payer.address)).toBe(before - 100_001n)
  expect(parseEventLogs({ abi: moreAbi, logs: receipt.logs })).toMatchObject([
    { eventName: 'AuthorizationUsed', args: { authorizer: payer.address, nonce: signed.nonce } },
    { eventName: 'Transfer', args: { from: payer.address, to: payee, value: 100_001n } },
  ])
})

test('an authorization that moved money once never moves it again', async () => {
  const payee = newAddress()
  const signed = authorization(payer.address, payee)
  const data = transferData(signed, await signTransfer(payer.privateKey, signed))
  await send(usdc, data)

  await expect(simulate(data)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
  expect(await balanceOf(payee)).toBe(1_000_000n)
})

describe('the local USDC refuses a transfer with the reason of Base’s', () => {
  const now = () => BigInt(Math.floor(Date.now() / 1000))

  test.each<[string, () => Partial<Authorization>]>([
    ['FiatTokenV2: authorization is not yet valid', () => ({ validAfter: now() + 100n })],
    ['FiatTokenV2: authorization is expired', () => ({ validBefore: now() - 1n })],
    ['ERC20: transfer amount exceeds balance', () => ({ value: 10_000_000_001n })],
  ])('%s', async (reason, difference) => {
    const signed = authorization(thirdPayer.address, newAddress(), difference())
    const data = transferData(signed, await signTransfer(thirdPayer.privateKey, signed))

    await expect(simulate(data)).rejects.toThrow(reason)
  })

  test.each<[string, Partial<Authorization>]>([
    ['another amount', { value: 999_999n }],
    ['another payee', { to: devSettler.address }],
    ['another payer', { from: otherPayer.address }],
    ['another nonce', { nonce: randomNonce() }],
  ])('FiatTokenV2: invalid signature, if it was made for %s', async (_, difference) => {
    const signed = authorization(payer.address, newAddress())
    const signature = await signTransfer(payer.privateKey, signed)

    const data = transferData({ ...signed, ...difference }, signature)

    await expect(simulate(data)).rejects.toThrow('FiatTokenV2: invalid signature')
  })
})

test('the overload with a packed signature moves the money too', async () => {
  const payee = newAddress()
  const signed = authorization(payer.address, payee)

  await send(usdc, packedTransferData(signed, await signTransfer(payer.privateKey, signed)))

  expect(await balanceOf(payee)).toBe(1_000_000n)
})

describe('a wallet contract', () => {
  let wallet: Hex
  beforeAll(async () => {
    const nonce = BigInt(await chain.client.getTransactionCount({ address: relayer.address }))
    wallet = getContractAddress({ from: relayer.address, nonce })
    const owner = encodeAbiParameters([{ type: 'address' }], [payer.address])
    const data = concat([await contractCode('ContractWallet'), owner])
    const hash = await chain.client.sendTransaction({ account: relayer, data })
    await chain.client.waitForTransactionReceipt({ hash })
    await chain.mint(wallet, 2_000_000n)
  })

  test.each([
    ['65 bytes, by the three-part overload', '0x'],
    ['more bytes, by the packed one', '0xabcd'],
  ] as const)('pays with its owner’s signature: %s', async (_, surplus) => {
    const payee = newAddress()
    const signed = authorization(wallet, payee)
    const signature = concat([await signTransfer(payer.privateKey, signed), surplus])

    await send(usdc, transferData(signed, signature))

    expect(await balanceOf(payee)).toBe(1_000_000n)
  })

  test('does not pay with another account’s signature', async () => {
    const signed = authorization(wallet, newAddress())
    const signature = concat([await signTransfer(otherPayer.privateKey, signed), '0xabcd'])

    await expect(simulate(transferData(signed, signature))).rejects.toThrow('FiatTokenV2: invalid signature')
  })
})

test('receiveWithAuthorization takes calls of the payee only', async () => {
  const toRelayer = authorization(payer.address, relayer.address)
  const toOther = authorization(payer.address, newAddress())
  const data = async (signed: Authorization) =>
    encodeFunctionData({
      abi: moreAbi,
      functionName: 'receiveWithAuthorization',
      args: [...termsOf(signed), await signReceive(payer.privateKey, signed)],
    })
  const before = await balanceOf(relayer.address)

  await send(usdc, await data(toRelayer))

  expect(await balanceOf(relayer.address)).toBe(before + 1_000_000n)
  await expect(simulate(await data(toOther))).rejects.toThrow('FiatTokenV2: caller must be the payee')
})

test('an authorization that the payer canceled cannot be used', async () => {
  const signed = authorization(payer.address, newAddress())
  const { nonce } = signed
  const { r, s, yParity } = parseSignature(
    await signCancel(payer.privateKey, { authorizer: payer.address, nonce }),
  )

  const receipt = await send(
    usdc,
    encodeFunctionData({
      abi: moreAbi,
      functionName: 'cancelAuthorization',
      args: [payer.address, nonce, 27 + yParity, r, s],
    }),
  )

  expect(parseEventLogs({ abi: moreAbi, logs: receipt.logs })).toMatchObject([
    { eventName: 'AuthorizationCanceled', args: { authorizer: payer.address, nonce } },
  ])
  const data = transferData(signed, await signTransfer(payer.privateKey, signed))
  await expect(simulate(data)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
})
