import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'

function logged(fields: object): string {
  const lines: string[] = []
  createLog('info', { write: (line: string) => void lines.push(line) }).info(fields, 'x')
  return lines.join('')
}

test('the log of an RPC failure holds neither the access key of the RPC address nor the request that was sent', () => {
  const cause = new HttpRequestError({
    url: 'https://rpc.example.com/v2/ACCESSKEY',
    body: { method: 'eth_sendRawTransaction', params: ['0xSIGNEDBYTES'] },
    details: 'fetch failed',
  })
  const line = logged({ err: new Error('payments cannot be taken', { cause }) })
  expect(line).toContain('fetch failed')
  expect(line).not.toContain('ACCESSKEY')
  expect(line).not.toContain('SIGNEDBYTES')
})

test.each(['signature', 'authorization', 'privateKey', 'apiKey', 'email', 'secret'])(
  'the log redacts a field named %s, at the top and one level down',
  (name) => {
    expect(logged({ [name]: 'hunter2', payment: { [name]: 'hunter2' } })).not.toContain('hunter2')
  },
)

test('a line of the log holds no character that a terminal obeys, and its texts are complete', () => {
  const path = '/a\x1b[2K\x9b2K\u202eb\u2028c\x7f'
  const line = logged({ path })
  expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(line)).toMatchObject({ path })
})
