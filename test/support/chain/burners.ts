import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseEventLogs,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { contractCode, type TestChain } from './chain.ts'

/** Wallet contracts of an attacker who makes us pay for gas, and what they cost the attacker. */
export interface Attacker {
  /** Gas that the attacker has paid for so far. */
  readonly spent: bigint
  /** Deploys a contract and gives it USDC. */
  deploy(code: Hex): Promise<Address>
  /** Makes so many minimal clones of a contract, each with USDC. */
  clone(implementation: Address, count: number): Promise<Address[]>
  /** Makes an account with a key whose code is delegated to a contract (EIP-7702), with USDC. */
  delegate(implementation: Address): Promise<LocalAccount>
}

const factoryAbi = parseAbi([
  'function make(address implementation, uint256 count)',
  'event Made(address clone)',
])
const transferAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])
const { address: usdc } = networks['base-sepolia'].usdc

/** @param funds what each wallet gets, in atomic units. */
export function createAttacker({ client }: TestChain, funds: bigint): Attacker {
  const account = privateKeyToAccount(devPayers[5].privateKey)
  const { chain } = networks['base-sepolia']
  let spent = 0n

  async function mined(hash: Hex) {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('a transaction of the attacker failed')
    spent += receipt.gasUsed
    return receipt
  }

  async function create(code: Hex): Promise<Address> {
    const nonce = BigInt(await client.getTransactionCount({ address: account.address }))
    await mined(await client.sendTransaction({ account: account.address, data: code }))
    return getContractAddress({ from: account.address, nonce })
  }

  async function fund(wallet: Address): Promise<void> {
    const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [wallet, funds] })
    await mined(await client.sendTransaction({ account: account.address, to: usdc, data }))
  }

  return {
    get spent() {
      return spent
    },
    async deploy(code) {
      const wallet = await create(code)
      await fund(wallet)
      return wallet
    },
    async clone(implementation, count) {
      const factory = await create(await contractCode('CloneFactory'))
      const args = [implementation, BigInt(count)] as const
      const data = encodeFunctionData({ abi: factoryAbi, functionName: 'make', args })
      const { logs } = await mined(
        await client.sendTransaction({ account: account.address, to: factory, data }),
      )
      const clones = parseEventLogs({ abi: factoryAbi, eventName: 'Made', logs }).map(
        ({ args }) => args.clone,
      )
      for (const clone of clones) await fund(clone)
      return clones
    },
    async delegate(implementation) {
      const delegated = privateKeyToAccount(generatePrivateKey())
      const authorization = await delegated.signAuthorization({
        contractAddress: implementation,
        chainId: chain.id,
        nonce: 0,
      })
      await mined(
        await client.sendTransaction({
          account,
          chain,
          // Not to the account itself, which has no function for a plain call.
          to: account.address,
          authorizationList: [authorization],
        }),
      )
      await fund(delegated.address)
      return delegated
    },
  }
}

/** Creation code of a contract with arguments of its constructor. */
export async function codeWith(
  name: Parameters<typeof contractCode>[0],
  types: readonly { type: string }[],
  values: readonly unknown[],
): Promise<Hex> {
  return concat([await contractCode(name), encodeAbiParameters(types, values)])
}
