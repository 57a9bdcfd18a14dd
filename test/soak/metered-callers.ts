import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { payUpto, uptoHeader } from '../support/chain/upto.ts'
import { createRandom, type Random } from './random.ts'

/** Who calls the metered operations, how, and when they have heard enough. */

export type Door = 'payment' | 'key' | 'free'

/** One call, and how far its caller listens. */
export interface MeteredCall {
  readonly door: Door
  readonly prompt: number
  readonly completion: number
  readonly isStream: boolean
  /** Whether the caller asks a stream for its usage. */
  readonly asksUsage: boolean
  /** When the caller leaves: after so many milliseconds, or so many pieces of the reply. */
  readonly leaves: { readonly ms: number } | { readonly pieces: number } | undefined
  readonly random: Random
}

/** What came of it. */
export type Met =
  /** All was received; `call` is the gateway's name for it. */
  | { readonly kind: 'complete'; readonly call: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'wrong'; readonly what: string }

/** What it takes to call by each door. */
export interface Callers {
  readonly url: string
  readonly wallets: readonly [LocalAccount, ...LocalAccount[]]
  readonly keys: readonly [string, ...string[]]
  readonly required: PaymentRequired
}

/** A share of the calls, from 0 to 1. */
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
  const leaves = byPieces ? { pieces: random.below(8) } : { ms: random.below(25) }
  return {
    door: random.chance(paidShare) ? 'payment' : random.chance(0.6) ? 'key' : 'free',
    prompt: 1 + random.below(maxPrompt),
    completion,
    isStream,
    asksUsage: random.chance(0.3),
    leaves: random.chance(abortShare) ? leaves : undefined,
    random,
  }
}

/** What an unpaid call is told. */
export async function priceOf(url: string): Promise<PaymentRequired> {
  const response = await fetch(`${url}${paths.payment}`, { method: 'POST' })
  await response.body?.cancel()
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
}

const paths = {
  payment: '/llm/v1/chat/completions',
  key: '/llm/v1/chat/completions',
  free: '/llm/v1/free/chat/completions',
} as const satisfies Record<Door, string>

export async function make(call: MeteredCall, callers: Callers): Promise<Met> {
  const leaving = new AbortController()
  const { door, leaves, prompt, completion, isStream, asksUsage } = call
  const headers = await credentialsOf(call, callers)
  const timer = leaves && 'ms' in leaves ? setTimeout(() => leaving.abort(), leaves.ms) : undefined
  let pieces = leaves && 'pieces' in leaves ? leaves.pieces : Number.POSITIVE_INFINITY
  try {
    const response = await fetch(`${callers.url}${paths[door]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        model: 'counted',
        messages: [{ role: 'user', content: Array(prompt).fill('ask').join(' ') }],
        max_tokens: completion,
        stream: isStream,
        // Whoever is to leave in the middle has to come before the end.
        pace: leaves ? 20 : 1,
        ...(isStream && asksUsage ? { stream_options: { include_usage: true } } : {}),
      }),
      signal: leaving.signal,
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      pieces -= 1
      if (pieces < 0) leaving.abort()
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

/** A caller who hears all of it gets all of it, and hears of its use what it asked for. */
function faultOf(status: number, text: string, call: MeteredCall): string | undefined {
  const { completion, isStream, asksUsage } = call
  if (status !== 200) {
    const words = [...text.matchAll(/"(?:code|reason)":"(\w+)"/g)].map(([, word]) => word)
    return `was answered ${status}: ${words.join(' ') || text.slice(0, 300)}`
  }
  const words = text.split('word ').length - 1
  if (words !== completion) return `got ${words} words of ${completion}`
  const isUsageTold = text.includes('"usage":{')
  if (!isStream) {
    const told = usageSchema.safeParse(JSON.parse(text)).data?.usage.completion_tokens
    return told === completion ? undefined : `was told of ${told} tokens, and not of ${completion}`
  }
  return isUsageTold === asksUsage ? undefined : 'was told of its use against its wish'
}
