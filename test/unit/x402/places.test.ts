import { expect, test } from 'vitest'
import { contracts, type PlaceLimit, Places } from '../../../src/doors/x402/settler/wallets/places.ts'

/** The places of payments that are sent alone. */

const payer = (name: string, most = 10): PlaceLimit => ({ key: `payer ${name}`, most })

/** Asks for so many places. Each answer is in `given` once there is one. */
function ask(places: Places, count: number, limits: readonly PlaceLimit[]) {
  const owners = Array.from({ length: count }, () => ({}))
  const given: (() => void)[] = []
  for (const owner of owners) {
    void places.take(owner, limits).then((release) => {
      if (release) given.push(release)
    })
  }
  return { owners, given }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a payer with a hundred payments takes ten places, and the others get theirs', async () => {
  const places = new Places()
  const greedy = ask(places, 100, [payer('greedy')])
  const modest = ask(places, 3, [payer('modest')])
  await turn()
  expect([greedy.given.length, modest.given.length]).toEqual([10, 3])
})

test('wallet contracts take half of the places, and a plain wallet finds one', async () => {
  const places = new Places()
  for (let wallet = 0; wallet < 20; wallet += 1) ask(places, 10, [contracts, payer(String(wallet))])
  expect([places.hasRoom(true), places.hasRoom(false)]).toEqual([false, true])
  const plain = ask(places, 1, [payer('plain')])
  await turn()
  expect(plain.given).toHaveLength(1)
})

test('a place that is given back goes to the payment that has waited longest and may have it, once', async () => {
  const places = new Places()
  const { given } = ask(places, 3, [payer('one', 1)])
  const other = ask(places, 2, [payer('other', 1)])
  await turn()
  given[0]?.()
  given[0]?.()
  await turn()
  expect([given.length, other.given.length]).toEqual([2, 1])
})

test('a payment that leaves gets no place, and takes none from those behind it', async () => {
  const places = new Places()
  const { owners, given } = ask(places, 3, [payer('one', 1)])
  await turn()
  expect(owners.map((owner) => places.leave(owner))).toEqual([false, true, true])
  given[0]?.()
  await turn()
  expect(given).toHaveLength(1)
  expect(ask(places, 1, [payer('one', 1)]).owners).toHaveLength(1)
  expect(places.hasRoom(true)).toBe(true)
})
