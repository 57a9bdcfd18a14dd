import pTimeout from 'p-timeout'
import type { Log } from '../../core/log.ts'
import type { Dependency } from '../../core/outages.ts'
import { StoreError } from './database.ts'

/**
 * Redis, where several gateways count quotas and rates together. Calls wait for its replies, so every wait is
 * short: without a connection a command fails immediately, and a command without a reply fails after a
 * second. In the background the client keeps trying to connect.
 */
export interface Redis {
  readonly client: RedisClient
  /** Resolves when Redis replies; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

const redis: Dependency = {
  name: 'Redis',
  means: 'calls with a quota are refused with 503, and calls that have only a rate pass uncounted',
}

export type RedisClient = Awaited<ReturnType<typeof createRedisClient>>

/**
 * Connects to the Redis at `url`.
 * @throws StoreError when there is no connection within `openTimeoutMs`.
 */
export async function openRedis(url: string, log: Log, openTimeoutMs = 5_000): Promise<Redis> {
  let lastError: unknown
  // A start that fails says so itself.
  let hasOpened = false
  try {
    const client = await createRedisClient(url)
    // Without a listener the first broken connection would end the process.
    client.on('error', (error: unknown) => {
      lastError = error
      if (hasOpened) log.outages.failed(redis, error)
    })
    client.on('ready', () => log.outages.works(redis))
    try {
      await within(client.connect(), openTimeoutMs)
      hasOpened = true
    } catch (error) {
      client.destroy()
      throw error
    }
    return {
      client,
      ping: async () => void (await waitForRedis(client.ping(), log)),
      async close() {
        try {
          // Lets commands that wait for their reply finish.
          if (client.isReady) await within(client.close())
        } catch (error) {
          log.debug({ err: error }, 'Redis did not finish the last commands')
        } finally {
          client.destroy()
        }
      },
    }
  } catch (error) {
    throw new StoreError(
      'Redis at REDIS_URL cannot be used. Check that it runs, that the address is right, and that it accepts this user.',
      { cause: lastError ?? error },
    )
  }
}

/** Loads the client only where there is a Redis. */
async function createRedisClient(url: string) {
  const { createClient } = await import('redis')
  return createClient({
    url,
    disableOfflineQueue: true,
    // This queue includes commands that wait for their reply: a Redis that hangs must not fill our memory.
    commandsQueueMaxLength: 10_000,
    // Each of our waits ends by itself. The client's own limit, which holds only until a command is sent, makes an
    // AbortSignal for every command, which takes some microseconds.
    commandOptions: { timeout: 0 },
    // A connection can be dead without an error; a ping without a reply shows it.
    pingInterval: 2_000,
    socket: {
      connectTimeout: 1_000,
      socketTimeout: 5_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  })
}

/** Longest wait for one reply of Redis. */
const replyTimeoutMs = 1_000

/** Waits for a reply, at most a second, and reports whether Redis works. */
export async function waitForRedis<Result>(reply: Promise<Result>, { outages }: Log): Promise<Result> {
  try {
    const result = await within(reply)
    outages.works(redis)
    return result
  } catch (error) {
    if (isRedisDown(error)) outages.failed(redis, error)
    throw error
  }
}

/**
 * Whether Redis is down: it did not reply, or says that it cannot work now. Any other error in a reply is about the
 * command. Replies with an error begin with its name in capitals.
 */
function isRedisDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const [, name] = /^([A-Z]{2,}) /.exec(error.message) ?? []
  return name === undefined || downReplies.has(name)
}

const downReplies = new Set(['LOADING', 'MASTERDOWN', 'READONLY', 'OOM', 'MISCONF', 'CLUSTERDOWN'])

/** Waits at most `timeoutMs`. */
function within<Result>(reply: Promise<Result>, timeoutMs = replyTimeoutMs): Promise<Result> {
  // `fallback` makes the error only after a timeout; `message` would make one with a stack for every command.
  return pTimeout(reply, { milliseconds: timeoutMs, fallback: () => late(timeoutMs) })
}

function late(timeoutMs: number): never {
  throw new Error(`Redis did not reply within ${timeoutMs} ms`)
}
