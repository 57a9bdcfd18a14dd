import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A text model with OpenAI's protocol. It counts its requests, and replies, waits or fails as a test sets it.
 * Each lead research sends one request, so the count is the number of times the handler ran.
 */
export interface Model {
  readonly settings: {
    readonly OPENAI_API_KEY: string
    readonly OPENAI_BASE_URL: string
    readonly OPENAI_MAX_RETRIES: string
  }
  readonly asked: number
  /** The kind of the next replies; `research` until a test changes it. */
  answer: 'research' | 'nonsense' | 'error' | 'never'
  /** The time a reply takes. */
  delayMs: number
  /** Makes requests wait until `release`. */
  hold(): void
  /** Replies to the waiting requests as `answer` says by then. */
  release(): void
  close(): Promise<void>
}

const research = {
  overview: ['A carrier of mid-size freight.'],
  painPoints: [1, 2, 3].map((n) => ({
    title: `Point ${n}`,
    detail: 'It costs hours.',
    check: 'Look at the job page.',
  })),
  outreach: {
    role: 'head of operations',
    angle: ['Talk of hours.'],
    objection: 'No time.',
    message: ['Hello.', 'Shall we talk?'],
  },
  starters: ['What takes longest?', 'Who plans routes?', 'What breaks first?', 'What would you drop?'],
  assumptions: ['Nothing was verified.'],
}

export async function startModel(): Promise<Model> {
  const state: { asked: number; answer: Model['answer']; delayMs: number } = {
    asked: 0,
    answer: 'research',
    delayMs: 0,
  }
  let gate: PromiseWithResolvers<void> | undefined
  const server = createServer(async (req, res) => {
    req.resume()
    await once(req, 'end')
    state.asked += 1
    await gate?.promise
    if (state.answer === 'never') return
    await pause(state.delayMs)
    if (state.answer === 'error') {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"out of order"}}')
      return
    }
    const content =
      state.answer === 'research' ? JSON.stringify({ reason: null, text: research }) : 'I would rather not.'
    res.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chat-1',
        object: 'chat.completion',
        created: 1,
        model: 'test-model',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            logprobs: null,
            message: { role: 'assistant', content, refusal: null },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model is not listening')
  return {
    settings: {
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
      OPENAI_MAX_RETRIES: '0',
    },
    get asked() {
      return state.asked
    },
    get answer() {
      return state.answer
    },
    set answer(answer) {
      state.answer = answer
    },
    get delayMs() {
      return state.delayMs
    },
    set delayMs(delayMs) {
      state.delayMs = delayMs
    },
    hold() {
      gate ??= Promise.withResolvers<void>()
    },
    release() {
      gate?.resolve()
      gate = undefined
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
