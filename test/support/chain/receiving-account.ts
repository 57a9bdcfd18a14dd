import { type Address, encodeFunctionData, type Hex, type LocalAccount, multicall3Abi, parseAbi } from 'viem'
import { z } from 'zod'
import { transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { devPayers, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import type { TestChain } from './chain.ts'
import type { SignedPayment } from './wallet.ts'

/** An account that receives payments, with what other accounts do on the chain without any gateway. */
export interface ReceivingAccount {
  readonly address: Address
  balanceOf(account: Address): Promise<bigint>
  /** All transfers from one account to another, the oldest first. */
  transfers(from: Address, to: Address): Promise<readonly { transaction: Hex; value: bigint }[]>
  /** A wallet sends money in a plain transfer, without an authorization. */
  send(from: LocalAccount, to: Address, value: bigint): Promise<Hex>
  /** Another account submits signed payments, all in one transaction. */
  submit(...payments: readonly SignedPayment[]): Promise<Hex>
  mine(blocks: number): Promise<void>
  /**
   * The chain replaces this block and all later ones by blocks that hold only the `kept` transactions. It can
   * go back about fifteen blocks. The nonces of the settlement accounts stay, as on a chain whose nodes keep
   * their other transactions.
   */
  reorganize(from: bigint, ...kept: readonly Hex[]): Promise<void>
}

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const token = { address: networks['base-sepolia'].usdc.address, abi } as const
/** Pays the gas of what is done here; no gateway uses this account. */
const submitter = devPayers[6].address
/** The accounts from which gateways settle. */
export const settlers = [devSettler, devPayers[5], devPayers[4], devPayers[3]] as const

export function createReceivingAccount({ client, rpcUrl }: TestChain, address: Address): ReceivingAccount {
  async function mined(hash: Hex): Promise<Hex> {
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was reverted`)
    return hash
  }

  async function callNode(method: string, params: readonly unknown[]): Promise<unknown> {
    const reply = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return replySchema.parse(await reply.json()).result
  }

  async function reorganize(from: bigint, ...kept: readonly Hex[]): Promise<void> {
    const [head, nonces, raw] = await Promise.all([
      client.getBlockNumber(),
      Promise.all(settlers.map(({ address }) => client.getTransactionCount({ address }))),
      Promise.all(kept.map((hash) => callNode('eth_getRawTransactionByHash', [hash]))),
    ])
    const blocks = Number(head - from) + 1
    // The kept transactions go into the last block, if there are several.
    await callNode('anvil_reorg', [blocks, raw.map((transaction) => [transaction, blocks - 1])])
    for (const [index, { address }] of settlers.entries()) {
      await client.setNonce({ address, nonce: nonces[index] ?? 0 })
    }
  }

  return {
    address,
    balanceOf: (account) => client.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
    async transfers(from, to) {
      const logs = await client.getContractEvents({
        ...token,
        eventName: 'Transfer',
        args: { from, to },
        fromBlock: 0n,
        strict: true,
      })
      return logs.map(({ transactionHash, args }) => ({ transaction: transactionHash, value: args.value }))
    },
    async send(from, to, value) {
      await client.setBalance({ address: from.address, value: 10n ** 18n })
      return mined(
        await client.writeContract({ ...token, account: from, functionName: 'transfer', args: [to, value] }),
      )
    },
    async submit(...payments) {
      const calls = payments.map(({ authorization, signature }) => ({
        target: token.address,
        allowFailure: false,
        callData: transferCall(authorization, signature),
      }))
      const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
      return mined(await client.sendTransaction({ account: submitter, to: multicall3Address, data }))
    },
    mine: (blocks) => client.mine({ blocks }),
    reorganize,
  }
}

const replySchema = z.object({ result: z.unknown() }).refine(({ result }) => result !== undefined)
