import { expect, test } from 'vitest'
import { RoomsLeft } from '../../../../src/doors/x402/door/turns/rooms-left.ts'
import { newPayment } from '../../../support/stores/ledger.ts'

test('the room that the books had is given to as many calls as they said, and to no other amount, operation or payer', () => {
  const wanted = newPayment()
  const rooms = new RoomsLeft()
  expect(rooms.take(wanted)).toBe(false)
  rooms.note(wanted, 2)
  for (const other of [
    { ...wanted, amount: wanted.amount + 1n },
    { ...wanted, operation: 'another' },
    { ...wanted, scheme: 'upto' as const },
    newPayment(),
  ]) {
    expect(rooms.take(other)).toBe(false)
  }
  expect([rooms.take(wanted), rooms.take(wanted), rooms.take(wanted)]).toEqual([true, true, false])
})
