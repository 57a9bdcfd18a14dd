/**
 * `fetch` with a limit on the body. A model service that sends without end would otherwise fill the memory of a gateway
 * that holds other callers' payments.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  // A redirect would send the caller's text to an address that the operator has not configured.
  const response = await fetch(input, { ...init, redirect: 'error' })
  if (response.body === null) return response
  return new Response(response.body.pipeThrough(limitBytes()), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** An article of 1,200 words is about ten kilobytes; the rest is room for the JSON around it. */
const maxBytes = 1_000_000

function limitBytes(): TransformStream<Uint8Array, Uint8Array> {
  let read = 0
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength
      if (read > maxBytes) controller.error(new RangeError(`the reply is larger than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
