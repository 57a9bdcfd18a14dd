import secp256k1 from 'secp256k1'
import {
  type Address,
  concat,
  domainSeparator,
  type Hex,
  hashStruct,
  hexToBytes,
  isAddressEqual,
  keccak256,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Network } from '../../../platform/chain/networks.ts'
import { type Authorization, isUpto, type Payment } from '../wire/types.ts'
import { hashAuthorization, permit2Domain, permit2TypedData, tokenDomain } from './typed-data.ts'

/** A plain wallet's signature in the one form that the token takes: r, s (low) and v of 27 or 28. */
export interface WalletSignature {
  readonly r: Hex
  readonly s: Hex
  readonly v: 27 | 28
}

/**
 * Reads 65 bytes (v of 27/28 or 0/1) or EIP-2098's 64 bytes.
 * @returns undefined for any other length or v: the signature is then not a plain wallet's.
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

/**
 * Finds the address whose key made a signature over an authorization; undefined when no key can have made it.
 */
export type RecoverSigner = (authorization: Authorization, signature: WalletSignature) => Address | undefined

/**
 * Recovers the signers of authorizations for this network without asking the chain; only signatures that are
 * not a plain wallet's are left for the chain to check. It runs for every payment, so it uses libsecp256k1
 * instead of JavaScript (the row "recover its signer" of `npm run bench`) and hashes the two domains once,
 * here.
 */
export function createRecoverSigner(network: Network): RecoverSigner {
  const tokenSeparator = domainSeparator({ domain: tokenDomain(network) })
  const permit2Separator = domainSeparator({ domain: permit2Domain(network) })

  /** EIP-712's hash of what the payer signed. */
  function signedHash(authorization: Authorization): Uint8Array {
    if (isUpto(authorization)) {
      const { types, primaryType, message } = permit2TypedData(authorization, network)
      return typedHash(permit2Separator, hashStruct({ data: message, types, primaryType }))
    }
    return typedHash(tokenSeparator, hashAuthorization(authorization))
  }

  return (authorization, { r, s, v }) => {
    const hash = signedHash(authorization)
    const compact = hexToBytes(concat([r, s]))
    try {
      const publicKey = secp256k1.ecdsaRecover(compact, v - 27, hash, false)
      return publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`)
    } catch {
      // r or s is out of range, or names no point of the curve: no key made this signature.
      return undefined
    }
  }
}

function typedHash(separator: Hex, struct: Hex): Uint8Array {
  return keccak256(concat(['0x1901', separator, struct]), 'bytes')
}

/** Reads a payment's signature as a plain wallet's; undefined unless the payer's own key made it. */
export type ReadPayerSignature = (
  payment: Pick<Payment, 'authorization' | 'signature'>,
) => WalletSignature | undefined

/**
 * @returns reads each payment once: the door, the limits and the facilitator all ask about the same one, and
 *   finding the signer takes longer than all other checks of a payment.
 */
export function createReadPayerSignature(network: Network): ReadPayerSignature {
  const recoverSigner = createRecoverSigner(network)
  return (payment) => {
    const known = readSignatures.get(payment)
    if (known?.network === network) return known.wallet
    const { authorization, signature } = payment
    const parsed = parseWalletSignature(signature)
    const signer = parsed && recoverSigner(authorization, parsed)
    const wallet = signer && isAddressEqual(signer, authorization.from) ? parsed : undefined
    readSignatures.set(payment, { network, wallet })
    return wallet
  }
}

/** Shared by all readers. An entry lives as long as its payment, which is one request. */
const readSignatures = new WeakMap<
  object,
  { readonly network: Network; readonly wallet: WalletSignature | undefined }
>()
