import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Model, startModel } from '../support/servers/model.ts'

/**
 * Counts how often the handler ran for each order. Each order has its own company name, and every run asks the model
 * about it.
 */
export interface Runs {
  /** Settings that point a gateway at the model. */
  readonly settings: Readonly<Record<string, string>>
  readonly total: number
  of(company: string): number
  close(): Promise<void>
}

/** The company name of an order. Digits alone would also match inside other numbers. */
export const companyOf = (order: string) => `Acme-${order}-Dental`

const company = /Acme-[\w.]+-Dental/

/**
 * Starts a model that counts the questions about each company.
 * @param delayMs how long the model takes.
 */
export async function countRuns(delayMs: number): Promise<Runs> {
  const model: Model = await startModel()
  model.delayMs = delayMs
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The gateway was killed while it sent the question.
    if (body === undefined) return
    const [name = 'unknown'] = company.exec(body) ?? []
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const asked = fetch(`${model.settings.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body })
    const reply = await asked.catch(() => undefined)
    // The run is over, and the model was closed.
    if (reply === undefined) return response.destroy()
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(Buffer.from(await reply.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model is not listening')
  return {
    settings: { ...model.settings, OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1` },
    get total() {
      return model.asked
    },
    of: (name) => counts.get(name) ?? 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await model.close()
    },
  }
}
