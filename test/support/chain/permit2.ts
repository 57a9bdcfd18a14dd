import { toFacilitatorEvmSigner } from '@x402/evm'
import { UptoEvmScheme as UptoClient } from '@x402/evm/upto/client'
import { UptoEvmScheme as UptoFacilitator } from '@x402/evm/upto/facilitator'
import { type Address, createWalletClient, type Hex, http, parseAbi, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import {
  permit2Abi,
  permit2Address,
  uptoProxyAbi,
  uptoProxyAddress,
} from '../../../src/platform/chain/permit2.ts'
import { startTestChain, type TestChain } from './chain.ts'

/**
 * Payments by `upto` on a local chain, signed and settled by x402's own schemes, independent of the gateway's
 * code.
 */

export const network = networks['base-sepolia']
export const usdc = network.usdc.address
export const facilitator = privateKeyToAccount(devSettler.privateKey)
export const payer = privateKeyToAccount(devPayers[0].privateKey)
export const otherAccount = privateKeyToAccount(devPayers[1].privateKey)
export const newAccount = () => privateKeyToAccount(generatePrivateKey())

export const tokenAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function nonces(address owner) view returns (uint256)',
  'function mint(address to, uint256 value)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
])

const requirementTo = (payTo: Address) => ({
  scheme: 'upto',
  network: network.caip2,
  amount: '1000000',
  asset: usdc,
  payTo,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2', facilitatorAddress: facilitator.address },
})

const hex = z.templateLiteral(['0x', z.hex()])
const amount = z.string().transform(BigInt)
const signedShape = z.object({
  signature: hex,
  permit2Authorization: z.object({
    from: hex,
    permitted: z.object({ token: hex, amount }),
    nonce: amount,
    deadline: amount,
    witness: z.object({ to: hex, facilitator: hex, validAfter: amount }),
  }),
})
const extensionsShape = z.object({
  eip2612GasSponsoring: z.object({ info: z.object({ amount, deadline: amount, signature: hex }) }),
})

export type Payer = { readonly address: Address; readonly signTypedData: typeof payer.signTypedData }

/** The arguments of the proxy's call, without the amount. */
export interface Terms {
  readonly permit: {
    readonly permitted: { readonly token: Address; readonly amount: bigint }
    readonly nonce: bigint
    readonly deadline: bigint
  }
  readonly owner: Address
  readonly witness: { readonly to: Address; readonly facilitator: Address; readonly validAfter: bigint }
  readonly signature: Hex
}

export type Scene = Awaited<ReturnType<typeof startPermit2Scene>>
export type Payment = Awaited<ReturnType<Scene['sign']>>

export async function startPermit2Scene() {
  const chain = await startTestChain()
  const scheme = uptoFacilitator(chain)

  /** Signs at most one USDC to a new payee, with a permit for Permit2 when the payer has not approved it. */
  async function sign(account: Payer = payer, maxTimeoutSeconds = 300) {
    const accepted = { ...requirementTo(newAccount().address), maxTimeoutSeconds }
    const client = new UptoClient({
      address: account.address,
      signTypedData: (message) => account.signTypedData(message),
      readContract: (request) => chain.client.readContract({ ...request, args: request.args ?? [] }),
    })
    const made = await client.createPaymentPayload(2, accepted, { extensions: { eip2612GasSponsoring: {} } })
    const { signature, permit2Authorization } = signedShape.parse(made.payload)
    const { permitted, nonce, deadline, witness, from } = permit2Authorization
    const terms: Terms = { permit: { permitted, nonce, deadline }, owner: from, witness, signature }
    return {
      payTo: accepted.payTo,
      terms,
      permit2612: extensionsShape.safeParse(made.extensions).data?.eip2612GasSponsoring.info,
      /** Settles by x402's facilitator, with all its checks. */
      settle: (value: bigint) => scheme.settle({ ...made, accepted }, { ...accepted, amount: String(value) }),
    }
  }

  return {
    chain,
    sign,
    /** Simulates a settlement that no facilitator has checked. */
    simulate: ({ permit, owner, witness, signature }: Terms, value = 500_000n, account = facilitator) =>
      chain.client.simulateContract({
        account,
        address: uptoProxyAddress,
        abi: [...uptoProxyAbi, ...permit2Abi],
        functionName: 'settle',
        args: [permit, value, owner, witness, signature],
      }),
    balanceOf: (account: Address) =>
      chain.client.readContract({
        address: usdc,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [account],
      }),
    allowanceOf: (owner: Address) =>
      chain.client.readContract({
        address: usdc,
        abi: tokenAbi,
        functionName: 'allowance',
        args: [owner, permit2Address],
      }),
    /** The word of the payer's 256 nonces that this one is in. */
    usedNonces: (owner: Address, nonce: bigint) =>
      chain.client.readContract({
        address: permit2Address,
        abi: permit2Abi,
        functionName: 'nonceBitmap',
        args: [owner, nonce >> 8n],
      }),
  }
}

function uptoFacilitator({ rpcUrl }: TestChain): UptoFacilitator {
  const wallet = createWalletClient({
    account: facilitator,
    chain: network.chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions)
  return new UptoFacilitator(
    toFacilitatorEvmSigner({
      address: wallet.account.address,
      readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
      verifyTypedData: () => Promise.reject(new Error('the scheme checks signatures by itself')),
      writeContract: (request) => wallet.writeContract({ ...request, args: request.args ?? [] }),
      sendTransaction: () => Promise.reject(new Error('deploys no wallets')),
      waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
      getCode: (request) => wallet.getCode(request),
    }),
  )
}
