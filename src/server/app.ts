import express, { type Express } from 'express'
import type { Call } from '../core/call.ts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Log } from '../core/log.ts'
import type { Reply } from '../core/reply.ts'
import type { QuotaDoor } from '../doors/quota/door.ts'
import type { PaymentDoor } from '../doors/x402/door/payment.ts'
import type { Recall } from '../doors/x402/door/recall.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import { warnOfForwardedCalls } from '../edge/http/forwarded-calls.ts'
import { readHostOfRequest } from '../edge/http/host.ts'
import { createAnswerDocument } from '../edge/http/open-document.ts'
import { addRoutes, type Routes, type Shutdown } from '../edge/http/routes.ts'
import { createRunCall } from '../edge/http/run-call.ts'
import { createMcp, type McpAddresses } from '../edge/mcp/mcp.ts'
import { admit } from '../gateway/admit.ts'
import { holdBodies } from '../gateway/bodies/hold-bodies.ts'
import { readPaidBody, verifyBeforeUpload } from '../gateway/bodies/paid-upload.ts'
import type { WaitingBodies } from '../gateway/bodies/waiting-bodies.ts'
import { chain } from '../gateway/chain.ts'
import { type CountDoor, countDoors } from '../gateway/count-doors.ts'
import { identify } from '../gateway/identify.ts'
import { applyPolicy, type PolicyParts } from '../gateway/policy.ts'
import { priceCall } from '../gateway/price.ts'
import type { RequestPrices } from '../gateway/pricing/request-prices.ts'
import type { Credentials } from '../gateway/principal.ts'
import type { UsageRecorder } from '../gateway/usage-recorder.ts'
import { validateInput } from '../gateway/validate-input.ts'
import type { Config } from '../platform/config/config.ts'

/** What the chain and its routes need; `app-parts.ts` builds it. */
export interface AppParts {
  readonly endpoints: readonly Endpoint[]
  /** Finds the endpoint of a request to an upstream. */
  readonly findUpstreamRoute: Routes['findUpstreamRoute']
  readonly catalog: () => Catalog
  /** Our own address, without a trailing slash. */
  readonly baseUrl: string
  readonly challenges: Challenges
  readonly credentials: Credentials
  readonly payments: PaymentDoor
  /** Counts the payments that are refused. */
  readonly refused: PolicyParts['refused']
  /** The memory of the bodies that wait for a door to open. */
  readonly bodies: WaitingBodies
  /** Finds the prices that depend on a request. */
  readonly prices: Pick<RequestPrices, 'find'>
  readonly recall: Recall
  readonly quotas: QuotaDoor
  /** Where the MCP servers are; undefined without them. */
  readonly mcp: McpAddresses | undefined
  /** The proxies whose X-Forwarded-For is trusted, as Express reads it. */
  readonly trustProxy: Config['trustProxy']
  /** Whether their X-Forwarded-Host names the host of a request. */
  readonly trustForwardedHost: boolean
  /** Why payments cannot be taken now; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  /** Counts a reply in the metrics. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly countDoor: CountDoor
  /** Records what a delivered reply has used. */
  readonly recordUsage: UsageRecorder['record']
  readonly log: Log
}

/**
 * Builds the chain of stages that every call passes, and the Express routes that lead into it.
 * @param operatorToken opens the operator's endpoints; without it they stay closed.
 * @param shutdown tells streamed replies when to end.
 */
export function createApp(
  parts: AppParts,
  operatorToken: string | undefined,
  shutdown: Shutdown = { begun: never, forced: never },
): Express {
  const {
    endpoints,
    findUpstreamRoute,
    catalog,
    baseUrl,
    credentials,
    challenges,
    payments,
    refused,
    quotas,
    bodies,
    prices,
  } = parts
  const { recall, whyNotReady, countCall, countDoor, recordUsage, log } = parts

  const handle: (call: Call) => Promise<Reply> = chain(
    // Who calls: credentials become a principal. Later stages read the principal, never credentials.
    identify(credentials, operatorToken),
  )
    // Room for its body, until a door has opened: bodies that wait must not fill the memory.
    .through(holdBodies(bodies))
    // What it costs, where that depends on the request: the tier of a key for sale, or an expression.
    .through(priceCall(prices))
    // Which door, by operation and principal. An unpaid call gets its 402 here, before its body is read.
    .through(applyPolicy({ catalog, baseUrl, challenges, refused, recall, whyNotReady }))
    // How the calls of each door end, for the metrics.
    .through(countDoors(countDoor))
    // The input, before a door opens: a faulty request costs nothing.
    .through(validateInput)
    // The payment of a large upload, before the upload is read: a worthless payment must not fill our memory.
    .through(verifyBeforeUpload(payments))
    // The body of a paid upload, because the payment is bound to it. All other uploads stay on the wire.
    .through(readPaidBody)
    // The door: claim before the handler runs, settle after it, reply once the chain shows the transfer.
    .through(admit({ payments, quotas, challenges, catalog, whyNotReady, recordUsage, log }))
    // The handler, or the proxy's forwarder. The door is open, so the body no longer waits.
    .to((call) => {
      call.room.beginRun()
      return call.run(call.context)
    })

  const mcp =
    parts.mcp &&
    createMcp(
      { run: createRunCall({ handle, countCall, log }), endpoints, catalog },
      { ...parts.mcp, bodies, credentials },
    )
  const run = createRunCall({
    // A request to an MCP server is no call: each tool call in it becomes one, and passes the chain.
    handle: (call) => (mcp?.serving(call.endpoint) ?? handle)(call),
    countCall,
    log,
  })

  const app = express()
  app.disable('x-powered-by')
  // Only the exact path is matched: another spelling could be priced as one path and served as another.
  app.enable('case sensitive routing')
  app.enable('strict routing')
  // Any caller can send X-Forwarded-For, so only the configured proxies are trusted.
  app.set('trust proxy', parts.trustProxy)
  if (!parts.trustForwardedHost) readHostOfRequest(app)
  const watch = parts.trustProxy === false ? warnOfForwardedCalls(log) : undefined
  const paths = [...endpoints, ...(mcp?.endpoints ?? [])]
  const answerDocument = createAnswerDocument({ countCall, countDoor, log })
  addRoutes(app, {
    endpoints: paths,
    findUpstreamRoute,
    catalog,
    run,
    answerDocument,
    countCall,
    shutdown,
    watch,
    log,
  })
  return app
}

const never = new AbortController().signal
