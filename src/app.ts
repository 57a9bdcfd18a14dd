import express, { type Express } from 'express'
import type { Call, Endpoint, Reply } from './core/call.ts'
import type { Catalog } from './core/catalog.ts'
import type { Log } from './core/log.ts'
import { admit } from './gateway/admit.ts'
import { chain } from './gateway/chain.ts'
import { identify } from './gateway/identify.ts'
import { applyPolicy } from './gateway/policy.ts'
import { validate } from './gateway/validate.ts'
import { addRoutes } from './http/routes.ts'
import type { Challenges } from './x402/challenge.ts'
import type { PaymentDoor } from './x402/payment.ts'

/** What the chain needs; `services.ts` builds it. */
export interface AppParts {
  readonly endpoints: readonly Endpoint[]
  readonly catalog: () => Catalog
  readonly challenges: Challenges
  readonly payments: PaymentDoor
  /** Why payments cannot be taken at the moment; undefined when they can. */
  readonly whyNotReady: () => string | undefined
  /** Counts an answered call for whoever watches the gateway. */
  readonly countCall: (operation: string, status: number, seconds: number | undefined) => void
  readonly log: Log
}

/**
 * A call's way through the gateway, and the routes that lead into it.
 * @param operatorToken opens the operator's endpoints; without one they stay closed.
 */
export function createApp(parts: AppParts, operatorToken: string | undefined): Express {
  const { endpoints, catalog, challenges, payments, whyNotReady, countCall, log } = parts

  const handle: (call: Call) => Promise<Reply> = chain(
    // Credentials become a principal, and headers stay behind: no later stage can be talked to by one.
    identify(operatorToken),
  )
    // Which door, by operation and principal. An unpaid call gets its price here, before its body is read.
    .through(applyPolicy(challenges, whyNotReady))
    // The input, before any door opens: a faulty body costs nothing.
    .through(validate)
    // The door itself: claim before the handler, money after it, the reply once the chain shows the money.
    .through(admit(payments, log))
    // The handler.
    .to((call) => call.run(call.context))

  const app = express()
  app.disable('x-powered-by')
  // The path that is priced is the path that is matched: no other spelling reaches a handler.
  app.enable('case sensitive routing')
  app.enable('strict routing')
  addRoutes(app, { endpoints, catalog, handle, countCall, log })
  return app
}
