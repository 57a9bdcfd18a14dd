import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Authorization } from '../wire/types.ts'
import { parseWalletSignature } from './signature.ts'

/** The part of USDC (FiatToken v2.2: ERC-20, EIP-3009) that payments use. */
export const tokenAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/**
 * Encodes the call that moves the money: with v, r, s for a plain wallet's signature, with its bytes for any
 * other. The same call is simulated and then sent, so it is encoded once.
 */
export function transferCall(authorization: Authorization, signature: Hex): Hex {
  const known = encodedCalls.get(authorization)
  if (known?.signature === signature) return known.call
  const call = encodeTransfer(authorization, signature)
  encodedCalls.set(authorization, { signature, call })
  return call
}

/** An entry lives as long as its payment, which is one request. */
const encodedCalls = new WeakMap<Authorization, { readonly signature: Hex; readonly call: Hex }>()

function encodeTransfer(authorization: Authorization, signature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const wallet = parseWalletSignature(signature)
  return wallet
    ? encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transferWithAuthorization',
        args: [from, to, value, validAfter, validBefore, nonce, wallet.v, wallet.r, wallet.s],
      })
    : encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transferWithAuthorization',
        args: [from, to, value, validAfter, validBefore, nonce, signature],
      })
}
