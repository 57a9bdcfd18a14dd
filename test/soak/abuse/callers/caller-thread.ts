import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Answer, CallerRequest, Done, LargeBody, Pace, Task } from './callers.ts'

/** The thread of `callers.ts`. It keeps connections open, as clients do. */

const agents = new Map<string, Agent>()
const stopped = new Set<number>()

parentPort?.on('message', (task: Task) => {
  if (task.kind === 'stop') stopped.add(task.id)
  else void send(task)
})

async function send({ id, requests, pace }: Task & { kind: 'send' }): Promise<void> {
  const answers: Promise<Answer>[] = []
  const open = new Set<Promise<Answer>>()
  const startedAt = performance.now()
  for (const [index, one] of requests.entries()) {
    if (stopped.has(id)) break
    if (pace.everyMs !== undefined)
      await pause(Math.max(0, startedAt + index * pace.everyMs - performance.now()))
    else while (open.size >= pace.atOnce) await Promise.race(open)
    if (stopped.has(id)) break
    const answer = call(one, pace)
    answers.push(answer)
    open.add(answer)
    void answer.then(() => open.delete(answer))
  }
  parentPort?.postMessage({ id, answers: await Promise.all(answers) } satisfies Done)
}

async function call(one: CallerRequest, { patienceMs }: Pace): Promise<Answer> {
  const startedAt = performance.now()
  const patience = AbortSignal.timeout(patienceMs)
  let sent = one
  for (;;) {
    const { retryAfterMs, ...answer } = await tryEach(sent, patience)
    const { otherPayment } = one
    if (sent === one && otherPayment && answer.why?.endsWith('upto_facilitator_mismatch')) {
      sent = { ...one, headers: { ...one.headers, 'payment-signature': otherPayment } }
      continue
    }
    const ms = performance.now() - startedAt
    const isOpen = answer.why !== undefined && openOutcomes.has(answer.why)
    if (!one.isPatient || !isOpen || ms + retryAfterMs > patienceMs) {
      return { ...answer, ms, signedAgain: sent !== one }
    }
    await pause(retryAfterMs)
  }
}

/** The payment may still be taken: its payer must repeat the same request. */
const openOutcomes = new Set(['SETTLEMENT_UNKNOWN', 'PAYMENT_IN_PROGRESS'])

interface Reply extends Omit<Answer, 'ms' | 'signedAgain'> {
  readonly retryAfterMs: number
}

async function tryEach(one: CallerRequest, patience: AbortSignal): Promise<Reply> {
  let why = 'unreachable'
  for (const url of one.urls) {
    try {
      return await ask(url, one, patience)
    } catch (error) {
      why = patience.aborted ? 'left' : nameOf(error)
      if (patience.aborted) break
    }
  }
  return { status: 0, why, bytes: 0, retryAfterMs: 0 }
}

async function ask(
  url: string,
  { path, headers, body, from }: CallerRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const large = typeof body === 'string' ? undefined : body
  const reply = await request(url + path, {
    dispatcher: agentOf(from),
    method: 'POST',
    headers: large ? { ...headers, 'content-length': String(large.bytes) } : headers,
    body: typeof body === 'string' ? body : zeros(body, signal),
    signal,
  })
  const text = await reply.body.text()
  const why = reply.statusCode < 400 ? undefined : reasonOf(text)
  const retryAfterMs = 1_000 * Number(reply.headers['retry-after'] ?? 0)
  return { status: reply.statusCode, why, bytes: text.length, retryAfterMs }
}

function agentOf(from: string): Agent {
  const agent = agents.get(from) ?? new Agent({ localAddress: from })
  agents.set(from, agent)
  return agent
}

const chunk = Buffer.alloc(64 * 1024, '0')

function zeros({ bytes, holdMs }: LargeBody, signal: AbortSignal): Readable {
  async function* pieces() {
    let left = bytes - 1
    for (; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length))
    await pause(holdMs, undefined, { signal })
    yield chunk.subarray(0, 1)
  }
  return Readable.from(pieces())
}

const refusal = z.looseObject({
  code: z.string(),
  details: z.looseObject({ reason: z.string() }).partial().optional(),
})

function reasonOf(text: string): string {
  try {
    const { code, details } = refusal.parse(JSON.parse(text))
    return details?.reason ? `${code} ${details.reason}` : code
  } catch {
    return text.slice(0, 60)
  }
}

const named = z.object({ code: z.string() })

function nameOf(error: unknown): string {
  return named.safeParse(error).data?.code ?? 'broken'
}
