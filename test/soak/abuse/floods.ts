import { createBadPayments } from './bad-payments.ts'
import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import type { Scene } from './scene.ts'

/** Refused payments of every kind, at random, at a steady rate to both gateways. */
export const floods: Scene = {
  name: 'floods',
  attack: 'refused payments of every kind at a steady rate, deep JSON among them',
  measures: ['node calls'],
  async prepare(stage, numbers) {
    const { floodRate, floodSeconds, random } = numbers
    const kinds = await createBadPayments(stage, numbers)
    const requests: CallerRequest[] = []
    for (let n = 0; n < floodRate * floodSeconds; n += 1) {
      const kind = kinds[random.below(kinds.length)]
      if (kind) requests.push(await kind.make(n, random.pick(stage.replicas).url))
    }
    return async () => {
      const answers = await stage.attackers.send(requests, {
        atOnce: requests.length,
        everyMs: 1_000 / floodRate,
        patienceMs: 10_000,
      })
      return { payments: answers.length, answers: tallyAnswers(answers), wallets: [], faults: [] }
    }
  },
}
