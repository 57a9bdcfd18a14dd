import { concat, type Hex, keccak256, numberToHex, pad, stringToHex, type TypedDataDomain } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import { permit2Address, uptoProxyAddress } from '../../../platform/chain/permit2.ts'
import type { Authorization, UptoAuthorization } from '../wire/types.ts'

/**
 * The EIP-712 typed data that payers sign. A difference in one field makes another hash, and so another
 * signer.
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

/** The domain of the token: EIP-3009 authorizations are signed for it. */
export function tokenDomain({ usdc, chainId }: Network): TypedDataDomain {
  return { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address }
}

/** What the payer of an `exact` payment signs (EIP-3009). */
export function authorizationTypedData(authorization: Authorization, network: Network) {
  return {
    domain: tokenDomain(network),
    types: transferWithAuthorization,
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization },
  } as const
}

/**
 * Hashes what the payer of an `exact` payment signs: the hash of its type, then each field as a word. This equals
 * viem's `hashStruct`, which would hash the type for each payment.
 */
export function hashAuthorization({
  from,
  to,
  value,
  validAfter,
  validBefore,
  nonce,
}: Omit<Authorization, 'facilitator'>): Hex {
  return keccak256(
    concat([authorizationTypeHash, pad(from), pad(to), ...[value, validAfter, validBefore].map(word), nonce]),
  )
}

const authorizationTypeHash = keccak256(
  stringToHex(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
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

/** The domain of Permit2, which has no version. */
export function permit2Domain({ chainId }: Network): TypedDataDomain {
  return { name: 'Permit2', chainId, verifyingContract: permit2Address }
}

/** What the payer of an `upto` payment signs (Permit2). */
export function permit2TypedData(authorization: UptoAuthorization, network: Network) {
  const { to, value, validAfter, validBefore, nonce, facilitator } = authorization
  return {
    domain: permit2Domain(network),
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
