import type { Log } from '../../core/log.ts'
import { StoreError } from './database.ts'

/**
 * Redis, in which gateways count quotas and rates together. A call waits for its answer, so nothing here
 * waits long: without a connection a command fails at once, and one that is not answered fails after a
 * second, while the client goes on trying to connect for ever.
 */
export interface Redis {
  readonly client: RedisClient
  /** Resolves when Redis answers; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type RedisClient = Awaited<ReturnType<typeof createRedisClient>>

/** Connects to the Redis at `url`. @throws StoreError when that cannot be done in time. */
export async function openRedis(url: string, log: Log, openTimeoutMs = 5_000): Promise<Redis> {
  let lastError: unknown
  let isDown = false
  try {
    const client = await createRedisClient(url)
    // Without a listener the first broken connection would end the process.
    client.on('error', (error: unknown) => {
      lastError = error
      // Each attempt to connect fails anew; the first one says it all.
      if (isDown) log.debug({ err: error }, 'Redis cannot be reached')
      else
        log.warn({ err: error }, 'the connection to Redis broke; quotas cannot be counted until it is back')
      isDown = true
    })
    client.on('ready', () => {
      if (isDown) log.info('Redis answers again')
      isDown = false
    })
    try {
      await answerWithin(openTimeoutMs, client.connect())
    } catch (error) {
      client.destroy()
      throw error
    }
    return {
      client,
      ping: async () => void (await answerWithin(answerTimeoutMs, client.ping())),
      async close() {
        try {
          // Lets what is under way come to its end.
          if (client.isReady) await answerWithin(answerTimeoutMs, client.close())
        } catch (error) {
          log.debug({ err: error }, 'Redis did not answer to the end')
        } finally {
          client.destroy()
        }
      },
    }
  } catch (error) {
    throw new StoreError(
      'Redis at REDIS_URL cannot be used. Check that it runs, that the address is right and that it lets this user in.',
      { cause: lastError ?? error },
    )
  }
}

/** Longest wait for one answer of Redis. */
export const answerTimeoutMs = 1_000

/** The client is loaded where there is a Redis only. */
async function createRedisClient(url: string) {
  const { createClient } = await import('redis')
  return createClient({
    url,
    disableOfflineQueue: true,
    // Counts those that wait for an answer, too: a Redis that hangs must not fill our memory.
    commandsQueueMaxLength: 10_000,
    // A connection that is dead without saying so is found out by a ping that nothing follows.
    pingInterval: 2_000,
    socket: {
      connectTimeout: 1_000,
      socketTimeout: 5_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  })
}

/** The client itself times a command only until it is sent. */
export function answerWithin<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
