import { randomBytes } from 'node:crypto'
import { type Address, getAddress, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { authorizationTypedData } from '../../../src/doors/x402/evidence/typed-data.ts'
import type { Authorization } from '../../../src/doors/x402/wire/types.ts'
import { devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

/** Payments made by hand, so that a test can make any part of one wrong. */

const network = networks['base-sepolia']

export interface SignedPayment {
  readonly authorization: Authorization
  readonly signature: Hex
}

/**
 * Signs an authorization of `amount` atomic units to the operator, valid for ten minutes, with the given
 * changes.
 */
export async function signPayment(
  account: LocalAccount,
  amount: bigint,
  change: Partial<Authorization> = {},
  signedFor: typeof network = network,
): Promise<SignedPayment> {
  const now = BigInt(Math.floor(Date.now() / 1000))
  const authorization: Authorization = {
    from: account.address,
    to: getAddress(devPayTo.address),
    value: amount,
    validAfter: now - 600n,
    validBefore: now + 600n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...change,
  }
  return {
    authorization,
    signature: await account.signTypedData(authorizationTypedData(authorization, signedFor)),
  }
}

/** Encodes a payment for a payment header: base64 of an x402 v1 envelope. */
export function v1Header(payment: SignedPayment, change: object = {}): string {
  return encode({
    x402Version: 1,
    scheme: 'exact',
    network: network.name,
    payload: wirePayload(payment),
    ...change,
  })
}

/**
 * Encodes a payment for a payment header: base64 of an x402 v2 envelope that accepts the operation's
 * requirement.
 * @param accepted changes in the requirement.
 * @param change changes in the envelope.
 */
export function v2Header(payment: SignedPayment, accepted: object = {}, change: object = {}): string {
  return encode({
    x402Version: 2,
    accepted: {
      scheme: 'exact',
      network: network.caip2,
      amount: payment.authorization.value.toString(),
      asset: network.usdc.address,
      payTo: getAddress(devPayTo.address),
      maxTimeoutSeconds: 300,
      extra: { name: network.usdc.name, version: network.usdc.version },
      ...accepted,
    },
    payload: wirePayload(payment),
    ...change,
  })
}

function wirePayload({ authorization, signature }: SignedPayment) {
  const { value, validAfter, validBefore, ...rest } = authorization
  return {
    signature,
    authorization: {
      ...rest,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
    },
  }
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function decode(header: string | null | undefined): unknown {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))
}

/** Makes a new wallet. */
export function freshWallet(): LocalAccount & { readonly address: Address } {
  return privateKeyToAccount(generatePrivateKey())
}
