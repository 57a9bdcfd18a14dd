import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { environmentOfStart, flagsOfStart, startProgram } from '../../bench/servers.ts'
import { startTestChain, type TestChain, temporaryFolder } from '../../support/chain/chain.ts'
import { careful } from '../../support/gateways/process.ts'
import { startRpcProxy } from '../../support/servers/rpc-proxy.ts'
import { type GatewayProcess, openGatewayProcess } from '../gateway-process.ts'
import { catalogOf, paths } from './catalog.ts'
import { type FarEnd, startFarEnd } from './far-end/far-end.ts'
import { openProber, type Prober } from './probe/prober.ts'

/**
 * A gateway as `npm start` runs it, with PostgreSQL, the local chain and the servers behind it, and beside it a bare
 * server. Gateway, bare server, chain and database are processes; the far end, the prober and the attacker are threads.
 */
export interface Stage {
  readonly chain: TestChain
  readonly farEnd: FarEnd
  readonly gateway: GatewayProcess
  readonly prober: Prober
  readonly operatorToken: string
  /** Calls to the node, and transactions of the store, so far. */
  spent(): Promise<{ readonly nodeCalls: number; readonly storeCalls: number }>
  /** Waits until the gateway answers quickly again. @returns whether it does. */
  isCalm(): Promise<boolean>
  /** Kills the gateway and starts another one, warmed up. */
  restart(): Promise<void>
  close(): Promise<void>
}

const operatorToken = 'operator-token-of-the-edge-soak-gateway'
const calm = { probes: 20, ms: 50, patienceMs: 60_000 }
const transactions = z.tuple([z.object({ sum: z.coerce.number() })])

/** @param databaseUrl an empty database. @param settings further settings of the gateway. */
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
    const node = await startRpcProxy(chain.rpcUrl)
    closers.push(node.close)
    const farEnd = await startFarEnd()
    closers.push(farEnd.close)
    const peer = await startProgram(new URL('./probe/peer.ts', import.meta.url).pathname, [], {})
    closers.push(peer.stop)
    const store = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    closers.push(() => store.end())
    const catalog = join(folder, 'catalog.yaml')
    await writeFile(catalog, catalogOf(farEnd))
    const flags = await flagsOfStart
    const memory = await environmentOfStart

    async function open(): Promise<{ gateway: GatewayProcess; prober: Prober }> {
      const gateway = await openGatewayProcess(
        {
          DATABASE_URL: databaseUrl,
          RPC_URL: node.url,
          PAY_TO: devPayTo.address,
          // A gateway that was killed leaves its account to the next one.
          SETTLER_LEASE_MS: '2000',
          CATALOG_FILE: catalog,
          OPERATOR_TOKEN: operatorToken,
          ALLOW_PRIVATE_TARGETS: `${farEnd.siteName}=${new URL(farEnd.siteUrl).host}`,
          ...careful,
          ...memory,
          ...settings,
        },
        flags,
      )
      await warmUp(gateway.url)
      const prober = await openProber({ gateway: `${gateway.url}/health`, peer: peer.url })
      return { gateway, prober }
    }
    let running = await open()
    const end = async () => {
      await running.prober.close()
      await running.gateway.kill()
    }
    closers.push(end)
    return {
      chain,
      farEnd,
      operatorToken,
      get gateway() {
        return running.gateway
      },
      get prober() {
        return running.prober
      },
      async spent() {
        return { nodeCalls: node.countAll(), storeCalls: await countTransactions(store) }
      },
      isCalm: () => isCalm(running.gateway),
      async restart() {
        await end()
        running = await open()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Compiles what a case uses: the first calls of a process take longer, which no attacker has caused. */
async function warmUp(url: string): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    for (const path of [...paths.documents, `${paths.size}?n=2`, paths.work, paths.drip]) {
      const method = path === paths.work ? 'POST' : 'GET'
      await (await fetch(url + path, { method })).arrayBuffer()
    }
  }
  const chunks = new Array<Uint8Array>(1_000).fill(Buffer.from(' '))
  for (let round = 0; round < 10; round += 1) {
    const body = ReadableStream.from(chunks)
    await (await fetch(`${url}/api/insights/scan`, { method: 'POST', body, duplex: 'half' })).arrayBuffer()
  }
}

async function isCalm(gateway: GatewayProcess): Promise<boolean> {
  const deadline = performance.now() + calm.patienceMs
  for (let quick = 0; quick < calm.probes; ) {
    if (gateway.hasEnded || performance.now() > deadline) return false
    const startedAt = performance.now()
    const isAnswered = await fetch(`${gateway.url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      (reply) => reply.arrayBuffer().then(() => reply.ok),
      () => false,
    )
    quick = isAnswered && performance.now() - startedAt < calm.ms ? quick + 1 : 0
    await pause(20)
  }
  return true
}

/** The database counts them with a delay of up to a second. */
async function countTransactions(store: pg.Pool): Promise<number> {
  const { rows } = await store.query(
    'select xact_commit + xact_rollback as sum from pg_stat_database where datname = current_database()',
  )
  const [{ sum }] = transactions.parse(rows)
  return sum
}
