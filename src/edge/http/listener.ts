import { createServer, type RequestListener, type Server } from 'node:http'
import type { Log } from '../../core/log.ts'
import { answerBroken } from './broken-requests.ts'
import type { Metrics } from './metrics.ts'
import { refuse } from './refuse.ts'
import type { Audience } from './reply.ts'
import { takeTurns } from './turns.ts'
import { asksForWebSocket, createUpgrade } from './upgrade.ts'

interface ListenerOptions {
  /** The routes. */
  readonly serve: RequestListener
  readonly audience: Audience
  readonly hasUpgrades: boolean
  readonly countCall: Metrics['countCall']
  readonly log: Log
  /** How often requests that do not arrive in time are looked for. */
  readonly checkEveryMs?: number
}

/**
 * A server that takes the requests of its connections by turns, and whose every refusal has our error body, also that
 * of a request that no route ever sees.
 */
export function createListener({
  serve,
  audience,
  hasUpgrades,
  countCall,
  log,
  checkEveryMs = 5_000,
}: ListenerOptions): Server {
  const turns = takeTurns(serve)
  const server = createServer(
    {
      shouldUpgradeCallback: hasUpgrades ? asksForWebSocket : () => false,
      // `framing.ts` refuses a request without a host, in our words.
      requireHostHeader: false,
      connectionsCheckingInterval: checkEveryMs,
      highWaterMark: bufferBytes,
    },
    turns.serve,
  )
  if (hasUpgrades) server.on('upgrade', createUpgrade(serve, turns))
  // An expectation other than 100-continue: `framing.ts` refuses it.
  server.on('checkExpectation', turns.serve)
  server.on(
    'clientError',
    answerBroken(turns, (res, error) => refuse(res, error, audience, { log, countCall })),
  )
  return server
}

/**
 * Of a connection, in each direction. Node hands each chunk of a chunked body over by itself, in 1 µs, and reads on until
 * its buffer is full: chunks of one byte would fill Node's usual 65,536 bytes while every other caller waits.
 */
const bufferBytes = 16_384
