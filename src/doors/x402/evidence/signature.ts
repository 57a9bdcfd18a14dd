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
import type { Network } from '../../../platform/chain/networks.ts'
import { permit2Address, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import { type Authorization, isUpto, type UptoAuthorization } from '../wire/types.ts'

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

const permitWitnessTransferFrom = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/** The EIP-712 typed data that the payer of an `upto` payment signs (Permit2). */
export function permit2TypedData(authorization: UptoAuthorization, network: Network) {
  const { to, value, validAfter, validBefore, nonce, facilitator } = authorization
  const domain: TypedDataDomain = {
    name: 'Permit2',
    chainId: network.chainId,
    verifyingContract: permit2Address,
  }
  return {
    domain,
    types: permitWitnessTransferFrom,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: network.usdc.address, amount: value },
      spender: uptoProxyAddress,
      nonce: BigInt(nonce),
      deadline: validBefore,
      witness: { to, facilitator, validAfter },
    },
  } as const
}

/** EIP-712's hash of what a payer signed. */
function signedHash(authorization: Authorization, network: Network): Uint8Array {
  if (isUpto(authorization)) {
    const { domain, types, primaryType, message } = permit2TypedData(authorization, network)
    const struct = hashStruct({ data: message, types, primaryType })
    return typedHash(separatorOf(permit2Separators, network, domain), struct)
  }
  const { domain, types, primaryType, message } = authorizationTypedData(authorization, network)
  const struct = hashStruct({ data: message, types, primaryType })
  return typedHash(separatorOf(tokenSeparators, network, domain), struct)
}

function typedHash(separator: Hex, struct: Hex): Uint8Array {
  return keccak256(concat(['0x1901', separator, struct]), 'bytes')
}

const tokenSeparators = new WeakMap<Network, Hex>()
const permit2Separators = new WeakMap<Network, Hex>()

/** A domain never changes, and hashing it is two thirds of the work. */
function separatorOf(known: WeakMap<Network, Hex>, network: Network, domain: TypedDataDomain): Hex {
  const separator = known.get(network) ?? domainSeparator({ domain })
  known.set(network, separator)
  return separator
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
  const hash = signedHash(authorization, network)
  const compact = hexToBytes(`${signature.r}${signature.s.slice(2)}` as Hex)
  try {
    const publicKey = secp256k1.ecdsaRecover(compact, signature.v - 27, hash, false)
    return publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`)
  } catch {
    // r or s out of range, or a point that is not on the curve: nobody's signature.
    return undefined
  }
}
