import { Registry } from 'prom-client'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { provesPayment } from '../../../src/doors/x402/evidence/authorization-state.ts'
import { createLocalFacilitator } from '../../../src/doors/x402/facilitators/local.ts'
import { createSettlerMetrics } from '../../../src/doors/x402/settler/metrics.ts'
import { PayerCodeCache } from '../../../src/doors/x402/settler/payer-code-cache.ts'
import type { Signer } from '../../../src/doors/x402/settler/sender.ts'
import { Settler } from '../../../src/doors/x402/settler/settler.ts'
import type { Facilitator, Settlement } from '../../../src/doors/x402/wire/facilitator.ts'
import { createChainClient } from '../../../src/platform/chain/client.ts'
import { devPayers } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { type RpcProxy, startRpcProxy } from '../servers/rpc-proxy.ts'
import { startTestChain, type TestChain } from './chain.ts'
import { type SignedPayment, signPayment } from './wallet.ts'

/** Settlers without a gateway, on a chain whose mining a test can stop. */

const network = networks['base-sepolia']
const payer = privateKeyToAccount(devPayers[0].privateKey)

/** The amount of a payment signed here, in atomic units. */
export const price = 100_000n

/** With these, a payment may take as much gas as any. */
const gasTerms = { maxSharePercent: 100, ethPrice: 1n }

export interface SettlementScene {
  readonly chain: TestChain
  /** The RPC endpoint in front of the chain; it can fail. */
  readonly node: RpcProxy
  /** Makes a new account with this much wei for gas. */
  gasAccount(balance?: bigint): Promise<Signer>
  /** Starts a settler with long timeouts, unless the test changes them. */
  start(signers: readonly Signer[], change?: SettlerChange): TestSettler
  /** Stops mining until `startMining`. */
  stopMining(): Promise<void>
  /** Mines the waiting transactions, and each later one when it arrives. */
  startMining(): Promise<void>
  /** The transactions of an account that wait to be mined, in the order of their nonces. */
  waitingFrom(signer: Signer): Promise<WaitingTransaction[]>
  /** Waits until exactly one transaction of the account waits. */
  oneWaitingFrom(signer: Signer): Promise<WaitingTransaction>
  /** Waits until exactly one transaction waits that is not this one. */
  replacementOf(signer: Signer, hash: Hex): Promise<WaitingTransaction>
  /** How many transactions of an account are mined. */
  countOf(signer: Signer): Promise<number>
  /** Expects the settlement to name the transaction and block in which the chain shows this transfer. */
  expectSettled(settlement: Settlement, payment: SignedPayment, amount?: bigint): Promise<void>
  /** The price of a unit of gas now, in wei: the base fee and the usual tip. */
  gasPrice(): Promise<bigint>
  /** Ends the node's faults, starts mining and closes the settlers. */
  tidy(): Promise<void>
  close(): Promise<void>
}

export interface TestSettler {
  readonly settler: Settler
  readonly facilitator: Facilitator
  /** The sum of a metric's values, each with these labels. */
  metric(name: string, labels?: Readonly<Record<string, string | number>>): Promise<number>
}

type SettlerChange = Partial<ConstructorParameters<typeof Settler>[0]>

