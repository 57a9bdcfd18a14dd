import { createServer, type RequestListener, type Server } from 'node:http'
import { GatewayError } from '../../../core/errors.ts'
import type { Log } from '../../../core/log.ts'
import { methods } from '../../../proxy/routes/route-pattern.ts'
import type { Metrics } from '../metrics.ts'
import { refuse } from '../refuse.ts'
import type { Audience } from '../reply.ts'
import { answerBroken } from './broken-requests.ts'
import type { MessageClasses } from './message-classes.ts'
import { type Turns, takeTurns } from './turns.ts'
import { asksForWebSocket, createUpgrade } from './upgrade.ts'

interface ListenerOptions {
  /** The routes. */
  readonly serve: RequestListener
  /**
   * What the routes take their requests and responses for; by default Node's own.
   * @param bodyWorked is to be called for work that the body of a request makes.
   */
  readonly classes?: (bodyWorked: Turns['bodyWorked']) => MessageClasses
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
  classes,
  audience,
  hasUpgrades,
  countCall,
  log,
  checkEveryMs = 5_000,
}: ListenerOptions): Server {
  const turns = takeTurns(serve)
  const server = createServer(
    {
      ...classes?.(turns.bodyWorked),
      shouldUpgradeCallback: hasUpgrades ? asksForWebSocket : () => false,
      // `framing.ts` refuses a request without a host, in our words.
      requireHostHeader: false,
      connectionsCheckingInterval: checkEveryMs,
      highWaterMark: bufferBytes,
    },
    turns.serve,
  )
  server.on('connection', turns.arrived)
  if (hasUpgrades) server.on('upgrade', createUpgrade(serve, turns))
  // Node closes the connection of a CONNECT that has no listener, without a word.
  server.on(
    'connect',
    createUpgrade((_req, res) => refuse(res, noTunnels, audience, { log, countCall }), turns),
  )
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

/** The gateway stands in front of its own upstreams: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6 */
const noTunnels = new GatewayError(
  'METHOD_NOT_ALLOWED',
  {},
  {
    headers: { allow: [...methods, 'OPTIONS'].join(', '), connection: 'close' },
    hint: 'It opens no tunnels to other servers.',
  },
)
