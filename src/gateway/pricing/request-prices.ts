import { isSlow, readsBody, readsFields } from '../../core/catalog/expression.ts'
import type { ExpressionPrice } from '../../core/catalog/prices.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { FairThread, maxHereBytes } from '../../platform/threads/fair-thread.ts'
import { TooManyWaiting } from '../../platform/threads/fair-turns.ts'
import { TaskTooLarge } from '../../platform/threads/limited-threads.ts'
import type { HeldCall } from '../bodies/hold-bodies.ts'
import { clientOf } from '../client-address.ts'
import {
  maximumOf,
  oddBody,
  type PricedRequest,
  type RequestPrice,
  requestPrice,
  textsOf,
} from './expression-price.ts'
import type { PriceTask } from './price-thread.ts'
import { WorkBudget } from './work-budget.ts'

interface PriceSettings {
  /** The program that finds the prices of large bodies. */
  readonly program: URL
  readonly limitMs: number
  /** The time that one client address has the thread in a minute. */
  readonly msPerMinute: number
}

const defaults: PriceSettings = {
  program: new URL('price-thread.ts', import.meta.url),
  limitMs: 10_000,
  msPerMinute: 15_000,
}

/**
 * Finds the prices that an expression over the request sets. A call gets its price before it is paid, so
 * reading its body must not stop other calls: a large body is read in a thread, in turns of all callers.
 */
export class RequestPrices {
  readonly #thread: FairThread
  readonly #budget: WorkBudget

  constructor(log: Log, settings: Partial<PriceSettings> = {}) {
    const { program, limitMs, msPerMinute } = { ...defaults, ...settings }
    this.#budget = new WorkBudget(msPerMinute)
    this.#thread = new FairThread(
      {
        ...{ program, limitMs, work: 'finds prices' },
        maxHeapMb: 48,
        waitingBytes: 40_000_000,
        waitingBytesPerCaller: 10_000_000,
        spent: (caller, ms) => void this.#budget.spend(caller, ms),
      },
      log,
    )
  }

  /**
   * Evaluates the expression over the call's request. Reads the body if the expression needs it.
   * @throws GatewayError PAYLOAD_TOO_LARGE, CALLER_LEFT, RATE_LIMIT, TOO_MANY_UPLOADS, UPLOADS_UNAVAILABLE.
   */
  async find(call: HeldCall, price: ExpressionPrice): Promise<RequestPrice> {
    const body = textsOf(price).some(readsBody) ? await bodyOf(call) : undefined
    const { target, params, principal } = call
    const headers = pricedHeaders(call)
    const request = { target, query: call.readQuery(), params, headers }
    if (body === undefined || isPricedHere(price, body)) return requestPrice(price, { ...request, body })
    const caller = principal.kind === 'holder' ? principal.holder.subject : clientOf(call.client())
    // A key has limits of its own.
    if (principal.kind !== 'holder') await this.#budget.require(caller)
    return this.#findInThread(caller, { price, request, bytes: body })
  }

  async #findInThread(caller: string, task: PriceTask): Promise<RequestPrice> {
    try {
      return await this.#thread.run<RequestPrice>(caller, 'price', task)
    } catch (error) {
      if (error instanceof TooManyWaiting) throw tooManyWaiting(error)
      // As for a body that can be read in more than one way.
      if (error instanceof TaskTooLarge) return maximumOf(task.price, oddBody)
      throw error
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** Whether the price of a body is found on the event loop. */
function isPricedHere(price: ExpressionPrice, body: Uint8Array): boolean {
  const texts = textsOf(price)
  return !texts.some(readsFields) || body.byteLength <= (texts.some(isSlow) ? maxSlowBytes : maxHereBytes)
}

/** An expression that goes through a list for each entry of another takes the square of its input's length. */
const maxSlowBytes = 1_024

/** A larger body is refused: finding a price must not cost more than the call is worth. */
const maxPricedBytes = 1_000_000

async function bodyOf({ incoming, endpoint, readBody, room }: HeldCall): Promise<Uint8Array | undefined> {
  if (incoming?.length === 0) return undefined
  const maxBytes = Math.min(maxPricedBytes, endpoint.upstream?.maxRequestBytes ?? maxPricedBytes)
  const bytes = incoming ? await incoming.collect(maxBytes, room) : (await readBody(room)).bytes
  return bytes.byteLength === 0 ? undefined : bytes
}

/** The headers that the price depends on. */
function pricedHeaders({ incoming }: HeldCall): PricedRequest['headers'] {
  const { 'content-type': type, 'content-encoding': encoding, 'mcp-method': method } = incoming?.headers ?? {}
  return { 'content-type': type, 'content-encoding': encoding, 'mcp-method': method }
}

function tooManyWaiting(cause: TooManyWaiting): GatewayError {
  const limit = cause.of === 'caller' ? 'address' : 'all bodies that wait for their price'
  return new GatewayError(
    cause.of === 'caller' ? 'TOO_MANY_UPLOADS' : 'UPLOADS_UNAVAILABLE',
    { limit, retry_after_seconds: retrySeconds },
    { cause, headers: { 'retry-after': String(retrySeconds) } },
  )
}

const retrySeconds = 5
