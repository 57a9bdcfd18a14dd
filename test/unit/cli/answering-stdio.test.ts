import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answeringStdio } from '../../../src/cli/runner/answering-stdio.ts'

/** When the connection of `tollgate mcp` ends, and what a line that is no message gets. */

async function open() {
  const stdin = new PassThrough()
  const transport = answeringStdio(stdin, new PassThrough().resume())
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      isClosed = true
      resolve()
    }
  })
  const read: unknown[] = []
  transport.onmessage = (message) => read.push(message)
  await transport.start()
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return { stdin, transport, closed, read, send, isClosed: () => isClosed }
}

test('it waits for the answer of each request that was read', async () => {
  const { stdin, transport, closed, read, send, isClosed } = await open()
  send({ id: 1, method: 'tools/list' })
  send({ id: 'a', method: 'tools/call', params: { name: 'x' } })
  stdin.end()
  await expect.poll(() => read.length).toBe(2)
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  await new Promise(setImmediate)
  expect(isClosed()).toBe(false)
  await transport.send({ jsonrpc: '2.0', id: 'a', result: {} })
  await closed
})

test.each([
  ['nothing', []],
  ['a notification', [{ method: 'notifications/initialized' }]],
  ['a subscription, which stays open', [{ id: 1, method: 'subscriptions/listen' }]],
  [
    'a request that was cancelled',
    [
      { id: 1, method: 'tools/list' },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ],
  ],
])('it ends with its input after %s', async (_, messages) => {
  const { stdin, closed, send } = await open()
  for (const message of messages) send(message)
  stdin.end()
  await closed
})

test.each([
  ['no JSON', '{"jsonrpc":', { code: -32_700, id: null }],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { code: -32_600, id: null }],
  ['a message of version 1', '{"id":7,"method":"ping"}', { code: -32_600, id: 7 }],
  ['a number', '5', { code: -32_600, id: null }],
])('a line that is %s gets an error, and the next request its answer', async (_, line, { code, id }) => {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const transport = answeringStdio(stdin, stdout)
  transport.onmessage = () => transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  await transport.start()
  stdin.end(`${line}\n\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
  const written = text(stdout)
  transport.onclose = () => stdout.end()
  const [refusal, answer, ...rest] = (await written)
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one))
  expect(refusal).toMatchObject({ jsonrpc: '2.0', id, error: { code } })
  expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(rest).toEqual([])
})