interface WaitingTransaction {
  readonly hash: Hex
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export const sign = () => signPayment(payer, price)

/** @param amount what is taken; the signed amount when left out. */
export const settle = (settler: Settler, payment: SignedPayment, amount = payment.authorization.value) =>
  settler.settle(payment, amount, 'first')

export const settleAgain = (settler: Settler, payment: SignedPayment, amount = payment.authorization.value) =>
  settler.settle(payment, amount, 'again')

export function transactionOf(settlement: Settlement): Hex {
  if (settlement.outcome === 'failed' || !settlement.transaction) throw new Error('no transaction is named')
  return settlement.transaction
}

export async function startSettlementScene(): Promise<SettlementScene> {
  const chain = await startTestChain()
  const node = await startRpcProxy(chain.rpcUrl)
  const settlers: Settler[] = []

  async function startMining(): Promise<void> {
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
  }

  async function waitingFrom({ address }: Signer): Promise<WaitingTransaction[]> {
    const { pending, queued } = await chain.client.getTxpoolContent()
    return [pending, queued].flatMap((pool) => {
      const [, own = {}] =
        Object.entries(pool).find(([from]) => from.toLowerCase() === address.toLowerCase()) ?? []
      return Object.values(own).map(({ hash, maxFeePerGas, maxPriorityFeePerGas }) => ({
        hash,
        maxFeePerGas: BigInt(maxFeePerGas ?? 0),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
      }))
    })
  }

  async function onlyWaitingFrom(signer: Signer, butNot?: Hex): Promise<WaitingTransaction> {
    let waiting: WaitingTransaction[] = []
    const hashes = async () => {
      waiting = await waitingFrom(signer)
      return waiting.map(({ hash }) => hash)
    }
    const message = `${signer.address} does not have exactly one waiting transaction`
    await expect.poll(hashes, { message }).toSatisfy(([hash, ...others]) => {
      return hash !== undefined && hash !== butNot && others.length === 0
    })
    const [only] = waiting
    if (!only) throw new Error('nothing waits')
    return only
  }

  return {
    chain,
    node,
    async gasAccount(balance = 10n ** 20n) {
      const account = privateKeyToAccount(generatePrivateKey())
      await chain.client.setBalance({ address: account.address, value: balance })
      return account
    },
    start(signers, change = {}) {
      const client = createChainClient({ network, rpcUrl: node.url, timeoutMs: 2_000 })
      const payers = new PayerCodeCache(client)
      const registry = new Registry()
      const settler = new Settler({
        client,
        watchClient: client,
        network,
        signers,
        payers,
        timeoutMs: 20_000,
        replaceAfterMs: 20_000,
        warnBelow: 1_000n,
        gasTerms,
        metrics: createSettlerMetrics(registry),
        log: createLog('silent'),
        ...change,
      })
      settlers.push(settler)
      return {
        settler,
        facilitator: createLocalFacilitator({ client, network, settler, payers }),
        async metric(name, labels = {}) {
          const metrics = await registry.getMetricsAsJSON()
          const values = metrics.flatMap((metric) =>
            metric.values.filter(
              (value) => ('metricName' in value ? value.metricName : metric.name) === name,
            ),
          )
          if (values.length === 0) throw new Error(`there is no metric ${name}`)
          const wanted = Object.entries(labels)
          return values
            .filter((value) => wanted.every(([label, text]) => value.labels[label] === text))
            .reduce((sum, { value }) => sum + value, 0)
        },
      }
    },
    async stopMining() {
      await chain.client.setAutomine(false)
      await chain.client.setIntervalMining({ interval: 0 })
    },
    startMining,
    waitingFrom,
    oneWaitingFrom: (signer) => onlyWaitingFrom(signer),
    replacementOf: (signer, hash) => onlyWaitingFrom(signer, hash),
    countOf: ({ address }) => chain.client.getTransactionCount({ address }),
    async expectSettled(settlement, { authorization }, amount = authorization.value) {
      expect(settlement).toMatchObject({ outcome: 'settled' })
      const receipt = await chain.client.getTransactionReceipt({ hash: transactionOf(settlement) })
      const { blockNumber, blockHash } = receipt
      expect(settlement).toMatchObject({ block: { number: blockNumber, hash: blockHash } })
      const { address } = network.usdc
      expect(await provesPayment(chain.client, receipt, address, authorization, amount)).toBe(true)
    },
    async gasPrice() {
      const { baseFeePerGas } = await chain.client.getBlock()
      return (baseFeePerGas ?? 0n) + (await chain.client.estimateMaxPriorityFeePerGas())
    },
    async tidy() {
      node.meet = undefined
      node.faults.clear()
      await startMining()
      await Promise.all(settlers.splice(0).map((settler) => settler.close()))
    },
    async close() {
      await node.close()
      await chain.close()
    },
  }
}
