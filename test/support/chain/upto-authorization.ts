import { randomBytes } from 'node:crypto'
import { uptoPermit2WitnessTypes } from '@x402/evm'
import { type Address, encodeFunctionData, getAddress, type Hex, type LocalAccount, parseAbi } from 'viem'
import type { Authorization, Permit } from '../../../src/doors/x402/wire/types.ts'
import { devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { permit2Address, uptoProxyAddress } from '../../../src/platform/chain/permit2.ts'
import type { TestChain } from './chain.ts'
import { freshWallet, type SignedPayment } from './wallet.ts'

/** `upto` payments signed by hand over x402's own types, so that a test can make any part of one wrong. */

const { chainId, usdc } = networks['base-sepolia']

const permit2 = parseAbi([
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
  'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)',
])
const token = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function nonces(address owner) view returns (uint256)',
])

/**
 * Signs at most `value` atomic units to the operator, valid for ten minutes, to be settled by `facilitator`.
 */
export async function signUpto(
  account: LocalAccount,
  facilitator: Address,
  value: bigint,
  change: Partial<Authorization> = {},
): Promise<SignedPayment> {
  const now = BigInt(Math.floor(Date.now() / 1000))
  const authorization = {
    from: account.address,
    to: getAddress(devPayTo.address),
    value,
    validAfter: now - 600n,
    validBefore: now + 600n,
    nonce: randomNonce(),
    facilitator,
    ...change,
  }
  const { to, validAfter, validBefore, nonce } = authorization
  const signature = await account.signTypedData({
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: uptoPermit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: usdc.address, amount: authorization.value },
      spender: uptoProxyAddress,
      nonce: BigInt(nonce),
      deadline: validBefore,
      witness: { to, facilitator: authorization.facilitator, validAfter },
    },
  })
  return { authorization, signature }
}

const randomNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** Signs an EIP-2612 permit that lets Permit2 move this payment's maximum. */
export async function signPermit(
  chain: TestChain,
  account: LocalAccount,
  { authorization: { value, validBefore: deadline } }: SignedPayment,
): Promise<Permit> {
  const owner = account.address
  const nonce = await chain.client.readContract({
    address: usdc.address,
    abi: token,
    functionName: 'nonces',
    args: [owner],
  })
  const signature = await account.signTypedData({
    domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner, spender: permit2Address, value, nonce, deadline },
  })
  return { value, nonce, deadline, signature }
}

/** Makes a wallet with these funds, of which Permit2 may move `allowance`. */
export async function uptoWallet(chain: TestChain, funds: bigint, allowance = funds): Promise<LocalAccount> {
  const wallet = freshWallet()
  await chain.client.setBalance({ address: wallet.address, value: 10n ** 18n })
  await chain.mint(wallet.address, funds)
  if (allowance > 0n) await approve(chain, wallet, allowance)
  return wallet
}

export function approve(chain: TestChain, wallet: LocalAccount, allowance: bigint): Promise<Hex> {
  const args = [permit2Address, allowance] as const
  return call(chain, wallet, usdc.address, encodeFunctionData({ abi: token, functionName: 'approve', args }))
}

/** The payer cancels the signed payment. */
export function cancelUpto(
  chain: TestChain,
  wallet: LocalAccount,
  { authorization }: SignedPayment,
): Promise<Hex> {
  const nonce = BigInt(authorization.nonce)
  const args = [nonce >> 8n, 1n << (nonce & 255n)] as const
  const data = encodeFunctionData({ abi: permit2, functionName: 'invalidateUnorderedNonces', args })
  return call(chain, wallet, permit2Address, data)
}

/** The payer uses the nonce of the signed payment for another transfer. */
export async function spendNonce(
  chain: TestChain,
  wallet: LocalAccount,
  { authorization }: SignedPayment,
  to: Address,
  amount: bigint,
): Promise<Hex> {
  const permitted = { token: usdc.address, amount }
  const nonce = BigInt(authorization.nonce)
  const { validBefore: deadline } = authorization
  const signature = await wallet.signTypedData({
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: uptoPermit2WitnessTypes.TokenPermissions,
    },
    primaryType: 'PermitTransferFrom',
    message: { permitted, spender: wallet.address, nonce, deadline },
  })
  const args = [
    { permitted, nonce, deadline },
    { to, requestedAmount: amount },
    wallet.address,
    signature,
  ] as const
  const data = encodeFunctionData({ abi: permit2, functionName: 'permitTransferFrom', args })
  return call(chain, wallet, permit2Address, data)
}

async function call({ client }: TestChain, account: LocalAccount, to: Address, data: Hex): Promise<Hex> {
  const hash = await client.sendTransaction({ account, to, data })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`${hash} was reverted`)
  return hash
}
