import { Agent } from 'undici'
import { createSlotsByKey, type SlotsByKey } from '../../core/slots-by-key.ts'
import type { SignRequest } from './bot-signature.ts'
import { createConnector, lookUp, type Resolve } from './connect.ts'
import { Deadline } from './deadline.ts'
import { FetchFailure, toFetchError } from './fetch-error.ts'
import { negotiate } from './negotiate.ts'
import { isPublicAddress } from './public-address.ts'
import { followRedirect, type Hop } from './redirect.ts'
import { sendRequest } from './send-request.ts'
import { checkTarget, hostOf, type PrivateTarget, TargetError } from './target.ts'

export { FetchError } from './fetch-error.ts'

export interface FetchOptions {
  /** GET unless set. */
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** With POST. */
  readonly body?: Uint8Array
  /** 5 unless set; with 0 a redirect is returned like any other response. */
  readonly maxRedirects?: number
  /** Of the decompressed body; 10 MB unless set. */
  readonly maxBytes?: number
  /** A longer body fails with `too_large` (the default), or is cut. */
  readonly onTooLarge?: 'fail' | 'cut'
  /**
   * A body that breaks off, is too slow or cannot be decompressed fails (the default), or is left out: for callers that
   * decide by the status alone.
   */
  readonly onUnreadable?: 'fail' | 'leave out'
  /**
   * For the whole fetch with its redirects, 20 s unless set. It starts when the host has a free slot, because
   * waiting for other requests to the same host says nothing about this one.
   */
  readonly deadlineMs?: number
  /**
   * Media types that are accepted: `text/html`, `text/*`. A successful response of another type, or of none,
   * fails with `content_type` and is not read. Responses of 300 and more are accepted whatever their type is.
   */
  readonly accept?: readonly string[]
  /** A redirect from https to http fails with `refused`. */
  readonly refuseDowngrade?: boolean
  /** Ours unless set. Requests with another name are not signed. */
  readonly userAgent?: string
  readonly signal?: AbortSignal
}

export interface Fetched {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** By lower-case name, each line of a repeated header by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** The hops before the last response. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  /** Decompressed. */
  readonly body: Uint8Array
  readonly isCut: boolean
  /** Length of `body`. */
  readonly bytes: number
  /** Length of the last body as it came over the network. */
  readonly wireBytes: number
  /**
   * From the last request to the first byte of its response, including the name lookup and the connection.
   */
  readonly firstByteMs: number
}

export interface Fetcher {
  /**
   * Fetches a URL and follows its redirects.
   *
   * @throws FetchError
   */
  fetch(url: URL | string, options?: FetchOptions): Promise<Fetched>
  /**
   * Finds out which application protocol a server chooses in a TLS handshake that offers h2 and http/1.1. The
   * same guard applies; no request is sent.
   *
   * @returns undefined when the server chooses none
   * @throws FetchError
   */
  negotiate(
    url: URL | string,
    options?: { readonly deadlineMs?: number; readonly signal?: AbortSignal },
  ): Promise<string | undefined>
  /** Ends all fetches with `aborted`, and closes every connection. */
  close(): Promise<void>
}

interface FetcherOptions {
  readonly userAgent: string
  /** Private targets that may be fetched. */
  readonly allowed?: readonly PrivateTarget[]
  readonly sign?: SignRequest
  readonly resolve?: Resolve
  readonly isAllowedAddress?: (ip: string) => boolean
  /** Certificates (PEM) trusted in addition to the system's. */
  readonly ca?: string
  readonly maxPerHost?: number
  /** From a request to the head of its response; 10 s unless set. */
  readonly headersTimeoutMs?: number
}

