/**
 * fetch for model answers, with a limit on what is read. A service that answers without end would
 * otherwise fill the memory of a gateway that also holds other people's payments.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  // A redirect would carry the caller's text to an address that nobody configured.
  const response = await fetch(input, { ...init, redirect: 'error' })
  if (response.body === null) return response
  return new Response(response.body.pipeThrough(limited(maxBytes)), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** An article of 1,200 words is about ten kilobytes; a megabyte leaves room for any wrapping. */
const maxBytes = 1_000_000

function limited(most: number): TransformStream<Uint8Array, Uint8Array> {
  let read = 0
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength
      if (read > most) controller.error(new RangeError(`the answer is larger than ${most} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
