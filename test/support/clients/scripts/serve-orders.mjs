/**
 * Lets a script make the calls that a test orders, one after the other. Only this file knows that a test is behind
 * it: the scripts beside it use their client as its documentation shows.
 * @param call makes one call with the client and returns status, headers and body of the reply.
 */
export function serveOrders(call) {
  process.on('message', async (order) => {
    try {
      process.send({ reply: await call(order) })
    } catch (error) {
      process.send({ error: `${error?.name}: ${error?.message}` })
    }
  })
  process.send('ready')
}

/** Calls with a client that is used like fetch. */
export async function callWithFetch(payingFetch, { method, url, headers, body }) {
  const response = await payingFetch(url, { method, headers, body })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

/** Calls with a client that wraps Axios. */
export async function callWithAxios(axiosClient, { method, url, headers, body }) {
  const { status, headers: received, data } = await axiosClient.request({ method, url, headers, data: body })
  return { status, headers: { ...received }, body: JSON.stringify(data) }
}
