import { type Address, type Hex, isAddressEqual, parseAbi } from 'viem'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { TestChain } from './chain.ts'

/** A payment as the chain shows it. */
export interface ReceivedPayment {
  readonly payer: Address
  readonly nonce: Hex
  /** Atomic units. */
  readonly value: bigint
  readonly transaction: Hex
}

const events = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
/** A block may hold a hundred payments, and a reply of the node at most ten megabytes. */
const blocksAtOnce = 50n

/**
 * Reads all payments to `payTo` after block `after`, without any of the gateway's code.
 * @throws Error for a transfer without an authorization.
 */
export async function receivedPayments(
  client: TestChain['client'],
  payTo: Address,
  after: bigint,
): Promise<readonly ReceivedPayment[]> {
  const head = await client.getBlockNumber()
  const payments: ReceivedPayment[] = []
  for (let fromBlock = after + 1n; fromBlock <= head; fromBlock += blocksAtOnce) {
    const last = fromBlock + blocksAtOnce - 1n
    const toBlock = last < head ? last : head
    const logs = await client.getLogs({
      address: networks['base-sepolia'].usdc.address,
      events,
      strict: true,
      fromBlock,
      toBlock,
    })
    for (const [index, log] of logs.entries()) {
      if (log.eventName !== 'Transfer' || !isAddressEqual(log.args.to, payTo)) continue
      const before = logs[index - 1]
      if (
        before?.eventName !== 'AuthorizationUsed' ||
        before.transactionHash !== log.transactionHash ||
        !isAddressEqual(before.args.authorizer, log.args.from)
      ) {
        throw new Error(`${log.transactionHash} pays ${log.args.value} without an authorization`)
      }
      const { nonce } = before.args
      const { from: payer, value } = log.args
      payments.push({ payer, nonce, value, transaction: log.transactionHash })
    }
  }
  return payments
}
