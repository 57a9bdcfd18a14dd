import type { CountedRequest, Counting, LiveCounting } from './contract.ts'

/** Counts the bytes of both bodies as they cross the wire: a compressed body counts compressed. */
export function countBytes({ body }: CountedRequest): Counting {
  let sentBytes = 0
  const countReply = (): LiveCounting => ({
    push: (chunk) => chunk,
    end: () => new Uint8Array(),
    usage: (deliveredBytes) => ({ input: sentBytes, output: deliveredBytes, isEstimate: false }),
  })
  return {
    body,
    acceptEncoding: undefined,
    countSent: ({ byteLength }) => {
      sentBytes += byteLength
    },
    countReply,
    countTunnel: countReply,
  }
}