/**
 * Creates the fetcher for addresses that callers choose: scanned websites, webhooks, health checks. It
 * connects to public addresses only and limits the size and the time of every fetch. Without it a caller
 * could read our internal network, fill our memory or hold a connection forever.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  return new GuardedFetcher(options)
}

class GuardedFetcher implements Fetcher {
  readonly #userAgent: string
  readonly #sign: SignRequest | undefined
  readonly #allowed: readonly PrivateTarget[]
  readonly #negotiator: ReturnType<typeof createConnector>
  /** Without them one large scan, or many scans of one website at once, would overload that website. */
  readonly #slots: SlotsByKey
  readonly #dispatcher: Agent

  constructor({
    userAgent,
    allowed = [],
    sign,
    resolve = lookUp,
    isAllowedAddress = isPublicAddress,
    ca,
    maxPerHost = 4,
    headersTimeoutMs = 10_000,
  }: FetcherOptions) {
    const guard = { allowed, isAllowedAddress, resolve, ca }
    this.#userAgent = userAgent
    this.#sign = sign
    this.#allowed = allowed
    this.#negotiator = createConnector({ ...guard, offerHttp2: true })
    this.#slots = createSlotsByKey(maxPerHost)
    this.#dispatcher = new Agent({
      connect: createConnector(guard),
      allowH2: false,
      maxHeaderSize: 64 * 1_024,
      headersTimeout: headersTimeoutMs,
      // The deadline ends a body that trickles; a limit between two pieces would not.
      bodyTimeout: 0,
      // Shorter than servers keep theirs: a request on a connection that the server is closing would fail.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 4_000,
    })
  }

  async fetch(target: URL | string, options: FetchOptions = {}): Promise<Fetched> {
    const deadline = new Deadline(options.deadlineMs ?? 20_000, options.signal)
    const maxRedirects = options.maxRedirects ?? 5
    const limits = {
      accept: options.accept,
      maxBytes: options.maxBytes ?? 10_000_000,
      isCutAllowed: options.onTooLarge === 'cut',
      isBodyOptional: options.onUnreadable === 'leave out',
      isRedirectFollowed: maxRedirects > 0,
    }
    const redirects: { url: string; status: number }[] = []
    const visited = new Set<string>()
    let url = String(target)
    try {
      let hop = this.#firstHop(target, options)
      for (;;) {
        const current = hop
        url = current.url.href
        checkTarget(current.url, this.#allowed)
        visited.add(`${current.method} ${url}`)
        const { location, ...response } = await this.#slots.run(hostOf(current.url), deadline.signal, () => {
          deadline.start()
          return sendRequest(this.#dispatcher, this.#signed(current), limits, deadline.signal)
        })
        if (location === undefined) return { url, redirects, ...response }
        redirects.push({ url, status: response.status })
        if (redirects.length > maxRedirects) {
          throw new FetchFailure('redirects', `The server redirects more than ${maxRedirects} times.`)
        }
        hop = followRedirect(current, response.status, location, options.refuseDowngrade ?? false)
        if (visited.has(`${hop.method} ${hop.url.href}`)) {
          throw new FetchFailure('redirects', 'The server redirects in a circle.')
        }
      }
    } catch (error) {
      throw toFetchError(deadline.signal.aborted ? deadline.signal.reason : error, url)
    } finally {
      deadline.end()
    }
  }

  async negotiate(
    target: URL | string,
    { deadlineMs = 10_000, signal }: { readonly deadlineMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    const deadline = new Deadline(deadlineMs, signal)
    try {
      const url = toUrl(target)
      checkTarget(url, this.#allowed)
      return await this.#slots.run(hostOf(url), deadline.signal, () => {
        deadline.start()
        return negotiate(this.#negotiator, url, deadline.signal)
      })
    } catch (error) {
      throw toFetchError(error, String(target))
    } finally {
      deadline.end()
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy()
  }

  #firstHop(target: URL | string, options: FetchOptions): Hop {
    const given = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    return {
      url: toUrl(target),
      method: options.method ?? 'GET',
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br, zstd',
        'user-agent': options.userAgent ?? this.#userAgent,
        ...Object.fromEntries(given),
      },
      body: options.body,
    }
  }

  /**
   * A signature names the host, so each hop gets its own. It vouches for our name, so requests under another
   * get none.
   */
  #signed(hop: Hop): Hop {
    if (this.#sign === undefined || hop.headers['user-agent'] !== this.#userAgent) return hop
    return { ...hop, headers: { ...hop.headers, ...this.#sign(hop.url) } }
  }
}

function toUrl(target: URL | string): URL {
  const url = URL.parse(String(target))
  if (url === null) throw new TargetError('malformed', 'This is not an address.')
  url.hash = ''
  return url
}
