import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../../src/platform/chain/networks.ts'
import { permit2Address } from '../../../../src/platform/chain/permit2.ts'
import type { TestChain } from '../../../support/chain/chain.ts'
import { domain } from '../../../support/chain/chain-authorization.ts'
import { freshWallet, type SignedPayment } from '../../../support/chain/wallet.ts'
import type { NodeCalls } from '../meters/node-calls.ts'

/**
 * What an attacker does on the chain: fresh wallets, moves of money, approvals and cancellations. The attacker pays the
 * gas of all of it, so that the gateways' gas can be compared with it.
 */
export interface Attacker {
  /** Pays for deployments and cancellations. */
  readonly account: LocalAccount
  /** Makes a wallet with ETH for its own transactions and without USDC. */
  wallet(): Promise<LocalAccount>
  /** A local address that no request came from yet: limits by address are cheap to get around. */
  address(): string
  /** Gives USDC to a wallet, as if the attacker had bought it. */
  fund(wallet: Address, amount: bigint): Promise<void>
  /** Moves USDC of the attacker's own account. */
  pass(to: Address, amount: bigint): Promise<void>
  /** Moves all USDC of a wallet. */
  moveAll(from: LocalAccount, to: Address): Promise<void>
  /** Lets Permit2 move this amount. */
  approve(wallet: LocalAccount, amount: bigint): Promise<void>
  /** Cancels a signed payment on the chain. */
  cancel(payment: SignedPayment, wallet: LocalAccount): Promise<void>
  /** Sends a transaction of the attacker's own account. */
  send(transaction: { readonly to?: Address; readonly data: Hex }): Promise<TransactionReceipt>
}

const usdc = networks['base-sepolia'].usdc.address
const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
const transferOf = (to: Address, amount: bigint) => ({
  to: usdc,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
})

const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
/** Without an estimate, which costs a call and fails for what another transaction has just changed. */
const gas = 10_000_000n

export function createAttacker({ client, mint }: TestChain, calls: NodeCalls): Attacker {
  const account = privateKeyToAccount(devPayers[5].privateKey)
  let addresses = 0

  async function submit(from: LocalAccount, transaction: { to?: Address; data: Hex }) {
    const hash = await client.sendTransaction({ account: from, gas, ...transaction })
    return client.waitForTransactionReceipt({ hash })
  }

  async function sendFrom(from: LocalAccount, transaction: { to?: Address; data: Hex }) {
    const receipt = await submit(from, transaction)
    if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} was reverted`)
    return receipt
  }

  return {
    account,
    async wallet() {
      const wallet = freshWallet()
      calls.suspect(wallet.address)
      await client.setBalance({ address: wallet.address, value: 10n ** 18n })
      return wallet
    },
    address() {
      addresses += 1
      return `127.1.${Math.floor(addresses / 200)}.${1 + (addresses % 200)}`
    },
    fund: mint,
    async pass(to, amount) {
      await sendFrom(account, transferOf(to, amount))
    },
    async moveAll(from, to) {
      for (;;) {
        const args = [from.address] as const
        const balance = await client.readContract({ address: usdc, abi, functionName: 'balanceOf', args })
        if (balance === 0n) return
        // A settlement may take some of it first.
        if ((await submit(from, transferOf(to, balance))).status === 'success') return
      }
    },
    async approve(wallet, amount) {
      const args = [permit2Address, amount] as const
      await sendFrom(wallet, { to: usdc, data: encodeFunctionData({ abi, functionName: 'approve', args }) })
    },
    async cancel({ authorization: { from, nonce } }, wallet) {
      const message = { authorizer: from, nonce }
      const primaryType = 'CancelAuthorization'
      const signature = await wallet.signTypedData({ domain, types: cancelTypes, primaryType, message })
      const args = [from, nonce, signature] as const
      const data = encodeFunctionData({ abi, functionName: 'cancelAuthorization', args })
      await sendFrom(account, { to: usdc, data })
    },
    send: (transaction) => sendFrom(account, transaction),
  }
}
