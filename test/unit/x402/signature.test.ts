import { randomBytes } from 'node:crypto'
import { PERMIT2_ADDRESS, uptoPermit2WitnessTypes, x402UptoPermit2ProxyAddress } from '@x402/evm'
import {
  compactSignatureToSignature,
  type Hex,
  isAddressEqual,
  parseCompactSignature,
  parseSignature,
  recoverTypedDataAddress,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createRecoverSigner, parseWalletSignature } from '../../../src/doors/x402/evidence/signature.ts'
import { authorizationTypedData, permit2TypedData } from '../../../src/doors/x402/evidence/typed-data.ts'
import type { Authorization, UptoAuthorization } from '../../../src/doors/x402/wire/types.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

const network = networks['base-sepolia']
const recoverSigner = createRecoverSigner(network)
/** The order of the curve: r and s are between 1 and one less. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const example: Authorization = {
  from: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: 1n,
  validAfter: 0n,
  validBefore: 2_000_000_000n,
  nonce: `0x${'ab'.repeat(32)}`,
}

/** A fresh key and what it signed. */
async function sign() {
  const account = privateKeyToAccount(generatePrivateKey())
  const authorization: Authorization = {
    from: account.address,
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    value: BigInt(`0x${randomBytes(4).toString('hex')}`),
    validAfter: 0n,
    validBefore: 2_000_000_000n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  const typedData = authorizationTypedData(authorization, network)
  const signature = await account.signTypedData(typedData)
  return { account, authorization, typedData, signature }
}

function signerOf(authorization: Authorization, signature: Hex) {
  const parsed = parseWalletSignature(signature)
  return parsed && recoverSigner(authorization, parsed)
}

describe('a plain wallet’s signature', () => {
  test('gives the signer that viem recovers, in each of its forms, for fifty random keys', async () => {
    const parities = new Set<number>()
    for (let n = 0; n < 50; n++) {
      const { account, authorization, typedData, signature } = await sign()
      const { r, s, yParity } = parseSignature(signature)
      parities.add(yParity)
      const forms: Hex[] = [
        signature,
        `0x${signature.slice(2, 130)}${yParity ? '1c' : '1b'}`,
        `0x${signature.slice(2, 130)}${yParity ? '01' : '00'}`,
        serializeCompactSignature(signatureToCompactSignature({ r, s, yParity })),
      ]
      const expected = await recoverTypedDataAddress({ ...typedData, signature })
      expect(expected).toBe(account.address)
      expect(forms.map((form) => signerOf(authorization, form))).toEqual(forms.map(() => expected))
      // All of them have the same form for the token.
      const parsed = forms.map(parseWalletSignature)
      expect(parsed).toEqual(forms.map(() => ({ r, s, v: yParity ? 28 : 27 })))
    }
    expect(parities).toEqual(new Set([0, 1]))
  })

  test('over another authorization gives another signer', async () => {
    const { authorization, signature } = await sign()
    const changes: Partial<Authorization>[] = [
      { to: authorization.from },
      { value: authorization.value + 1n },
      { validAfter: 1n },
      { validBefore: 2_000_000_001n },
      { nonce: `0x${randomBytes(32).toString('hex')}` },
    ]
    for (const change of changes) {
      expect(signerOf({ ...authorization, ...change }, signature)).not.toBe(authorization.from)
    }
  })

  test('made for Base gives another signer on Base Sepolia', async () => {
    const { account, authorization } = await sign()
    const signature = await account.signTypedData(authorizationTypedData(authorization, networks.base))
    expect(signerOf(authorization, signature)).not.toBe(account.address)
  })

  test('in compact form with the parity bit set is read as EIP-2098 says', () => {
    // The example of https://eips.ethereum.org/EIPS/eip-2098#test-cases.
    const compact =
      '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793'
    const { r, s, yParity } = compactSignatureToSignature(parseCompactSignature(compact))
    expect(parseWalletSignature(compact)).toEqual({ r, s, v: yParity ? 28 : 27 })
    expect(parseWalletSignature(compact)?.v).toBe(28)
  })

  test('keeps leading zeros of s in its compact form', () => {
    expect(parseWalletSignature(`0x${word(1n)}${word(5n)}`)).toEqual({
      r: `0x${word(1n)}`,
      s: `0x${word(5n)}`,
      v: 27,
    })
  })

  test('with a high s gives the same signer, and the token decides whether to take it', async () => {
    const { authorization, signature } = await sign()
    const { r, s, yParity } = parseSignature(signature)
    const high = serializeSignature({ r, s: `0x${word(order - BigInt(s))}`, yParity: yParity ? 0 : 1 })
    const signer = signerOf(authorization, high)
    expect(signer && isAddressEqual(signer, authorization.from)).toBe(true)
  })
})

describe('a plain wallet’s signature for Permit2', () => {
  async function signUpto() {
    const { account, authorization: transfer } = await sign()
    const authorization: UptoAuthorization = { ...transfer, facilitator: account.address }
    const typedData = permit2TypedData(authorization, network)
    return { account, authorization, typedData, signature: await account.signTypedData(typedData) }
  }

  test('is over the same typed data as in x402’s own scheme', () => {
    expect(permit2TypedData({ ...example, facilitator: example.to }, network)).toMatchObject({
      domain: { name: 'Permit2', chainId: 84_532, verifyingContract: PERMIT2_ADDRESS },
      types: uptoPermit2WitnessTypes,
      message: { spender: x402UptoPermit2ProxyAddress },
    })
  })

  test('gives the signer that viem recovers, for five random keys', async () => {
    for (let n = 0; n < 5; n++) {
      const { account, authorization, typedData, signature } = await signUpto()
      expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(account.address)
      expect(signerOf(authorization, signature)).toBe(account.address)
    }
  })

  test('over another authorization, another network or a transfer of the token gives another signer', async () => {
    const { account, authorization, signature } = await signUpto()
    const { facilitator: _, ...transfer } = authorization
    const changes: Authorization[] = [
      { ...authorization, to: network.usdc.address },
      { ...authorization, value: authorization.value + 1n },
      { ...authorization, validAfter: 1n },
      { ...authorization, validBefore: 2_000_000_001n },
      { ...authorization, nonce: `0x${randomBytes(32).toString('hex')}` },
      { ...authorization, facilitator: authorization.to },
      transfer,
    ]
    for (const changed of changes) expect(signerOf(changed, signature)).not.toBe(account.address)
    const wallet = parseWalletSignature(signature)
    expect(wallet && createRecoverSigner(networks.base)(authorization, wallet)).not.toBe(account.address)
  })
})

describe('a signature that no plain wallet makes', () => {
  test.each([0, 1, 32, 63, 66, 96, 129])('is not parsed: %i bytes', (length) => {
    expect(parseWalletSignature(`0x${'11'.repeat(length)}`)).toBeUndefined()
  })

  test.each([2, 26, 29, 128, 255])('is not parsed: a v of %i', (v) => {
    expect(parseWalletSignature(`0x${'11'.repeat(64)}${v.toString(16).padStart(2, '0')}`)).toBeUndefined()
  })

  test.each([
    ['r of zero', 0n, 1n],
    ['s of zero', 1n, 0n],
    ['r of the order', order, 1n],
    ['s of the order', 1n, order],
    ['r of the largest word', 2n ** 256n - 1n, 1n],
    ['s of the largest word', 1n, 2n ** 256n - 1n],
    // 5 is the x of no point: 5³ + 7 has no square root modulo the field's prime.
    ['r that is on no point of the curve', 5n, 1n],
  ])('has no signer: %s', async (_label, r, s) => {
    const { authorization } = await sign()
    for (const v of ['1b', '1c'] as const) {
      expect(signerOf(authorization, `0x${word(r)}${word(s)}${v}`)).toBeUndefined()
    }
  })
})
