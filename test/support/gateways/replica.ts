import { join } from 'node:path'
import { devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { type RpcProxy, startRpcProxy } from '../servers/rpc-proxy.ts'
import { type StoreProxy, startStoreProxy } from '../stores/store-proxy.ts'
import { type Ended, openWorkplace, type Running, trusting } from './process.ts'

/**
 * One gateway of several, in its own process: it can be killed and started again at the same address, as a
 * supervisor does. It has its own connections to the node and the store, so that a failure of one gateway
 * does not reach another.
 */
export interface Replica {
  /** Its address, without a trailing slash. */
  readonly url: string
  /** The process that was started last. */
  readonly pid: number
  /** Its connection to the node. */
  readonly node: RpcProxy
  /** Its connection to the store. */
  readonly store: StoreProxy
  /** Starts it. Resolves when it serves. */
  start(): Promise<void>
  /** Asks it to stop, as a supervisor does, and waits until it has ended. */
  stop(): Promise<Ended>
  /** Kills it. Throws when it has ended by itself before. */
  kill(): Promise<void>
  /** Stops its process in the middle of whatever it does, without ending it (SIGSTOP). */
  pause(): void
  /** Lets it go on. */
  resume(): void
  /** Whether its process settles from an account of its own by now, instead of handing payments over. */
  hasAccount(): boolean
  /** The log lines of all its processes. */
  logged(): string
  /** Ends it and its connections. */
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly rpcUrl: string
  readonly databaseUrl: string
  /** Flags of Node.js; none when left out. */
  readonly flags?: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

export async function openReplica({
  rpcUrl,
  databaseUrl,
  flags = [],
  settings,
}: ReplicaOptions): Promise<Replica> {
  const workplace = await openWorkplace()
  const node = await startRpcProxy(rpcUrl)
  const store = await startStoreProxy(databaseUrl)
  const port = await freePort()
  const processes: Running[] = []
  let isClosed = false

  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      const running = processes.at(-1)
      if (!running) throw new Error('a gateway that was not started has no process')
      return running.pid
    },
    node,
    store,
    async start() {
      if (isClosed) throw new Error('a gateway that is closed is not started again')
      const started = workplace.start('main', {
        flags,
        settings: {
          DATABASE_URL: store.url,
          RPC_URL: node.url,
          PAY_TO: devPayTo.address,
          ...(settings.FACILITATOR_URL ? {} : { SETTLER_KEY: devSettler.privateKey }),
          // A gateway that was killed and is started again waits for its own lease.
          SETTLER_LEASE_MS: '2000',
          CATALOG_FILE: 'test/fixtures/catalog.yaml',
          DATA_DIR: join(workplace.folder, 'data'),
          PORT: String(port),
          OPERATOR_TOKEN: 'operator-token-of-a-test-gateway',
          ...trusting,
          ...settings,
        },
      })
      processes.push(started)
      await started.shows(/tollgate listens/)
    },
    async stop() {
      const running = processes.at(-1)
      if (!running) throw new Error('a gateway that was not started cannot be stopped')
      running.signal('SIGTERM')
      return running.ended
    },
    async kill() {
      const doomed = processes.at(-1)
      doomed?.signal('SIGKILL')
      const ended = await doomed?.ended
      if (ended?.signal !== 'SIGKILL')
        throw new Error(`a gateway ended by itself with ${ended?.code}:\n${ended?.stderr}`)
    },
    pause: () => processes.at(-1)?.signal('SIGSTOP'),
    resume: () => processes.at(-1)?.signal('SIGCONT'),
    hasAccount: () =>
      processes.at(-1)?.stderr.includes('this gateway sends settlements from this account now') ?? false,
    logged: () => processes.map(({ stderr }) => stderr).join(''),
    async close() {
      isClosed = true
      await workplace.close()
      await node.close()
      await store.close()
    },
  }
}
