import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Hex, toHex } from 'viem'
import { z } from 'zod'

/**
 * An RPC endpoint in front of the test chain that fails as a test tells it, method by method. The
 * gateway sends several calls in one request, and what is lost is then lost for all of them, as on a
 * real line.
 */
export interface RpcProxy {
  readonly url: string
  /** What goes wrong with the calls of a method, as long as it stands here. */
  readonly faults: Map<string, Fault>
  /** Lets calls of a method wait until the test lets them go. */
  hold(method: string): Held
  /** The block this node takes for the latest, while the others are further on. */
  staleHead: bigint | undefined
  /** How often a method was asked. */
  count(method: string): number
  close(): Promise<void>
}

export type Fault =
  /** The node gets the call, its answer gets lost with the connection. */
  | 'answer lost'
  /** The call is answered with an error and nothing is done. */
  | 'refused'
  /** Neither is the call passed on nor does an answer come. */
  | 'hangs'
  /** The node answers that there is no such thing: it has not heard of it yet. */
  | 'sees nothing'

export interface Held {
  /** Resolves when the first call waits. */
  readonly reached: Promise<void>
  release(): void
}

const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.number(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
})
type Call = z.infer<typeof callSchema>
const logFilter = z.looseObject({})

export async function startRpcProxy(rpcUrl: string): Promise<RpcProxy> {
  const faults = new Map<string, Fault>()
  const holds = new Map<string, { reached: () => void; released: Promise<void> }>()
  const counts = new Map<string, number>()
  const state: Pick<RpcProxy, 'staleHead'> = { staleHead: undefined }

  const server = createServer(async (request, response) => {
    const sent = z.union([callSchema, z.array(callSchema)]).parse(await json(request))
    const calls = Array.isArray(sent) ? sent : [sent]
    for (const { method } of calls) {
      counts.set(method, (counts.get(method) ?? 0) + 1)
      const hold = holds.get(method)
      hold?.reached()
      await hold?.released
    }
    const faulty = calls.map(({ method }) => faults.get(method))
    if (faulty.includes('hangs')) return
    const answers = await Promise.all(
      calls.map((call, index) => {
        if (faulty[index] === 'refused') return refusal(call)
        if (faulty[index] === 'sees nothing') return nothing(call)
        return forward(call)
      }),
    )
    if (faulty.includes('answer lost')) {
      response.destroy()
      return
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
  })

  async function forward(call: Call): Promise<unknown> {
    const { staleHead } = state
    if (staleHead !== undefined && call.method === 'eth_blockNumber') {
      return { jsonrpc: '2.0', id: call.id, result: toHex(staleHead) }
    }
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(staleHead === undefined ? call : asOf(call, toHex(staleHead))),
    })
    return answer.json()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    faults,
    hold(method: string) {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holds.set(method, { reached: reached.resolve, released: released.promise })
      const release = () => {
        holds.delete(method)
        released.resolve()
      }
      return { reached: reached.promise, release }
    },
    count: (method: string) => counts.get(method) ?? 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function refusal({ id }: Call) {
  return { jsonrpc: '2.0', id, error: { code: -32000, message: 'the node refuses' } }
}

function nothing({ id, method }: Call) {
  return { jsonrpc: '2.0', id, result: method === 'eth_getLogs' ? [] : null }
}

/** The same call as a node answers it that has seen nothing after `head`. */
function asOf(call: Call, head: Hex): Call {
  const atHead = (param: unknown) => (param === 'latest' ? head : param)
  switch (call.method) {
    case 'eth_getBlockByNumber':
    case 'eth_call':
      return { ...call, params: call.params?.map(atHead) }
    case 'eth_getLogs':
      return { ...call, params: call.params?.map((param) => ({ ...logFilter.parse(param), toBlock: head })) }
    default:
      return call
  }
}
