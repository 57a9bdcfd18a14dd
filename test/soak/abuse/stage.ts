import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { environmentOfStart, flagsOfStart } from '../../bench/servers.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { careful } from '../../support/gateways/process.ts'
import { openReplica, type Replica } from '../../support/gateways/replica.ts'
import { countRuns, type Runs } from '../count-runs.ts'
import { type Attacker, createAttacker } from './callers/attacker.ts'
import { type Callers, openCallers } from './callers/callers.ts'
import { catalogOf } from './catalog.ts'
import { type FarEnd, startFarEnd } from './far-end.ts'
import { type ChainUse, readChainUse } from './meters/gas.ts'
import { countNodeCalls, type NodeCalls } from './meters/node-calls.ts'

/**
 * Two gateway processes on one store and one chain, and everything that counts what happens to them. Both have the keys
 * of two settling accounts, as in `docker-compose.yml`: each sends from one, and takes over the other's if it dies.
 */
export interface Stage {
  readonly chain: TestChain
  /** The last block before the first payment. */
  readonly firstBlock: bigint
  readonly replicas: readonly [Replica, Replica]
  /** The settling account of each, while both run. */
  readonly settlers: readonly [Address, Address]
  /** What upstream calls reach. */
  readonly farEnd: FarEnd
  /** What the gateways' own handler asks. */
  readonly model: Runs
  readonly attacker: Attacker
  /** The thread that sends the attacks. */
  readonly attackers: Callers
  readonly nodeCalls: NodeCalls
  /** Reads what blocks after this one cost and moved. */
  chainUse(after: bigint): Promise<ChainUse>
  /** How many payments of these payers are not finished. */
  openPayments(payers: readonly string[]): Promise<number>
  close(): Promise<void>
}

const settlerKeys = [devSettler.privateKey, devPayers[6].privateKey] as const
/** How long a lead research takes: long enough to move money meanwhile. */
const researchMs = 1_000

const openRows = z.tuple([z.object({ count: z.coerce.number() })])

/** @param databaseUrl an empty database. @param settings further settings of both gateways. */
export async function openStage(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<Stage> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { folder, remove } = await temporaryFolder()
    closers.push(remove)
    const chain = await startTestChain()
    closers.push(chain.close)
    const farEnd = await startFarEnd()
    closers.push(farEnd.close)
    const model = await countRuns(researchMs)
    closers.push(model.close)
    const attackers = await openCallers()
    closers.push(attackers.close)
    const store = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    closers.push(() => store.end())
    const catalog = join(folder, 'catalog.yaml')
    await writeFile(catalog, catalogOf(farEnd.url))
    // They decide how much memory a gateway takes.
    const flags = await flagsOfStart
    const memory = await environmentOfStart
    const open = async () => {
      const replica = await openReplica({
        rpcUrl: chain.rpcUrl,
        databaseUrl,
        flags,
        settings: {
          ...model.settings,
          CATALOG_FILE: catalog,
          ...careful,
          SETTLER_KEY: settlerKeys.join(','),
          SETTLEMENT_TIMEOUT_MS: '10000',
          LOG_LEVEL: 'warn',
          ...memory,
          ...settings,
        },
      })
      closers.push(replica.close)
      return replica
    }
    const replicas = [await open(), await open()] as const
    // The first takes both accounts and gives the second one away.
    for (const replica of replicas) await replica.start()
    const nodeCalls = countNodeCalls(replicas.map(({ node }) => node))
    const settlers = [
      privateKeyToAccount(settlerKeys[0]).address,
      privateKeyToAccount(settlerKeys[1]).address,
    ] as const
    const accounts = { payTo: devPayTo.address, settlers, mint: devPayers[7].address }
    return {
      chain,
      firstBlock: await chain.client.getBlockNumber(),
      replicas,
      settlers,
      farEnd,
      model,
      attacker: createAttacker(chain, nodeCalls),
      attackers,
      nodeCalls,
      async chainUse(after) {
        return readChainUse(chain, after, await chain.client.getBlockNumber(), accounts)
      },
      async openPayments(payers) {
        const { rows } = await store.query(
          `select count(*) from payments where state in ('claimed', 'served', 'settling') and payer = any($1)`,
          [payers.map((payer) => payer.toLowerCase())],
        )
        const [{ count }] = openRows.parse(rows)
        return count
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
