import { z } from 'zod'

/** Asks for the prices of the tools at the MCP endpoint of the payments side, as a client without a wallet does. */

/** What a tool answers to a call without a payment. */
export interface AskedTool {
  readonly name: string
  /** The `PaymentRequired` object; undefined where the tool names no price. */
  readonly required: unknown
}

const listSchema = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
const refusalSchema = z.object({
  result: z.object({
    isError: z.literal(true),
    structuredContent: z.looseObject({ accepts: z.array(z.unknown()) }),
  }),
})

/**
 * @returns no tools where the gateway has no such endpoint.
 * @throws Error when it answers otherwise than an MCP server does.
 */
export async function askPaidTools(gateway: string, deadlineMs: number): Promise<AskedTool[]> {
  const ask = (method: string, params: object) => askServer(`${gateway}/mcp`, method, params, deadlineMs)
  const listed = await ask('tools/list', {})
  if (listed === undefined) return []
  const asked: AskedTool[] = []
  for (const { name } of listSchema.parse(listed).result.tools) {
    const answer = refusalSchema.safeParse(await ask('tools/call', { name, arguments: {} }))
    asked.push({ name, required: answer.data?.result.structuredContent })
  }
  return asked
}

/** @returns the reply to one request, outside of any session; undefined where no server is at the address. */
async function askServer(
  address: string,
  method: string,
  params: object,
  deadlineMs: number,
): Promise<unknown> {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(deadlineMs),
  })
  const text = await reply.text()
  if (reply.status === 404) return undefined
  if (!reply.ok) throw new Error(`${address} answers ${reply.status} to ${method}`)
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  return JSON.parse(isStream ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '') : text)
}
