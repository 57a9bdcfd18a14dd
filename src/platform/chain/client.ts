import { createPublicClient, http } from 'viem'
import type { Network } from './networks.ts'

/**
 * The one way to ask a chain. Its answers decide whether money has moved, so a call has one deadline
 * and one attempt, and can be made to go nowhere but to the RPC.
 * @param timeoutMs bounds a whole call, from sending it to the last byte of its answer.
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
      // viem would try three more times, so `timeoutMs` would mean four times as much, and a
      // transaction whose answer was lost would be sent again and be reported as refused ("already
      // known") although it is on its way. Whoever asks knows whether asking again is safe.
      retryCount: 0,
      // Calls made at the same time share a request: a hundred at once cost 1.3 ms of CPU, not 26,
      // and a call alone takes 1 ms longer. Twenty is what public endpoints commonly take.
      batch: { wait: 0, batchSize: 20 },
    }),
    // A payer's wallet contract answers signature checks. With ERC-3668 look-ups it could make us
    // fetch any address it names.
    ccipRead: false,
    // A cached block number would let a deadline or a finality check look at the past.
    cacheTime: 0,
    pollingInterval: isLoopback(rpcUrl) ? 20 : 500,
  })
}

/** viem's own timeout ends with the response's head; a body that drips in would hold a payment for ever. */
function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    return fetch(input, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
    })
  }
}

/** Whether asking often costs nobody anything. */
function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
