import { createInterface } from 'node:readline'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/**
 * MCP over standard input and output that answers every request it has read, also when its input ends before. The SDK's
 * own transport drops what is still under way: a tool that was being paid for would be paid, and its result lost.
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

const id = z.union([z.string(), z.number()])
const message = z.object({
  id: id.optional(),
  method: z.string().optional(),
  params: z.object({ requestId: id.optional() }).optional(),
})

/** A line that is no message of the protocol has no answer to wait for. */
function read(line: string): z.infer<typeof message> {
  try {
    return message.safeParse(JSON.parse(line)).data ?? {}
  } catch {
    return {}
  }
}
