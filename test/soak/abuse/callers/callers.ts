import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Sends requests from a thread of their own. Honest payers and attackers have one each: in the soak's own thread the
 * attack would hold up the clock by which the honest payers' waiting is measured.
 */
export interface Callers {
  /** Sends each request once, in order. Resolves with the answers in the same order. */
  send(requests: readonly CallerRequest[], pace: Pace): Promise<readonly Answer[]>
  /** Sends requests in order until `stop`, which resolves with the answers to those that were sent. */
  begin(requests: readonly CallerRequest[], pace: Pace): { stop(): Promise<readonly Answer[]> }
  close(): Promise<void>
}

export interface CallerRequest {
  /** The gateways to try, in order: the next one when a connection cannot be made, or breaks. */
  readonly urls: readonly string[]
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | LargeBody
  /** The local address that the connection comes from; the gateway takes it for the caller's. */
  readonly from: string
  /** Repeats the request while the outcome of its payment is open, as the reply asks for. */
  readonly isPatient?: true
  /** The payment to send after a 402 that names another settling account. */
  readonly otherPayment?: string
}

/** A body of zeros whose last byte comes only after a while, so that the gateway has to hold the others. */
export interface LargeBody {
  readonly bytes: number
  readonly holdMs: number
}

export interface Pace {
  readonly atOnce: number
  /** The time from one request to the next, whatever the replies do; without it they are sent when there is room. */
  readonly everyMs?: number
  /** A caller disconnects after this time. */
  readonly patienceMs: number
}

export interface Answer {
  /** 0 without a reply. */
  readonly status: number
  /** The refusal's `code` and reason, or why there was no reply. */
  readonly why: string | undefined
  /** Whether the gateway asked for a payment to another settling account first. */
  readonly signedAgain: boolean
  readonly ms: number
  /** Bytes of the reply's body. */
  readonly bytes: number
}

/** Tasks for the thread, and its answers. */
export type Task =
  | {
      readonly kind: 'send'
      readonly id: number
      readonly requests: readonly CallerRequest[]
      readonly pace: Pace
    }
  | { readonly kind: 'stop'; readonly id: number }

export interface Done {
  readonly id: number
  readonly answers: readonly Answer[]
}

export async function openCallers(): Promise<Callers> {
  const thread = new Worker(new URL('./caller-thread.ts', import.meta.url))
  const waiting = new Map<number, PromiseWithResolvers<readonly Answer[]>>()
  let last = 0
  thread.on('message', ({ id, answers }: Done) => {
    waiting.get(id)?.resolve(answers)
    waiting.delete(id)
  })
  thread.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
  })
  await once(thread, 'online')

  function post(requests: readonly CallerRequest[], pace: Pace) {
    last += 1
    const answered = Promise.withResolvers<readonly Answer[]>()
    waiting.set(last, answered)
    thread.postMessage({ kind: 'send', id: last, requests, pace } satisfies Task)
    return { id: last, answers: answered.promise }
  }

  return {
    send: (requests, pace) => post(requests, pace).answers,
    begin(requests, pace) {
      const { id, answers } = post(requests, pace)
      return {
        stop() {
          thread.postMessage({ kind: 'stop', id } satisfies Task)
          return answers
        },
      }
    },
    async close() {
      await thread.terminate()
    },
  }
}

/** How often each answer came, by its status and reason. */
export function tallyAnswers(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const names = answers.map(({ status, why }) => [status, why].filter(Boolean).join(' '))
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}
