import { createPublicClient, http } from 'viem'
import type { Network } from './networks.ts'

/**
 * Creates the client for all calls to a chain. Its replies decide whether money has moved, so each call has
 * one deadline and one attempt, and goes to the RPC endpoint only.
 * @param timeoutMs limits a whole call, from sending it to the last byte of its reply.
 */
export function createChainClient({
  network,
  rpcUrl,
  timeoutMs,
}: {
  readonly network: Network
  readonly rpcUrl: string
  readonly timeoutMs: number
}) {
  return createPublicClient({
    chain: network.chain,
    transport: http(rpcUrl, {
      timeout: timeoutMs,
      fetchFn: fetchWithin(timeoutMs),
      maxResponseBodySize: 10 * 1024 * 1024,
      // viem would try three more times: a call could take four times `timeoutMs`, and a transaction whose
      // reply was lost would be sent again and be reported as refused ("already known") although it is on its
      // way.
      retryCount: 0,
      // Calls made at the same time share a request, which saves CPU (no measurement kept). Most public
      // endpoints take twenty in one.
      batch: { wait: 0, batchSize: 20 },
    }),
    // A payer's wallet contract answers signature checks. With ERC-3668 lookups it could make us fetch any
    // URL that it names.
    ccipRead: false,
    // With a cached block number, a deadline or a finality check would look at the past.
    cacheTime: 0,
    pollingInterval: isLoopback(rpcUrl) ? 20 : 500,
  })
}

/** viem's own timeout ends with the response's head; a body that never ends would block a payment forever. */
function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const deadline = AbortSignal.timeout(timeoutMs)
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
