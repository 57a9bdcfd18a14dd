import { encodeFunctionData, type Hex, hashTypedData, maxUint256, multicall3Abi, parseAbi } from 'viem'
import { sign } from 'viem/accounts'
import { type DevAccount, devAccounts, devSettler } from '../dev-accounts.ts'
import { multicall3Address, networks } from '../networks.ts'
import { permit2Address } from '../permit2.ts'
import { DevChainError } from './dev-chain-error.ts'
import type { DevClient } from './place-contracts.ts'

const { chainId, usdc } = networks['base-sepolia']
const initialUsdc = 10_000_000_000n

const tokenAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function mint(address to, uint256 value)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
])

/**
 * Gives the test wallets USDC and an approval of Permit2, which the scheme `upto` needs. One transaction
 * gives all of them the same, and each is given once for a chain: what a wallet has spent or revoked is not
 * given again. A chain that was made before the approvals gets only these.
 * @param onMint called before the wallets get their money.
 * @throws DevChainError when the chain refuses.
 */
export async function fundWallets(client: DevClient, onMint: () => void): Promise<void> {
  const token = { address: usdc.address, abi: tokenAbi } as const
  const [supply, permitsOfFirst] = await Promise.all([
    client.readContract({ ...token, functionName: 'totalSupply' }),
    client.readContract({ ...token, functionName: 'nonces', args: [devSettler.address] }),
  ])
  const isMinted = supply > 0n
  const isApproved = permitsOfFirst > 0n
  if (isMinted && isApproved) {
    // Calls run at the time of the last block, which on a saved chain can be days old.
    await client.mine({ blocks: 1 })
    return
  }
  if (!isMinted) onMint()
  await callToken(client, [
    ...(isMinted ? [] : devAccounts.map(mint)),
    ...(isApproved ? [] : await Promise.all(devAccounts.map(approvePermit2))),
  ])
}

const mint = ({ address }: DevAccount): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [address, initialUsdc] })

/** A signed permit (EIP-2612), because an approval sent by the wallet would use up its first nonce. */
async function approvePermit2({ address, privateKey }: DevAccount): Promise<Hex> {
  const terms = { owner: address, spender: permit2Address, value: maxUint256, deadline: maxUint256 }
  const hash = hashTypedData({
    domain: { name: usdc.name, version: usdc.version, chainId, verifyingContract: usdc.address },
    types: { Permit: permitFields },
    primaryType: 'Permit',
    message: { ...terms, nonce: 0n },
  })
  const signature = await sign({ hash, privateKey, to: 'hex' })
  const args = [terms.owner, terms.spender, terms.value, terms.deadline, signature] as const
  return encodeFunctionData({ abi: tokenAbi, functionName: 'permit', args })
}

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

async function callToken(client: DevClient, calls: readonly Hex[]): Promise<void> {
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map((callData) => ({ target: usdc.address, allowFailure: false, callData }))],
  })
  const hash = await client.sendTransaction({ account: devSettler.address, to: multicall3Address, data })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') {
    throw new DevChainError(
      `The local chain refused to give the test wallets their USDC (transaction ${hash}).`,
    )
  }
}
