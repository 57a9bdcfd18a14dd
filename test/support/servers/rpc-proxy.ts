import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
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
  /** Passes calls of a method on, and lets the node's answers wait until the test lets them go. */
  holdAnswer(method: string): Held
  /** What a single call meets before it is passed on: it may take its time, and name a fault. */
  meet: ((call: Asked) => Promise<Fault | undefined>) | undefined
  /** The block this node takes for the latest, while the others are further on. */
  staleHead: bigint | undefined
  /** So many blocks behind the head this node calls final; as the test chain has it (two) when undefined. */
  finalityBlocks: bigint | undefined
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
  /** Resolves when the first one waits. */
  readonly reached: Promise<void>
  release(): void
  /** Ends the connection of what waits, which goes no further. */
  drop(): void
}

export interface Asked {
  readonly method: string
  readonly params?: readonly unknown[] | undefined
}

interface Hold {
  readonly reached: () => void
  readonly ended: Promise<'released' | 'dropped'>
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

  async function ask(call: Call): Promise<unknown> {
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
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** @returns undefined for a caller that was killed in the middle of its request. */
async function read(request: IncomingMessage): Promise<Call | Call[] | undefined> {
  try {
    return z.union([callSchema, z.array(callSchema)]).parse(await json(request))
  } catch (error) {
    if (request.complete) throw error
    return undefined
  }
}

function hold(holds: Map<string, Hold>, method: string): Held {
  const reached = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<'released' | 'dropped'>()
  holds.set(method, { reached: reached.resolve, ended: ended.promise })
  const end = (how: 'released' | 'dropped') => {
    holds.delete(method)
    ended.resolve(how)
  }
  return { reached: reached.promise, release: () => end('released'), drop: () => end('dropped') }
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
