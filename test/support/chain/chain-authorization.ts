import { randomBytes } from 'node:crypto'
import { eip3009ABI } from '@x402/evm'
import { type Address, encodeFunctionData, type Hex, parseSignature, size, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** EIP-3009 authorizations for Base Sepolia's USDC, signed by viem, independent of the gateway's code. */

export const domain = {
  name: 'USDC',
  version: '2',
  chainId: 84532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
} as const

const transferFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

const types = {
  TransferWithAuthorization: transferFields,
  ReceiveWithAuthorization: transferFields,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export interface Authorization {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** An authorization of one USDC that is valid for five minutes, with the given changes. */
export function authorization(
  from: Address,
  to: Address,
  differences: Partial<Authorization> = {},
): Authorization {
  const now = BigInt(Math.floor(Date.now() / 1000))
  return {
    from,
    to,
    value: 1_000_000n,
    validAfter: now - 60n,
    validBefore: now + 300n,
    nonce: randomNonce(),
    ...differences,
  }
}

export const randomNonce = (): Hex => toHex(randomBytes(32))

export function signTransfer(privateKey: Hex, message: Authorization): Promise<Hex> {
  const primaryType = 'TransferWithAuthorization'
  return privateKeyToAccount(privateKey).signTypedData({ domain, types, primaryType, message })
}

export function signReceive(privateKey: Hex, message: Authorization): Promise<Hex> {
  const primaryType = 'ReceiveWithAuthorization'
  return privateKeyToAccount(privateKey).signTypedData({ domain, types, primaryType, message })
}

export function signCancel(privateKey: Hex, message: { authorizer: Address; nonce: Hex }): Promise<Hex> {
  const primaryType = 'CancelAuthorization'
  return privateKeyToAccount(privateKey).signTypedData({ domain, types, primaryType, message })
}

/** The arguments of the token's functions before the signature. */
export const termsOf = (signed: Authorization) =>
  [signed.from, signed.to, signed.value, signed.validAfter, signed.validBefore, signed.nonce] as const

/** Calldata as x402's schemes make it: a signature of 65 bytes in three parts, any other in one. */
export function transferData(signed: Authorization, signature: Hex): Hex {
  if (size(signature) !== 65) return packedTransferData(signed, signature)
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: [...termsOf(signed), 27 + yParity, r, s],
  })
}

export function packedTransferData(signed: Authorization, signature: Hex): Hex {
  return encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: [...termsOf(signed), signature],
  })
}
