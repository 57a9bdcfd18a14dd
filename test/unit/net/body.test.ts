import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readBody } from '../../../src/platform/net/body.ts'
import { readResponseText } from '../../../src/platform/net/response-text.ts'

test('a body of exactly the limit is read whole, and no body is an empty one', async () => {
  const chunks = [Buffer.from('12345'), Buffer.from('67890')]
  expect(Buffer.from(await readBody(Readable.from(chunks), 10)).toString()).toBe('1234567890')
  expect(await readBody(null, 10)).toHaveLength(0)
})

test('a body beyond the limit fails with an error that names the limit, and its source is destroyed', async () => {
  let pieces = 0
  const endless = new Readable({
    read() {
      pieces += 1
      this.push(Buffer.alloc(1_000))
    },
  })

  await expect(readBody(endless, 10_000, 'the page')).rejects.toThrow('the page is larger than 10000 bytes')

  expect(endless.destroyed).toBe(true)
  // Some more may have waited in the stream's buffer.
  expect(pieces).toBeLessThan(100)
})

test('a body that breaks off fails with the error of its stream', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('12345')
      throw new Error('the connection broke')
    })(),
  )
  await expect(readBody(broken, 10)).rejects.toThrow('the connection broke')
})

test('the limit on a response counts the bytes after decompression, and closes the connection', async () => {
  const canceled = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(gzipSync(Buffer.alloc(1_000_000))),
    cancel: () => canceled.resolve(),
  })
  const response = new Response(body.pipeThrough(new DecompressionStream('gzip')))
  await expect(readResponseText(response, 500_000)).rejects.toThrow('is larger than 500000 bytes')
  await canceled.promise
})
