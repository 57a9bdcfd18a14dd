import express, { type Express } from 'express'
import type { Call } from '../core/call.ts'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Log } from '../core/log.ts'
import type { Reply } from '../core/reply.ts'
import type { QuotaDoor } from '../doors/quota/door.ts'
import type { PaymentDoor } from '../doors/x402/door/payment.ts'
import type { Challenges } from '../doors/x402/wire/challenge.ts'
import { addRoutes, type Routes, type Stopping } from '../edge/http/routes.ts'
import { admit } from '../gateway/admit.ts'
import { chain } from '../gateway/chain.ts'
import { type Credentials, identify } from '../gateway/identify.ts'
import { applyPolicy } from '../gateway/policy.ts'
import { priceCall } from '../gateway/price.ts'
import type { UseNotes } from '../gateway/use-notes.ts'
import { validate } from '../gateway/validate.ts'
import type { Config } from '../platform/config/config.ts'

/** What the chain needs; `services.ts` builds it. */
export interface AppParts {
  readonly endpoints: readonly Endpoint[]
  /** Finds what leads to an upstream. */
  readonly findRelay: Routes['findRelay']
  readonly catalog: () => Catalog
  readonly challenges: Challenges
  readonly credentials: Credentials
  readonly payments: PaymentDoor
  readonly quotas: QuotaDoor
  /** Whose X-Forwarded-For counts, in Express' words. */
  readonly trustProxy: Config['trustProxy']
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  /** Counts an answered call for whoever watches the gateway. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  /** Writes down what metered calls have used. */
  readonly note: UseNotes['note']
  readonly log: Log
}

/**
 * A call's way through the gateway, and the routes that lead into it.
 * @param operatorToken opens the operator's endpoints; without one they stay closed.
 * @param stopping tells replies that stream when to end.
 */
export function createApp(
  parts: AppParts,
  operatorToken: string | undefined,
  stopping: Stopping = { begun: never, over: never },
): Express {
  const { endpoints, findRelay, catalog, credentials, challenges, payments, quotas } = parts
  const { whyNotReady, countCall, note, log } = parts

  const handle: (call: Call) => Promise<Reply> = chain(
    // Credentials become a principal, and headers stay behind: no later stage can be talked to by one.
    identify(credentials, operatorToken),
  )
    // What the call costs where that depends on what is asked for: which key is bought, or how much of an upstream.
    .through(priceCall())
    // Which door, by operation and principal. An unpaid call gets its price here, before its body is read.
    .through(applyPolicy({ catalog, challenges, whyNotReady }))
    // The input, before any door opens: a faulty body costs nothing.
    .through(validate(payments))
    // The door itself: claim before the handler, money after it, the reply once the chain shows the money.
    .through(admit({ payments, quotas, challenges, whyNotReady, note, log }))
    // The handler.
    .to((call) => call.run(call.context))

  const app = express()
  app.disable('x-powered-by')
  // The path that is priced is the path that is matched: no other spelling reaches a handler.
  app.enable('case sensitive routing')
  app.enable('strict routing')
  // Everyone can claim to be forwarded for somebody else: only the proxies that were named are believed.
  app.set('trust proxy', parts.trustProxy)
  addRoutes(app, { endpoints, findRelay, catalog, handle, countCall, stopping, log })
  return app
}

const never = new AbortController().signal
