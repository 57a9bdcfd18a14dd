import { createPublicClient, HttpRequestError, type HttpTransport, http, TimeoutError } from 'viem'
import type { Dependency, Outages } from '../../core/outages.ts'
import { deadlineAfter } from '../net/reply-deadline.ts'
import type { Network } from './networks.ts'

/**
 * Creates the client for all calls to a chain. Its replies decide whether money has moved, so each call has
 * one deadline and one attempt, and goes to the RPC endpoint only.
 * @param timeoutMs limits a whole call, from sending it to the last byte of its reply.
 * @param outages where it is reported that the endpoint does not answer.
 */
export function createChainClient({
  network,
  rpcUrl,
  timeoutMs,
  outages,
}: {
  readonly network: Network
  readonly rpcUrl: string
  readonly timeoutMs: number
  readonly outages?: Outages
}) {
  const transport = httpTransport(rpcUrl, timeoutMs)
  return createPublicClient({
    chain: network.chain,
    transport: outages ? reportRequests(transport, outages) : transport,
    // A payer's wallet contract answers signature checks. With ERC-3668 lookups it could make us fetch any
    // URL that it names.
    ccipRead: false,
    // With a cached block number, a deadline or a finality check would look at the past.
    cacheTime: 0,
    pollingInterval: isLoopback(rpcUrl) ? 20 : 500,
  })
}

/** The chain, as one RPC endpoint shows it. */
const chain: Dependency = {
  name: 'the chain at RPC_URL',
  means: 'paid calls are refused with 503; payments under way are finished when it is back',
  code: 'CHAIN_UNAVAILABLE',
}

function httpTransport(rpcUrl: string, timeoutMs: number): HttpTransport {
  return http(rpcUrl, {
    // viem's own timeout ends with the response's head; a body that never ends would block a payment forever.
    timeout: 0,
    fetchFn: fetchWithin(timeoutMs),
    maxResponseBodySize: 10 * 1024 * 1024,
    // viem would try three more times: a call could take four times `timeoutMs`, and a transaction whose
    // reply was lost would be sent again and be reported as refused ("already known") although it is on its
    // way.
    retryCount: 0,
    // Calls made at the same time share a request, which saves CPU (no measurement kept). Most public
    // endpoints take twenty in one.
    batch: { wait: 0, batchSize: 20 },
  })
}

function reportRequests(transport: HttpTransport, outages: Outages): HttpTransport {
  const report = async <Result>(request: Promise<Result>): Promise<Result> => {
    try {
      const result = await request
      outages.works(chain)
      return result
    } catch (error) {
      if (isUnanswered(error)) outages.failed(chain, error)
      else outages.works(chain)
      throw error
    }
  }
  return (options) => {
    const made = transport(options)
    return { ...made, request: (args, requestOptions) => report(made.request(args, requestOptions)) }
  }
}

/** Whether there was no reply, or one that is not about the request: a limit, a refused access key, a fault. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof TimeoutError) return true
  if (!(error instanceof HttpRequestError)) return false
  return error.status !== 400 && error.status !== 413
}

function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const deadline = deadlineAfter(timeoutMs)
    return fetch(input, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
    })
  }
}

/** Whether the endpoint is on this machine, so that frequent polling is free. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
