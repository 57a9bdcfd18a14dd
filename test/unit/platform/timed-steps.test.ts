import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TimedSteps } from '../../../src/platform/threads/timed-steps.ts'

/** Work of which each piece takes so many milliseconds in the promises that it sets off. */
function createWork(pieces: number, msPerPiece: number) {
  const clock = { ms: 0 }
  let waiting = pieces
  let done = 0
  const steps = new TimedSteps(
    2,
    () => {
      if (waiting === 0) return 0
      waiting -= 1
      void Promise.resolve()
        .then(() => undefined)
        .then(() => {
          clock.ms += msPerPiece
          done += 1
        })
      return waiting
    },
    () => clock.ms,
  )
  /** How many pieces each of so many turns has done. */
  const perTurn = async (turns: number) => {
    const counts: number[] = []
    for (let seen = done; counts.length < turns; seen = done) {
      await turn()
      counts.push(done - seen)
    }
    return counts
  }
  const add = () => {
    waiting += 1
    steps.wake()
  }
  return { clock, steps, perTurn, add, isDone: () => done }
}

test('a turn ends after the time of what its steps have set off, not only of the steps', async () => {
  const { steps, perTurn } = createWork(7, 1)
  steps.wake()
  // The first turn has one step, because nothing is known of what waits.
  expect(await perTurn(5)).toEqual([1, 2, 2, 2, 0])
})

test('work that takes no time is done at once, up to the bound of one turn', async () => {
  const { steps, perTurn } = createWork(20, 0)
  steps.wake()
  expect(await perTurn(5)).toEqual([1, 8, 8, 3, 0])
})

test('steps get a quarter of the time when other work makes the turns long', async () => {
  const { steps, perTurn, clock } = createWork(30, 2)
  steps.wake()
  expect(await perTurn(1)).toEqual([1])
  clock.ms += 38
  expect(await perTurn(1)).toEqual([5])
})

test('what comes while the time of a turn is used up is done in a later one', async () => {
  const { steps, perTurn, add, clock, isDone } = createWork(3, 0)
  steps.wake()
  expect(await perTurn(1)).toEqual([1])
  // Both steps of the next turn are planned. The first one finds all that waits, the second one has no time.
  setImmediate(() => {
    clock.ms += 10
    add()
  })
  await perTurn(4)
  expect(isDone()).toBe(4)
})
