import { createInterface } from 'node:readline'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * MCP over standard input and output that answers every request it has read, also when its input ends before. The SDK's
 * own transport drops what is still under way: a tool that was being paid for would be paid, and its result lost. It also
 * says nothing of a line that is no message, so its sender would wait for ever.
 */
export function answeringStdio(stdin: Readable, stdout: Writable): StdioServerTransport {
  const input = new PassThrough()
  const output = new PassThrough()
  const unanswered = new Set<string | number>()
  let hasEnded = false
  const endWhenAnswered = () => {
    if (hasEnded && unanswered.size === 0) input.end()
  }

  const requests = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })
  requests.on('line', (line) => {
    if (line.trim() === '') return
    const refusal = refusalOf(line)
    if (refusal !== undefined) return stdout.write(`${JSON.stringify(refusal)}\n`)
    const { id, method, params } = read(line)
    if (method !== undefined && method !== subscription && id !== undefined) unanswered.add(id)
    // The caller of a request that it has cancelled waits for no answer.
    if (method === 'notifications/cancelled' && params?.requestId !== undefined)
      unanswered.delete(params.requestId)
    input.write(`${line}\n`)
  })
  requests.on('close', () => {
    hasEnded = true
    endWhenAnswered()
  })
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    stdout.write(`${line}\n`)
    const { id, method } = read(line)
    if (method === undefined && id !== undefined) unanswered.delete(id)
    endWhenAnswered()
  })
  // The client has gone: nobody reads an answer.
  stdout.on('error', (error) => output.destroy(error))
  return new StdioServerTransport(input, output)
}

/** It stays open until the client goes, so nobody waits for its answer. */
const subscription = 'subscriptions/listen'

/** The JSON-RPC error that answers a line which is no message; undefined for one that is. */
function refusalOf(line: string): object | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return errorOf(-32_700, 'The line is not JSON.', null)
  }
  try {
    parseJSONRPCMessage(value)
    return undefined
  } catch {
    return Array.isArray(value)
      ? errorOf(-32_600, 'Batches are not taken: send each message as a line of its own.', null)
      : errorOf(-32_600, 'The line is no message of JSON-RPC 2.0.', message.safeParse(value).data?.id ?? null)
  }
}

function errorOf(code: number, text: string, id: string | number | null): object {
  return { jsonrpc: '2.0', id, error: { code, message: text } }
}

const id = z.union([z.string(), z.number()])
const message = z.object({
  id: id.optional(),
  method: z.string().optional(),
  params: z.object({ requestId: id.optional() }).optional(),
})

/** The fields that tell a request from its answer. */
function read(line: string): z.infer<typeof message> {
  try {
    return message.safeParse(JSON.parse(line)).data ?? {}
  } catch {
    return {}
  }
}
