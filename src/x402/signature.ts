import secp256k1 from 'secp256k1'
import {
  type Address,
  concat,
  domainSeparator,
  type Hex,
  hashStruct,
  hexToBytes,
  keccak256,
  type TypedDataDomain,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Network } from '../chain/networks.ts'
import type { Authorization } from './types.ts'

/**
 * Who signed an authorization. What a plain wallet signed is recognised here, before any RPC call; only
 * what no plain wallet made is left for the chain to judge. It is done for every payment, so it has to be
 * cheap: libsecp256k1 recovers a key in a twentieth of the time that JavaScript takes.
 */

const transferWithAuthorization = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The EIP-712 typed data that a payer signs (EIP-3009). */
export function authorizationTypedData(authorization: Authorization, network: Network) {
  const domain: TypedDataDomain = {
    name: network.usdc.name,
    version: network.usdc.version,
    chainId: network.chainId,
    verifyingContract: network.usdc.address,
  }
  return {
    domain,
    types: transferWithAuthorization,
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization },
  } as const
}

const domainSeparators = new WeakMap<Network, Hex>()

/** EIP-712's hash of an authorization. The token's domain never changes, and hashing it is two thirds of the work. */
function authorizationHash(authorization: Authorization, network: Network): Uint8Array {
  const { domain, types, primaryType, message } = authorizationTypedData(authorization, network)
  let separator = domainSeparators.get(network)
  if (!separator) {
    separator = domainSeparator({ domain })
    domainSeparators.set(network, separator)
  }
  const struct = hashStruct({ data: message, types, primaryType })
  return keccak256(concat(['0x1901', separator, struct]), 'bytes')
}

/** A signature of a plain wallet in the one form the token takes: r, s (low) and v of 27 or 28. */
export interface WalletSignature {
  readonly r: Hex
  readonly s: Hex
  readonly v: 27 | 28
}

/**
 * Reads 65 bytes (v of 27/28 or 0/1) or EIP-2098's 64 bytes.
 * @returns undefined when it has another length, so cannot be a plain wallet's.
 */
export function parseWalletSignature(signature: Hex): WalletSignature | undefined {
  const digits = signature.slice(2)
  if (digits.length === 128) {
    const yParityAndS = BigInt(`0x${digits.slice(64)}`)
    const s = yParityAndS & (2n ** 255n - 1n)
    return {
      r: `0x${digits.slice(0, 64)}`,
      s: `0x${s.toString(16).padStart(64, '0')}`,
      v: yParityAndS >> 255n ? 28 : 27,
    }
  }
  if (digits.length !== 130) return undefined
  const v = Number.parseInt(digits.slice(128), 16)
  const yParity = v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : undefined
  if (yParity === undefined) return undefined
  return { r: `0x${digits.slice(0, 64)}`, s: `0x${digits.slice(64, 128)}`, v: yParity ? 28 : 27 }
}

/** The address whose key made `signature` over `authorization`; undefined when no key can have. */
export function recoverSigner(
  authorization: Authorization,
  signature: WalletSignature,
  network: Network,
): Address | undefined {
  const hash = authorizationHash(authorization, network)
  const compact = hexToBytes(`${signature.r}${signature.s.slice(2)}` as Hex)
  try {
    const publicKey = secp256k1.ecdsaRecover(compact, signature.v - 27, hash, false)
    return publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`)
  } catch {
    // r or s out of range, or a point that is not on the curve: nobody's signature.
    return undefined
  }
}
