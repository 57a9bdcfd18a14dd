import type { CountedRequest, Counting } from './contract.ts'

/** Counts the bytes of both bodies as they cross the wire: a compressed body counts compressed. */
export function countBytes({ body }: CountedRequest): Counting {
  let sentBytes = 0
  return {
    body,
    acceptEncoding: undefined,
    countSent: ({ byteLength }) => {
      sentBytes += byteLength
    },
    countReply: () => ({
      push: (chunk) => chunk,
      end: () => new Uint8Array(),
      usage: (deliveredBytes) => ({ input: sentBytes, output: deliveredBytes, isEstimate: false }),
    }),
  }
}
