import { x402UptoPermit2ProxyABI } from '@x402/evm'
import {
  concat,
  domainSeparator,
  maxUint256,
  parseAbi,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permit2Abi, permit2Address, uptoProxyAbi } from '../../../src/platform/chain/permit2.ts'
import {
  facilitator,
  network,
  otherAccount,
  payer,
  type Scene,
  startPermit2Scene,
  type Terms,
  usdc,
} from '../../support/chain/permit2.ts'

/** Payments by `upto` on the local chain prove something about Base only while these tests pass. */

let scene: Scene
beforeAll(async () => {
  scene = await startPermit2Scene()
})
afterAll(() => scene.chain.close())

test('our ABI of the upto proxy is x402’s', () => {
  const selectors = (
    abi: readonly ((typeof uptoProxyAbi)[number] | (typeof x402UptoPermit2ProxyABI)[number])[],
  ) =>
    abi.map(
      (item) =>
        `${item.type} ${toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' })}`,
    )

  expect(selectors(uptoProxyAbi).sort()).toEqual(selectors(x402UptoPermit2ProxyABI).sort())
})

test("a signature for Base Sepolia's Permit2 is a signature for the local one", async () => {
  const domain = { name: 'Permit2', chainId: network.chainId, verifyingContract: permit2Address }
  const local = await scene.chain.client.readContract({
    address: permit2Address,
    abi: permit2Abi,
    functionName: 'DOMAIN_SEPARATOR',
  })

  expect(local).toBe(domainSeparator({ domain }))
})

test('half of the signed maximum moves, the nonce is used, and no more can be moved', async () => {
  const payment = await scene.sign()
  const { nonce } = payment.terms.permit
  const bit = 1n << (nonce & 0xffn)
  const [before, used] = await Promise.all([
    scene.balanceOf(payer.address),
    scene.usedNonces(payer.address, nonce),
  ])

  expect(await payment.settle(500_000n)).toMatchObject({ success: true, amount: '500000' })

  expect(await scene.balanceOf(payment.payTo)).toBe(500_000n)
  expect(await scene.balanceOf(payer.address)).toBe(before - 500_000n)
  expect(await scene.usedNonces(payer.address, nonce)).toBe(used | bit)
  await expect(scene.simulate(payment.terms, 1n)).rejects.toThrow('InvalidNonce')
  expect(await payment.settle(1n)).toMatchObject({ success: false })
  expect(await scene.balanceOf(payment.payTo)).toBe(500_000n)
})

test('only the signed facilitator can settle', async () => {
  const { terms } = await scene.sign()
  const witness = { ...terms.witness, facilitator: otherAccount.address }

  await expect(scene.simulate(terms, 1n, otherAccount)).rejects.toThrow('UnauthorizedFacilitator')
  await expect(scene.simulate({ ...terms, witness }, 1n, otherAccount)).rejects.toThrow('InvalidSigner')
})

test('the whole maximum can be settled, and not one unit more', async () => {
  const { terms } = await scene.sign()

  await expect(scene.simulate(terms, 1_000_001n)).rejects.toThrow('AmountExceedsPermitted')
  await scene.simulate(terms, 1_000_000n)
})

test('an upto payment cannot be settled after its deadline', async () => {
  const { terms } = await scene.sign(payer, -60)

  await expect(scene.simulate(terms)).rejects.toThrow('SignatureExpired')
})

test('an upto payment cannot be settled before its validAfter', async () => {
  const { terms } = await scene.sign()
  const witness = { ...terms.witness, validAfter: BigInt(Math.floor(Date.now() / 1000)) + 60n }

  await expect(scene.simulate({ ...terms, witness })).rejects.toThrow('PaymentTooEarly')
})

describe('an upto signature is refused when it was made for', () => {
  test.each<[string, (terms: Terms) => Partial<Terms>]>([
    ['another payer', () => ({ owner: otherAccount.address })],
    ['another payee', ({ witness }) => ({ witness: { ...witness, to: otherAccount.address } })],
    ['another start', ({ witness }) => ({ witness: { ...witness, validAfter: 1n } })],
    [
      'another maximum',
      ({ permit }) => ({ permit: { ...permit, permitted: { token: usdc, amount: 2_000_000n } } }),
    ],
    [
      'another token',
      ({ permit }) => ({ permit: { ...permit, permitted: { token: permit2Address, amount: 1_000_000n } } }),
    ],
    ['another nonce', ({ permit }) => ({ permit: { ...permit, nonce: permit.nonce ^ 1n } })],
    ['another deadline', ({ permit }) => ({ permit: { ...permit, deadline: permit.deadline + 1n } })],
  ])('%s', async (_, differences) => {
    const { terms } = await scene.sign()
    await scene.simulate(terms)

    await expect(scene.simulate({ ...terms, ...differences(terms) })).rejects.toThrow('InvalidSigner')
  })
})

test.each([0, 1])('Permit2 takes a signature of 64 bytes instead of 65, with parity %i', async (parity) => {
  let { terms } = await scene.sign()
  while (parseSignature(terms.signature).yParity !== parity) terms = (await scene.sign()).terms
  const compact = signatureToCompactSignature(parseSignature(terms.signature))

  await scene.simulate({ ...terms, signature: serializeCompactSignature(compact) })
})

test('Permit2 refuses a signature of 66 bytes', async () => {
  const { terms } = await scene.sign()
  const longer = concat([terms.signature, '0x00'])

  await expect(scene.simulate({ ...terms, signature: longer })).rejects.toThrow('InvalidSignatureLength')
})

test('a payer cancels a payment by its nonce', async () => {
  const { terms } = await scene.sign()
  const { nonce } = terms.permit
  const hash = await scene.chain.client.writeContract({
    account: payer,
    address: permit2Address,
    abi: parseAbi(['function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)']),
    functionName: 'invalidateUnorderedNonces',
    args: [nonce >> 8n, 1n << (nonce & 0xffn)],
  })
  await scene.chain.client.waitForTransactionReceipt({ hash })

  await expect(scene.simulate(terms)).rejects.toThrow('InvalidNonce')
})

test('without a witness, only the signed spender can collect', async () => {
  const permitted = { token: usdc, amount: 1_000_000n }
  const permit = { permitted, nonce: 7n, deadline: maxUint256 }
  const signature = await payer.signTypedData({
    domain: { name: 'Permit2', chainId: network.chainId, verifyingContract: permit2Address },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { ...permit, spender: otherAccount.address },
  })
  const collect = (account: typeof payer, requestedAmount: bigint) =>
    scene.chain.client.simulateContract({
      account,
      address: permit2Address,
      abi: [
        ...permit2Abi,
        ...parseAbi([
          'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)',
        ]),
      ],
      functionName: 'permitTransferFrom',
      args: [permit, { to: otherAccount.address, requestedAmount }, payer.address, signature],
    })

  await collect(otherAccount, 1_000_000n)

  await expect(collect(otherAccount, 1_000_001n)).rejects.toThrow('InvalidAmount')
  await expect(collect(facilitator, 1n)).rejects.toThrow('InvalidSigner')
})
