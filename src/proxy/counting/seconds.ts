import type { CountedRequest, Counting, LiveCounting } from './contract.ts'

/**
 * Counts the seconds from sending the request to the end of its reply, or until the reply is aborted. Seconds
 * are rounded up and a reply costs at least one; otherwise the fastest calls would be free.
 */
export function countSeconds({ body }: CountedRequest, now: () => number): Counting {
  const startedMs = now()
  const countReply = (): LiveCounting => {
    let endedMs: number | undefined
    return {
      push: (chunk) => chunk,
      end: () => {
        endedMs = now()
        return new Uint8Array()
      },
      usage: () => {
        const seconds = Math.ceil(((endedMs ?? now()) - startedMs) / 1000)
        return { input: 0, output: Math.max(1, seconds), isEstimate: false }
      },
    }
  }
  return { body, acceptEncoding: undefined, countSent: () => {}, countReply, countTunnel: countReply }
}
