import { request } from 'undici'

/**
 * Looks for the API description where directories of paid services do: at `/openapi.json` of the host that sells. On the
 * host of the service that address needs an API key, so a directory finds nothing there.
 * @param gateway the address that the gateway is reached by here.
 * @param seller the address of the paid operations, as payers know it.
 */
export async function checkDescription(
  gateway: string,
  seller: string,
  deadlineMs: number,
): Promise<{ readonly operation: string; readonly address: string; readonly problems: readonly string[] }> {
  const { host, origin } = new URL(seller)
  const { statusCode, body } = await request(`${gateway}/openapi.json`, {
    headers: { host },
    signal: AbortSignal.timeout(deadlineMs),
  })
  await body.dump()
  const problem = `directories of paid services (x402scan, agentcash, MPP) read it, and it answers ${statusCode}: give the paid operations a host of their own by PAYMENTS_BASE_URL`
  return {
    operation: 'openapi.json',
    address: `${origin}/openapi.json`,
    problems: statusCode === 200 ? [] : [problem],
  }
}
