import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { payUpto, uptoHeader } from '../../support/chain/upto.ts'
import { createRandom, type Random } from '../random.ts'

/** The callers of the metered operations: who they are, what they ask, and when they disconnect. */

export type Door = 'payment' | 'key' | 'free'

/** One call, and when its caller disconnects. */
export interface MeteredCall {
  readonly door: Door
  readonly prompt: number
  readonly completion: number
  readonly isStream: boolean
  /** Whether the caller asks for the usage of a stream. */
  readonly asksUsage: boolean
  /** When the caller disconnects: after some milliseconds, or some pieces of the reply. */
  readonly leavesAfter: { readonly ms?: number; readonly pieces?: number } | undefined
  readonly random: Random
}

/** How a call ended for its caller. */
export type CallOutcome =
  /** The whole reply was received. `call` is the gateway's id of the call. */
  | { readonly kind: 'complete'; readonly call: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'wrong'; readonly what: string }

/** The credentials for each door. */
export interface Callers {
  readonly url: string
  readonly wallets: readonly [LocalAccount, ...LocalAccount[]]
  readonly keys: readonly [string, ...string[]]
  readonly required: PaymentRequired
}

/** Shares are from 0 to 1. */
export interface Mix {
  readonly seed: string
  readonly paidShare: number
  readonly abortShare: number
}

const maxPrompt = 20
const maxCompletion = 250

export function planCall(index: number, { seed, paidShare, abortShare }: Mix): MeteredCall {
  const random = createRandom(`${seed} call ${index}`)
  const completion = 1 + random.below(maxCompletion)
  const isStream = random.chance(0.5)
  const byPieces = isStream && random.chance(0.7)
  const leavesAfter = byPieces ? { pieces: random.below(8) } : { ms: random.below(25) }
  return {
    door: random.chance(paidShare) ? 'payment' : random.chance(0.6) ? 'key' : 'free',
    prompt: 1 + random.below(maxPrompt),
    completion,
    isStream,
    asksUsage: random.chance(0.3),
    leavesAfter: random.chance(abortShare) ? leavesAfter : undefined,
    random,
  }
}

/** Asks for the payment requirements of the metered operation. */
export async function fetchPaymentRequired(url: string): Promise<PaymentRequired> {
  const response = await fetch(`${url}${paths.payment}`, { method: 'POST' })
  await response.body?.cancel()
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
}

const paths = {
  payment: '/llm/v1/chat/completions',
  key: '/llm/v1/chat/completions',
  free: '/llm/v1/free/chat/completions',
} as const satisfies Record<Door, string>

export async function makeCall(call: MeteredCall, callers: Callers): Promise<CallOutcome> {
  const leaving = new AbortController()
  const { door, leavesAfter, prompt, completion, isStream, asksUsage } = call
  const headers = await credentialsOf(call, callers)
  const { ms, pieces: maxPieces = Number.POSITIVE_INFINITY } = leavesAfter ?? {}
  const timer = ms === undefined ? undefined : setTimeout(() => leaving.abort(), ms)
  let piecesLeft = maxPieces
  try {
    const response = await fetch(`${callers.url}${paths[door]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        model: 'counted',
        messages: [{ role: 'user', content: Array(prompt).fill('ask').join(' ') }],
        max_tokens: completion,
        stream: isStream,
        // A reply that is sent slowly can be left in the middle. Where pieces are counted, each has to arrive by itself.
        pace: leavesAfter === undefined ? 1 : ms === undefined ? 100 : 20,
        ...(isStream && asksUsage ? { stream_options: { include_usage: true } } : {}),
      }),
      signal: leaving.signal,
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      piecesLeft -= 1
      if (piecesLeft < 0) leaving.abort()
    }
    const wrong = faultOf(response.status, text, call)
    if (wrong !== undefined) return { kind: 'wrong', what: wrong }
    return { kind: 'complete', call: response.headers.get('x-request-id') ?? '' }
  } catch (error) {
    if (leaving.signal.aborted) return { kind: 'left' }
    return { kind: 'wrong', what: `was cut off: ${error instanceof Error ? error.message : error}` }
  } finally {
    clearTimeout(timer)
  }
}

async function credentialsOf(
  { door, random }: MeteredCall,
  { wallets, keys, required }: Callers,
): Promise<Record<string, string>> {
  switch (door) {
    case 'payment': {
      const allowance = 2n ** 128n
      const payload = await payUpto(random.pick(wallets), required, { allowance, nonce: 0n })
      return { 'payment-signature': uptoHeader(payload) }
    }
    case 'key':
      return { 'x-mcp-api-key': random.pick(keys) }
    case 'free':
      return {}
  }
}

const usageSchema = z.object({ usage: z.object({ completion_tokens: z.int() }) })

/** Checks that a complete reply has all its words, and its usage exactly when the caller asked for it. */
function faultOf(status: number, text: string, call: MeteredCall): string | undefined {
  const { completion, isStream, asksUsage } = call
  if (status !== 200) {
    const words = [...text.matchAll(/"(?:code|reason)":"(\w+)"/g)].map(([, word]) => word)
    return `was answered ${status}: ${words.join(' ') || text.slice(0, 300)}`
  }
  const words = text.split('word ').length - 1
  if (words !== completion) return `got ${words} words of ${completion}`
  const hasUsage = text.includes('"usage":{')
  if (!isStream) {
    const reported = usageSchema.safeParse(JSON.parse(text)).data?.usage.completion_tokens
    return reported === completion ? undefined : `got a usage of ${reported} tokens instead of ${completion}`
  }
  if (hasUsage === asksUsage) return undefined
  return hasUsage ? 'got a usage that it had not asked for' : 'got no usage although it had asked for it'
}
