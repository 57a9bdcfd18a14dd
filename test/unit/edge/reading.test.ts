import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Arrivals } from '../../../src/edge/http/connections/arrivals.ts'
import { Reading } from '../../../src/edge/http/connections/reading.ts'

/** Longer than a turn of the event loop may read, with the work of two connections. */
const workMs = 4

function work(): void {
  const until = performance.now() + workMs
  while (performance.now() < until);
}

test('connections that were read again while they were silent are not all read in one turn when they speak together', async () => {
  const reading = new Reading(new Arrivals(), () => 'first reply')
  const accepted: Socket[] = []
  const perTurn: number[] = [0]
  const server = createServer((socket) => {
    accepted.push(socket)
    reading.arrived(socket)
    socket.on('data', () => {
      work()
      reading.worked(socket)
      if (perTurn.at(-1) === 0) setImmediate(() => perTurn.push(0))
      perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const callers = Array.from({ length: 60 }, (_, n) =>
    connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${n + 2}` }),
  )
  await Promise.all(callers.map((caller) => once(caller, 'connect')))
  await expect.poll(() => accepted).toHaveLength(60)

  // A long turn stops them all; then they are read again, more of them in each turn.
  const [first] = accepted
  if (first) for (let times = 0; times < 3; times += 1) [work(), reading.worked(first)]
  await expect.poll(() => accepted.some((socket) => reading.isUnread(socket))).toBe(false)
  for (let times = 0; times < 10; times += 1) await turn()

  for (const caller of callers) caller.write('x')
  const sum = () => perTurn.reduce((before, count) => before + count, 0)
  await expect.poll(sum).toBe(60)
  expect(Math.max(...perTurn)).toBeLessThan(12)

  for (const caller of callers) caller.destroy()
  server.close()
})
