import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Call, Endpoint, Reply } from './core/call.ts'
import type { Catalog } from './core/catalog.ts'
import { GatewayError } from './core/errors.ts'
import type { Log } from './core/log.ts'
import { admit } from './gateway/admit.ts'
import { chain } from './gateway/chain.ts'
import { identify } from './gateway/identify.ts'
import { applyPolicy } from './gateway/policy.ts'
import { validate } from './gateway/validate.ts'
import { errorReply } from './http/errors.ts'
import { preflightReply, sendReply } from './http/reply.ts'
import { toCall } from './http/request.ts'
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
  readonly log: Log
}

/** A call's way through the gateway, and the routes that lead into it. */
export function createApp(parts: AppParts): Express {
  const { endpoints, catalog, challenges, payments, whyNotReady, log } = parts

  const handle: (call: Call) => Promise<Reply> = chain(
    // Credentials become a principal, and headers stay behind: no later stage can be talked to by one.
    identify,
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

  for (const [path, atPath] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const route = app.route(path)
    for (const endpoint of atPath) {
      const serve = async (req: Request, res: Response) => {
        const operation = catalog().operations[endpoint.id]
        if (!operation) throw new GatewayError('NOT_FOUND')
        const startedAt = performance.now()
        const call = toCall(req, res, endpoint, operation)
        const reply = await handle(call).catch((error: unknown) => errorReply(error, call.id, log))
        sendReply(res, reply, call.id)
        // Anyone can ask for a price as often as they like; that must not fill the disk.
        const level = reply.status === 402 ? 'debug' : 'info'
        if (log.isLevelEnabled(level)) {
          const durationMs = Math.round(performance.now() - startedAt)
          log[level]({ call: call.id, operation: endpoint.id, status: reply.status, durationMs }, 'call')
        }
      }
      if (endpoint.method === 'GET') route.get(serve)
      else route.post(serve)
    }
    const methods = atPath
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .concat('OPTIONS')
    route.options((_req, res) => sendReply(res, preflightReply(methods)))
    route.all(() => {
      throw new GatewayError('METHOD_NOT_ALLOWED', {}, { headers: { allow: methods.join(', ') } })
    })
  }
  app.use(() => {
    throw new GatewayError('NOT_FOUND')
  })
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const id = crypto.randomUUID()
    sendReply(res, errorReply(error, id, log), id)
  })
  return app
}
