import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Hex, toHex } from 'viem'
import { z } from 'zod'
import { type Held, type Hold, holdBack } from './held.ts'

/**
 * An RPC endpoint in front of the test chain that fails by method, as a test sets it. The gateway sends
 * several calls in one request, and a lost reply is lost for all of them, as on a real connection.
 */
export interface RpcProxy {
  readonly url: string
  /** The current fault of each method. */
  readonly faults: Map<string, Fault>
  /** Makes calls of a method wait until the test releases them. */
  hold(method: string): Held
  /** Forwards calls of a method, and makes the node's replies wait until the test releases them. */
  holdAnswer(method: string): Held
  /** Runs before a call is forwarded: it may wait, and return a fault. */
  meet: ((call: Asked) => Promise<Fault | undefined>) | undefined
  /** The latest block of this node, when it lags behind the others. */
  staleHead: bigint | undefined
  /** How many blocks behind the head this node calls final; undefined: two, as the test chain does. */
  finalityBlocks: bigint | undefined
  /** The number of calls of a method. */
  count(method: string): number
  /** The number of calls of all methods. A request with a batch of calls counts each of them. */
  countAll(): number
  close(): Promise<void>
}

export type Fault =
  /** The node gets the call, and its reply is lost with the connection. */
  | 'answer lost'
  /** The reply is an error, and the node does not get the call. */
  | 'refused'
  /** The node does not get the call, and no reply comes. */
  | 'hangs'
  /** The node replies with nothing, as if it had not seen the block or transaction yet. */
  | 'sees nothing'

export interface Asked {
  readonly method: string
  readonly params?: readonly unknown[] | undefined
}

const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.number(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
})
type Call = z.infer<typeof callSchema>
const answerSchema = z.object({ result: z.string().transform(BigInt) })
const logFilter = z.looseObject({})

export async function startRpcProxy(rpcUrl: string): Promise<RpcProxy> {
  const faults = new Map<string, Fault>()
  const calledHolds = new Map<string, Hold>()
  const answeredHolds = new Map<string, Hold>()
  const counts = new Map<string, number>()
  const state: Pick<RpcProxy, 'staleHead' | 'finalityBlocks' | 'meet'> = {
    staleHead: undefined,
    finalityBlocks: undefined,
    meet: undefined,
  }

  const asking = new Set<Promise<unknown>>()
  const server = createServer(async (request, response) => {
    const sent = await read(request)
    if (!sent) return
    const calls = Array.isArray(sent) ? sent : [sent]
    for (const { method } of calls) {
      counts.set(method, (counts.get(method) ?? 0) + 1)
      if ((await wait(calledHolds.get(method))) === 'dropped') return void response.destroy()
    }
    const faulty = await Promise.all(
      calls.map(async (call) => faults.get(call.method) ?? (await state.meet?.(call))),
    )
    if (faulty.includes('hangs')) return
    const answers = await Promise.all(
      calls.map((call, index) => {
        if (faulty[index] === 'refused') return refusal(call)
        if (faulty[index] === 'sees nothing') return nothing(call)
        return forward(call)
      }),
    )
    for (const { method } of calls) {
      if ((await wait(answeredHolds.get(method))) === 'dropped') return void response.destroy()
    }
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
    return ask(staleHead === undefined ? await withFinality(call) : asOf(call, toHex(staleHead)))
  }

  async function withFinality(call: Call): Promise<Call> {
    const { finalityBlocks } = state
    if (finalityBlocks === undefined || !call.params?.includes('finalized')) return call
    const head = answerSchema.parse(await ask({ jsonrpc: '2.0', id: 0, method: 'eth_blockNumber' })).result
    const finalized = head > finalityBlocks ? toHex(head - finalityBlocks) : '0x0'
    return { ...call, params: call.params.map((param) => (param === 'finalized' ? finalized : param)) }
  }

  function ask(call: Call): Promise<unknown> {
    const asked = answerTo(call)
    asking.add(asked)
    return asked.finally(() => asking.delete(asked))
  }

  async function answerTo(call: Call): Promise<unknown> {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return answer.json()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    faults,
    hold: (method: string) => hold(calledHolds, method),
    holdAnswer: (method: string) => hold(answeredHolds, method),
    count: (method: string) => counts.get(method) ?? 0,
    countAll: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      // The chain is stopped next. A call that is open then would fail after the last test, which vitest counts as an error.
      await Promise.allSettled(asking)
    },
  })
}

/** @returns undefined when the caller was killed in the middle of its request. */
async function read(request: IncomingMessage): Promise<Call | Call[] | undefined> {
  try {
    return z.union([callSchema, z.array(callSchema)]).parse(await json(request))
  } catch (error) {
    if (request.complete) throw error
    return undefined
  }
}

function hold(holds: Map<string, Hold>, method: string): Held {
  const { held, hold: waiting } = holdBack(`a call of ${method}`, () => holds.delete(method))
  holds.set(method, waiting)
  return held
}

async function wait(hold: Hold | undefined): Promise<'released' | 'dropped'> {
  hold?.reached()
  return hold ? await hold.ended : 'released'
}

function refusal({ id }: Call) {
  return { jsonrpc: '2.0', id, error: { code: -32000, message: 'the node refuses' } }
}

function nothing({ id, method }: Call) {
  return { jsonrpc: '2.0', id, result: method === 'eth_getLogs' ? [] : null }
}

/** Changes a call so that the node replies as if it had seen no block after `head`. */
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
