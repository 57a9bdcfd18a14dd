import type { CountedRequest, Counting } from './contract.ts'

/** Bytes of the bodies, as they go over the wire: a body that is compressed counts as it is. */
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
