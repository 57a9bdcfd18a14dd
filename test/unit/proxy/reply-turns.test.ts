import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ReplyBody } from '../../../src/proxy/pool/reply-body.ts'
import { ReplyTurns } from '../../../src/proxy/pool/reply-turns.ts'

/** A body whose reader takes so many milliseconds for each piece. */
function createReplies(msPerPiece: number) {
  const clock = { ms: 0 }
  const turns = new ReplyTurns(() => clock.ms)
  const read: string[] = []
  const resumed: string[] = []
  const open = (name: string) => {
    const body = new ReplyBody(
      () => void resumed.push(name),
      () => undefined,
      turns,
    )
    body.on('error', () => undefined)
    body.on('data', (chunk: Buffer) => {
      clock.ms += msPerPiece
      read.push(`${name}${chunk.length}`)
    })
    return body
  }
  return { open, read, resumed }
}

test('many replies that are slow to pass on take a few milliseconds of each turn, one after the other', async () => {
  const { open, read } = createReplies(1)
  const bodies = ['a', 'b', 'c', 'd', 'e'].map(open)
  await turn()
  for (const body of bodies) body.add(Buffer.from('x'))
  await turn()
  expect(read).toEqual(['a1', 'b1', 'c1'])
  bodies[0]?.add(Buffer.from('xx'))
  await turn()
  expect(read).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'a2'])
})

test('large chunks are passed on at once until the time of the turn is used up, and then wait, in their order', async () => {
  const { open, read } = createReplies(1.5)
  const body = open('a')
  await turn()
  const large = Buffer.alloc(10_000)
  expect([large, large, large, large].map((chunk) => body.add(chunk))).toEqual([true, false, true, true])
  expect(read).toEqual(['a10000', 'a4096'])
  await turn()
  expect(read).toEqual(['a10000', 'a4096', 'a1024', 'a1024'])
})

test('a chunk whose reader is slow is passed on in small pieces over several turns, and none of it is lost', async () => {
  const clock = { ms: 0 }
  const turns = new ReplyTurns(() => clock.ms)
  const body = new ReplyBody(
    () => undefined,
    () => undefined,
    turns,
  )
  const read: Buffer[] = []
  const perTurn: number[] = []
  let now = 0
  body.on('data', (chunk: Buffer) => {
    clock.ms += chunk.length / 2_000
    perTurn[now] = (perTurn[now] ?? 0) + chunk.length
    read.push(chunk)
  })
  await turn()
  const sent = Buffer.from(Array.from({ length: 65_536 }, (_, at) => at % 251))
  body.add(sent)
  body.end()
  for (now = 1; !body.readableEnded; now += 1) await turn()
  expect(Buffer.concat(read).equals(sent)).toBe(true)
  // The first piece of 16 kB shows how slow the reader is.
  expect(Math.max(...perTurn.filter(Boolean).slice(1))).toBeLessThan(15_000)
})

test('a sender that was paused is resumed once the replies before it had their turn', async () => {
  const { open, read, resumed } = createReplies(1.5)
  const [a, b, c] = ['a', 'b', 'c'].map(open)
  await turn()
  for (let n = 0; n < 256; n += 1) a?.add(Buffer.from('x'))
  b?.add(Buffer.from('x'))
  c?.add(Buffer.from('x'))
  await turn()
  expect({ read, resumed }).toEqual({ read: ['a256', 'b1'], resumed: ['a'] })
  for (let n = 0; n < 256; n += 1) a?.add(Buffer.from('x'))
  await turn()
  expect({ read, resumed }).toEqual({ read: ['a256', 'b1', 'c1', 'a256'], resumed: ['a', 'a'] })
})

test('a reply that ends while it waits is read to its end, and one that is destroyed is not', async () => {
  const { open, read } = createReplies(9)
  const [first, ended, left] = ['a', 'b', 'c'].map(open)
  await turn()
  first?.add(Buffer.alloc(5_000))
  ended?.add(Buffer.from('last'))
  ended?.end()
  left?.add(Buffer.from('lost'))
  left?.destroy()
  expect(read).toEqual(['a5000'])
  await turn()
  await turn()
  expect(read).toEqual(['a5000', 'b4'])
  expect([ended?.readableEnded, left?.readableEnded]).toEqual([true, false])
})
