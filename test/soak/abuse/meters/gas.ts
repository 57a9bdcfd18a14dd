import pLimit from 'p-limit'
import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  parseAbi,
  parseEventLogs,
  slice,
  type TransactionReceipt,
  toFunctionSelector,
} from 'viem'
import { multicall3Address, networks } from '../../../../src/platform/chain/networks.ts'
import type { TestChain } from '../../../support/chain/chain.ts'

/** What a stretch of blocks cost and moved, read from the receipts alone. */
export interface ChainUse {
  /** Gas that settling accounts paid for payments that moved no money. */
  readonly wasted: bigint
  /** Gas of transactions that neither a settling account nor the mint has sent. */
  readonly ofOthers: bigint
  /** Atomic units and transfers to the operator, by payer in lower case. */
  readonly received: ReadonlyMap<string, { readonly amount: bigint; readonly transfers: number }>
}

interface Accounts {
  readonly payTo: Address
  readonly settlers: readonly Address[]
  /** Gives test money away; its gas does not count. */
  readonly mint: Address
}

const transfer = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const aggregate = toFunctionSelector('aggregate3((address,bool,bytes)[])')

/** @param after the last block before the stretch. @param until its last block. */
export async function readChainUse(
  { client }: TestChain,
  after: bigint,
  until: bigint,
  { payTo, settlers, mint }: Accounts,
): Promise<ChainUse> {
  const isOneOf = (accounts: readonly Address[], one: Address) =>
    accounts.some((account) => isAddressEqual(account, one))
  const limit = pLimit(10)
  const use = { wasted: 0n, ofOthers: 0n }
  const received = new Map<string, { amount: bigint; transfers: number }>()

  async function addBlock(blockNumber: bigint): Promise<void> {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    for (const { hash, from, to, input } of transactions) {
      if (isAddressEqual(from, mint)) continue
      const receipt = await client.getTransactionReceipt({ hash })
      if (!isOneOf(settlers, from)) {
        use.ofOthers += receipt.gasUsed
        continue
      }
      const attempted = attemptsOf(to, input)
      const failed = attempted - addTransfers(receipt)
      use.wasted += (receipt.gasUsed * failed) / attempted
    }
  }

  /** @returns how many payments the transaction has carried out. */
  function addTransfers({ logs }: TransactionReceipt): bigint {
    const own = logs.filter(({ address }) => isAddressEqual(address, networks['base-sepolia'].usdc.address))
    const moves = parseEventLogs({ abi: transfer, logs: own }).filter(({ args }) =>
      isAddressEqual(args.to, payTo),
    )
    for (const { args } of moves) {
      const before = received.get(args.from.toLowerCase()) ?? { amount: 0n, transfers: 0 }
      received.set(args.from.toLowerCase(), {
        amount: before.amount + args.value,
        transfers: before.transfers + 1,
      })
    }
    return BigInt(moves.length)
  }

  const blocks = Array.from({ length: Number(until - after) }, (_, index) => after + BigInt(index) + 1n)
  await Promise.all(blocks.map((block) => limit(() => addBlock(block))))
  return { ...use, received }
}

/** How many payments a transaction tries to carry out. */
function attemptsOf(to: Address | null, input: Hex): bigint {
  if (!to || !isAddressEqual(to, multicall3Address) || slice(input, 0, 4) !== aggregate) return 1n
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: input })
  const [calls] = args ?? []
  return Array.isArray(calls) ? BigInt(calls.length) : 1n
}
