import { Agent } from 'undici'
import type { SignRequest } from './bot-signature.ts'
import { createConnector, lookUp, type Resolve } from './connect.ts'
import { createDeadline } from './deadline.ts'
import { FetchFailure, toFetchError } from './fetch-error.ts'
import { createHostSlots } from './host-slots.ts'
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
  /** 5 unless set; with 0 a redirect is the answer. */
  readonly maxRedirects?: number
  /** Of the decoded body; 10 MB unless set. */
  readonly maxBytes?: number
  /** A body beyond that fails with `too_large`, unless it may be cut. */
  readonly onTooLarge?: 'fail' | 'cut'
  /**
   * For the whole fetch with its redirects, 20 s unless set. It begins when the host has a free slot: how many
   * others ask for the same host is no fault of this fetch.
   */
  readonly deadlineMs?: number
  /**
   * Media types that are taken: `text/html`, `text/*`. A successful answer of another type, or of none, fails
   * with `content_type` and is not read. Answers of 300 and more are taken whatever they are: their status
   * says what matters.
   */
  readonly accept?: readonly string[]
  /** A redirect from https to http fails with `refused`. */
  readonly refuseDowngrade?: boolean
  /** Ours unless set; a request under another name is not signed. */
  readonly userAgent?: string
  readonly signal?: AbortSignal
}

export interface Fetched {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** By lower-case name, each line of a repeated header by itself. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** The hops on the way there, without the last answer. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
  /** Decoded. */
  readonly body: Uint8Array
  readonly isCut: boolean
  /** Length of `body`. */
  readonly bytes: number
  /** Of the last body, as it came in. */
  readonly wireBytes: number
  /** From the last request to the first byte of its answer, with look-up and connection when it needed them. */
  readonly firstByteMs: number
}

export interface Fetcher {
  /** @throws FetchError */
  fetch(url: URL | string, options?: FetchOptions): Promise<Fetched>
  /**
   * The application protocol that the server chooses in a TLS handshake which offers h2 and http/1.1; undefined
   * when it chooses none. Guarded the same way; no request is sent.
   *
   * @throws FetchError
   */
  negotiate(
    url: URL | string,
    options?: { readonly deadlineMs?: number; readonly signal?: AbortSignal },
  ): Promise<string | undefined>
  /** Ends what is under way with `aborted`, and every connection. */
  close(): Promise<void>
}

/**
 * The only way out to addresses that strangers choose: scanned websites, webhooks, health checks. It goes to
 * public addresses only, takes no more than it was told to, and comes to an end.
 */
export function createFetcher({
  userAgent,
  allowed = [],
  sign,
  resolve = lookUp,
  isAllowedAddress = isPublicAddress,
  ca,
  maxPerHost = 4,
}: {
  readonly userAgent: string
  readonly allowed?: readonly PrivateTarget[]
  readonly sign?: SignRequest
  readonly resolve?: Resolve
  readonly isAllowedAddress?: (ip: string) => boolean
  readonly ca?: string
  readonly maxPerHost?: number
}): Fetcher {
  const guard = { allowed, isAllowedAddress, resolve, ca }
  const look = createConnector({ ...guard, offerHttp2: true })
  const slots = createHostSlots(maxPerHost)
  const dispatcher = new Agent({
    connect: createConnector(guard),
    allowH2: false,
    maxHeaderSize: 64 * 1_024,
    headersTimeout: 10_000,
    // The deadline ends a body that trickles; a limit between two pieces would not.
    bodyTimeout: 0,
    // Shorter than servers keep theirs: a request on a connection that closes meanwhile would fail.
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 4_000,
  })

  return {
    async fetch(target, options = {}) {
      const deadline = createDeadline(options.deadlineMs ?? 20_000, options.signal)
      const most = options.maxRedirects ?? 5
      const limits = {
        accept: options.accept,
        maxBytes: options.maxBytes ?? 10_000_000,
        isCutAllowed: options.onTooLarge === 'cut',
        isRedirectFollowed: most > 0,
      }
      const redirects: { url: string; status: number }[] = []
      const seen = new Set<string>()
      let at = String(target)
      try {
        let hop = firstHop(target, options)
        for (;;) {
          const current = hop
          at = current.url.href
          checkTarget(current.url, allowed)
          seen.add(`${current.method} ${at}`)
          const { location, ...answer } = await slots.run(hostOf(current.url), deadline.signal, () => {
            deadline.start()
            return sendRequest(dispatcher, signed(current), limits, deadline.signal)
          })
          if (location === undefined) return { url: at, redirects, ...answer }
          redirects.push({ url: at, status: answer.status })
          if (redirects.length > most) {
            throw new FetchFailure('redirects', `The server redirects more than ${most} times.`)
          }
          hop = followRedirect(current, answer.status, location, options.refuseDowngrade ?? false)
          if (seen.has(`${hop.method} ${hop.url.href}`)) {
            throw new FetchFailure('redirects', 'The server redirects in a circle.')
          }
        }
      } catch (error) {
        throw toFetchError(deadline.signal.aborted ? deadline.signal.reason : error, at)
      } finally {
        deadline.end()
      }
    },

    async negotiate(target, { deadlineMs = 10_000, signal } = {}) {
      const deadline = createDeadline(deadlineMs, signal)
      try {
        const url = toUrl(target)
        checkTarget(url, allowed)
        return await slots.run(hostOf(url), deadline.signal, () => {
          deadline.start()
          return negotiate(look, url, deadline.signal)
        })
      } catch (error) {
        throw toFetchError(error, String(target))
      } finally {
        deadline.end()
      }
    },

    close: () => dispatcher.destroy(),
  }

  function firstHop(target: URL | string, options: FetchOptions): Hop {
    const given = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    return {
      url: toUrl(target),
      method: options.method ?? 'GET',
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br, zstd',
        'user-agent': options.userAgent ?? userAgent,
        ...Object.fromEntries(given),
      },
      body: options.body,
    }
  }

  /** For this hop alone: the signature names the host. It vouches for our name, so it goes with no other. */
  function signed(hop: Hop): Hop {
    if (sign === undefined || hop.headers['user-agent'] !== userAgent) return hop
    return { ...hop, headers: { ...hop.headers, ...sign(hop.url) } }
  }
}

function toUrl(target: URL | string): URL {
  const url = URL.parse(String(target))
  if (url === null) throw new TargetError('malformed', 'This is no address.')
  url.hash = ''
  return url
}
