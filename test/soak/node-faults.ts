import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { devPayers } from '../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../src/platform/chain/networks.ts'
import type { TestChain } from '../support/chain/chain.ts'
import type { SignedPayment } from '../support/chain/wallet.ts'
import type { Replica } from '../support/gateways/replica.ts'
import type { Asked, Fault } from '../support/servers/rpc-proxy.ts'
import { settlementTimeoutMs } from './deployment.ts'
import type { Random } from './random.ts'

/** The faults on the connection of a gateway to its node. */
export interface NodeFaults {
  /** Calls that failed, hung, or whose reply was lost. */
  readonly faults: number
  /** Authorizations that a third account submitted before the gateway's transaction arrived. */
  readonly frontRuns: number
  /** Makes every call fail in the same way for a while. */
  startOutage(): void
  /** Ends all faults. */
  stop(): void
}

export interface NodeFaultOptions {
  /** Share of the calls to the node that fail. */
  readonly faultShare: number
  /** Share of the broadcasts that a third account front-runs. */
  readonly frontRunShare: number
  /** The payments whose authorizations may be in a broadcast. */
  readonly inFlight: () => Iterable<SignedPayment>
}

const token = networks['base-sepolia'].usdc.address
const frontRunner: Address = devPayers[5].address
/** Longer than the gateway waits for a settlement, so that its outcome becomes unknown. */
const outageMs = settlementTimeoutMs + 1_000
/** Methods whose result a node that lags behind does not have yet. */
const laggingMethods: ReadonlySet<string> = new Set(['eth_getTransactionReceipt', 'eth_getLogs'])

/** Injects faults between a gateway and its node until `stop`. */
export function injectNodeFaults(
  { node }: Replica,
  chain: TestChain,
  random: Random,
  { faultShare, frontRunShare, inFlight }: NodeFaultOptions,
): NodeFaults {
  const count = { faults: 0, frontRuns: 0 }
  let outage: { readonly until: number; readonly fault: Fault } | undefined

  node.meet = async (call) => {
    if (call.method === 'eth_sendRawTransaction' && random.chance(frontRunShare)) {
      for (const payment of paymentsIn(call, inFlight()))
        if (await submit(chain, payment)) count.frontRuns += 1
    }
    const fault =
      outage && performance.now() < outage.until ? outageFault(outage.fault, call) : faultFor(call)
    if (fault) count.faults += 1
    return fault
  }

  function faultFor({ method }: Asked): Fault | undefined {
    if (!random.chance(faultShare)) return undefined
    // Rare, because each of them costs its caller a whole timeout.
    if (random.chance(0.05)) return 'hangs'
    if (laggingMethods.has(method) && random.chance(0.5)) return 'sees nothing'
    return random.pick(['refused', 'answer lost'])
  }

  return {
    get faults() {
      return count.faults
    },
    get frontRuns() {
      return count.frontRuns
    },
    startOutage() {
      const fault = random.pick<Fault>(['sees nothing', 'answer lost', 'refused', 'hangs'])
      outage = { until: performance.now() + outageMs, fault }
    },
    stop() {
      node.meet = undefined
    },
  }
}

/** A node that lags behind still accepts transactions and returns balances. */
function outageFault(fault: Fault, { method }: Asked): Fault | undefined {
  return fault !== 'sees nothing' || laggingMethods.has(method) ? fault : undefined
}

/** Finds the payments whose nonce is in the bytes of a transaction. */
function paymentsIn({ params = [] }: Asked, payments: Iterable<SignedPayment>): SignedPayment[] {
  const [bytes] = params
  if (typeof bytes !== 'string') return []
  return [...payments].filter(({ authorization }) => bytes.includes(authorization.nonce.slice(2)))
}

/**
 * Submits an authorization from a third account.
 * @returns whether this moved the money.
 */
async function submit({ client }: TestChain, { authorization, signature }: SignedPayment): Promise<boolean> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const data = encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
    ]),
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
  // A fixed gas limit, because an estimate fails for a transaction that reverts, and here one may revert.
  const hash = await client.sendTransaction({ account: frontRunner, to: token, data, gas: 200_000n })
  const { status } = await client.waitForTransactionReceipt({ hash })
  return status === 'success'
}

/**
 * Makes the chain drop its newest blocks, as a reorganization does. Their transactions are gone, also from the pool.
 * viem has no method for it.
 * @returns how many blocks were dropped; `firstBlock` is never dropped.
 */
export async function reorganize(chain: TestChain, depth: number, firstBlock: bigint): Promise<number> {
  const head = await chain.client.getBlockNumber()
  const dropped = Math.min(depth, Number(head - firstBlock))
  if (dropped <= 0) return 0
  const reply = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [dropped, []] }),
  })
  const text = await reply.text()
  if (text.includes('"error"')) throw new Error(`the chain was not reorganized: ${text}`)
  return dropped
}
