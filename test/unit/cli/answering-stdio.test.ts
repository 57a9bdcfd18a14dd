import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { answeringStdio } from '../../../src/cli/runner/answering-stdio.ts'

/** When the connection of `tollgate mcp` ends. */

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
