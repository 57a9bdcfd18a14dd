import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { devPayers } from '../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../src/platform/chain/networks.ts'
import type { TestChain } from '../support/chain/chain.ts'
import type { SignedPayment } from '../support/chain/wallet.ts'
import type { Replica } from '../support/gateways/replica.ts'
import type { Asked, Fault } from '../support/servers/rpc-proxy.ts'
import type { Random } from './random.ts'
import { settlementTimeoutMs } from './stage.ts'

/** What the world does to a gateway on its line to the node. */
export interface Trouble {
  /** Calls that failed, were lost or hung. */
  readonly faults: number
  /** Authorizations that a third account carried out before the gateway’s own transaction arrived. */
  readonly frontRuns: number
  /** For a while every call fails in one same way. */
  goDown(): void
  /** Lets the line work again. */
  end(): void
}

export interface TroubleOptions {
  /** Share of the calls to the node that fail in one way or another. */
  readonly faultShare: number
  /** Share of the broadcasts that somebody gets ahead of. */
  readonly frontRunShare: number
  /** The payments whose authorizations somebody may see on their way. */
  readonly underWay: () => Iterable<SignedPayment>
}

const token = networks['base-sepolia'].usdc.address
const bystander: Address = devPayers[5].address
/** Longer than a settlement is waited for, so that its outcome is unknown. */
const outageMs = settlementTimeoutMs + 1_000
/** What may not be there yet, as far as a node that is behind can tell. */
const lagging: ReadonlySet<string> = new Set(['eth_getTransactionReceipt', 'eth_getLogs'])

/** Makes trouble on a gateway's line to the node until it is told to end. */
export function makeTrouble(
  { node }: Replica,
  chain: TestChain,
  random: Random,
  { faultShare, frontRunShare, underWay }: TroubleOptions,
): Trouble {
  const count = { faults: 0, frontRuns: 0 }
  let outage: { readonly until: number; readonly fault: Fault } | undefined

  node.meet = async (call) => {
    if (call.method === 'eth_sendRawTransaction' && random.chance(frontRunShare)) {
      for (const payment of seenIn(call, underWay())) if (await carryOut(chain, payment)) count.frontRuns += 1
    }
    const fault = outage && performance.now() < outage.until ? during(outage.fault, call) : faultFor(call)
    if (fault) count.faults += 1
    return fault
  }

  function faultFor({ method }: Asked): Fault | undefined {
    if (!random.chance(faultShare)) return undefined
    // Few, for each costs its caller the whole time it may wait.
    if (random.chance(0.05)) return 'hangs'
    if (lagging.has(method) && random.chance(0.5)) return 'sees nothing'
    return random.pick(['refused', 'answer lost'])
  }

  return {
    get faults() {
      return count.faults
    },
    get frontRuns() {
      return count.frontRuns
    },
    goDown() {
      const fault = random.pick<Fault>(['sees nothing', 'answer lost', 'refused', 'hangs'])
      outage = { until: performance.now() + outageMs, fault }
    },
    end() {
      node.meet = undefined
    },
  }
}

/** A node that is behind still takes transactions and tells balances. */
function during(fault: Fault, { method }: Asked): Fault | undefined {
  return fault !== 'sees nothing' || lagging.has(method) ? fault : undefined
}

/** The payments whose nonce stands in a transaction's bytes. */
function seenIn({ params = [] }: Asked, payments: Iterable<SignedPayment>): SignedPayment[] {
  const [bytes] = params
  if (typeof bytes !== 'string') return []
  return [...payments].filter(({ authorization }) => bytes.includes(authorization.nonce.slice(2)))
}

/** Submits an authorization in the payer's place. @returns whether this moved the money. */
async function carryOut(
  { client }: TestChain,
  { authorization, signature }: SignedPayment,
): Promise<boolean> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const data = encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
    ]),
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
  // Estimates fail for what would revert, and a revert is one of the things that may happen here.
  const hash = await client.sendTransaction({ account: bystander, to: token, data, gas: 200_000n })
  const { status } = await client.waitForTransactionReceipt({ hash })
  return status === 'success'
}

/**
 * Has the chain drop its newest blocks, as a reorganisation does that brings other ones: what they bore
 * is gone, also from the pool. viem has no word for it.
 * @returns how many blocks were dropped; none when that would reach back to `firstBlock`.
 */
export async function reorganise(chain: TestChain, depth: number, firstBlock: bigint): Promise<number> {
  const head = await chain.client.getBlockNumber()
  const dropped = Math.min(depth, Number(head - firstBlock))
  if (dropped <= 0) return 0
  const answer = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [dropped, []] }),
  })
  const text = await answer.text()
  if (text.includes('"error"')) throw new Error(`the chain was not reorganised: ${text}`)
  return dropped
}
