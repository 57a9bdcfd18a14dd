import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { SmallChunks } from './small-chunks.ts'

/** The classes of the requests and responses that a server makes. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Makes classes whose objects are requests and responses of this Express application from the start. Express gives each
 * request and each response of Node its own prototype, and V8 has to look up another hidden class for them, which
 * costs more than the rest of Express. It finds the right prototype on these.
 * @param worked is told of bodies in many chunks.
 */
export function messageClasses(app: Express, worked: (socket: Socket) => void): MessageClasses {
  class AppRequest extends IncomingMessage {
    #chunks: SmallChunks | undefined

    /** Gets the body from Node’s parser: each chunk, and null at its end. */
    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      if (chunk instanceof Uint8Array) {
        this.#chunks ??= new SmallChunks(
          (piece) => super.push(piece),
          () => worked(this.socket),
        )
        return this.#chunks.add(chunk)
      }
      this.#chunks?.flush()
      return super.push(chunk, encoding)
    }
  }
  class AppResponse<Req extends IncomingMessage = IncomingMessage> extends ServerResponse<Req> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
