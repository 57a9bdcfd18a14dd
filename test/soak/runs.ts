import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Model, startModel } from '../support/servers/model.ts'

/**
 * Counts how often the handler ran for each order: the company's name of an order stands in what the
 * model is asked, and no two orders have the same.
 */
export interface Runs {
  /** What a gateway is told about the model it asks. */
  readonly settings: Readonly<Record<string, string>>
  readonly total: number
  of(company: string): number
  close(): Promise<void>
}

/** The company an order is about. Digits alone would be found in other numbers. */
export const companyOf = (order: string) => `Acme-${order}-Works`

const company = /Acme-[\w.]+-Works/

/** @param delayMs how long the model takes. */
export async function countRuns(delayMs: number): Promise<Runs> {
  const model: Model = await startModel()
  model.delayMs = delayMs
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // A gateway that was killed in the middle of its question has asked nothing.
    if (body === undefined) return
    const [name = 'nobody'] = company.exec(body) ?? []
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const answer = await fetch(`${model.settings.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body })
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the model does not listen')
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
