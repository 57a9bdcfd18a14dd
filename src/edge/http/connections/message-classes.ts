import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** The classes of the requests and responses that a server makes. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Makes classes whose objects are requests and responses of this Express application from the start. Express gives each
 * request and each response of Node its own prototype, and V8 has to look up another hidden class for them, which
 * costs more than the rest of Express. It finds the right prototype on these.
 */
export function messageClasses(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Req extends IncomingMessage = IncomingMessage> extends ServerResponse<Req> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
