import type { Endpoint } from '../../../src/core/endpoint.ts'
import type { Reply } from '../../../src/core/reply.ts'

/**
 * Compares every reply of a gateway's own operations with what its documents say of it. All flow tests run with this,
 * so a field that a handler adds or drops without its schema fails the test that has seen it.
 * @returns what did not fit, so far.
 */
export function checkReplies(endpoints: readonly Endpoint[]): readonly string[] {
  const faults: string[] = []
  for (const endpoint of endpoints) {
    const { prepare } = endpoint
    // Routes hold the endpoint itself and ask it at each call.
    Object.assign(endpoint, {
      prepare(raw: Parameters<Endpoint['prepare']>[0]) {
        const run = prepare(raw)
        return async (context: Parameters<typeof run>[0]) => {
          const reply = await run(context)
          const fault = faultOf(endpoint, reply)
          if (fault !== undefined && faults.length < 20) faults.push(`${endpoint.id}: ${fault}`)
          return reply
        }
      },
    })
  }
  return faults
}

function faultOf({ response, docs }: Endpoint, { status, headers, body, stream }: Reply): string | undefined {
  if (!docs || status === 304 || status >= 400) return undefined
  if (status === docs.emptyReply?.status)
    return body.byteLength === 0 ? undefined : 'a body where none belongs'
  if (status !== (docs.status ?? 200)) return `status ${status}`
  const type = headers['content-type']?.split(';')[0]
  const types = docs.mediaTypes ?? ['application/json']
  if (type === undefined || !types.includes(type)) return `content type ${type}`
  if (stream || !type.endsWith('json')) return undefined
  const sent: unknown = JSON.parse(Buffer.from(body).toString())
  const read = response.safeParse(sent)
  if (!read.success) return `${read.error.message} in ${JSON.stringify(sent).slice(0, 2_000)}`
  // A schema leaves out what it does not name. Only the order of fields may differ.
  const [known, all] = [ordered(read.data), ordered(sent)]
  return known === all ? undefined : `a field that its schema does not name:\n${all}\n${known}`
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
