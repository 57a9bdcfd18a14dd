import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { devPayers } from '../../../../src/platform/chain/dev-accounts.ts'
import { createDevClient } from '../../../../src/platform/chain/local/place-contracts.ts'
import { networks } from '../../../../src/platform/chain/networks.ts'
import { permit2Address } from '../../../../src/platform/chain/permit2.ts'
import { freshWallet } from '../../../support/chain/wallet.ts'

const usdc = networks['base-sepolia'].usdc.address
const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])

/** What an attacker does on the chain from its own thread. */
export function connectToChain(rpcUrl: string) {
  const client = createDevClient(rpcUrl)

  async function carryOut(hash: `0x${string}`): Promise<void> {
    await client.waitForTransactionReceipt({ hash })
  }

  async function mint(to: Address, value: bigint): Promise<void> {
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, value] })
    await carryOut(await client.sendTransaction({ account: devPayers[7].address, to: usdc, data }))
  }

  return {
    /** Gives USDC to a wallet. */
    mint,
    balanceOf: (wallet: Address): Promise<bigint> =>
      client.readContract({ address: usdc, abi, functionName: 'balanceOf', args: [wallet] }),
    /** Makes a wallet with this much USDC, which Permit2 may move. */
    async wallet(funds: bigint) {
      const wallet = freshWallet()
      await client.setBalance({ address: wallet.address, value: 10n ** 18n })
      await mint(wallet.address, funds)
      const data = encodeFunctionData({ abi, functionName: 'approve', args: [permit2Address, funds] })
      await carryOut(await client.sendTransaction({ account: wallet, to: usdc, data }))
      return wallet
    },
  }
}
