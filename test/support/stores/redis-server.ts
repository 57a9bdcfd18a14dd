import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isListening } from '../../../src/platform/chain/local/port.ts'
import { temporaryFolder } from '../chain/chain.ts'

/**
 * A real Redis for one test file, on a free port, without storage on disk. Another Redis of this machine is
 * never used, unless TEST_REDIS_URL names one, and then only by suites that do not stop it.
 */
export interface RedisServer {
  readonly url: string
  /** Kills it, as when its machine dies; its content is lost. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Makes it hang: it keeps its connections and does not reply until it is thawed. */
  freeze(): void
  thaw(): void
  /** Stops it for good and removes its folder. */
  close(): Promise<void>
}

const isInstalled = spawnSync('redis-server', ['--version']).status === 0

/**
 * Whether this machine can run a Redis. Without one the tests print a notice, and fail in CI, where skipped
 * tests would count as passed.
 */
export function hasRedis(): boolean {
  if (isInstalled) return true
  if (process.env.CI === 'true') throw new Error('redis-server is missing: apt-get install redis-server')
  process.stderr.write('redis-server is missing, so what is counted in Redis is not tested here\n')
  return false
}

/**
 * Starts a Redis.
 * @param password the password of its clients; none when left out.
 */
export async function startRedis(password = ''): Promise<RedisServer> {
  const { folder, remove } = await temporaryFolder()
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    let running = await spawnRedis(port, folder, password)
    // Another process took the port meanwhile.
    if (!running && tries < 5) continue
    if (!running) throw new Error('redis-server could not be started')

    const stop = async () => {
      if (!running) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      running = undefined
      await ended
    }
    return {
      url: `redis://127.0.0.1:${port}`,
      stop,
      async start() {
        running ??= await spawnRedis(port, folder, password)
        if (!running) throw new Error('redis-server could not be started again')
      },
      freeze: () => void running?.kill('SIGSTOP'),
      thaw: () => void running?.kill('SIGCONT'),
      async close() {
        await stop()
        await remove()
      },
    }
  }
}

/** @returns the process once it listens; undefined when it ended instead. */
async function spawnRedis(port: number, folder: string, password: string): Promise<ChildProcess | undefined> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--requirepass', password]
  const child = spawn('redis-server', [...settings, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
  while (child.exitCode === null) {
    if (await isListening(port)) return child
    await sleep(10)
  }
  return undefined
}
