import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import { callOf, signExact } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import type { Scene } from './scene.ts'

/**
 * A wallet with the price of one call sends a call that the upstream refuses, again and again: with one payment and with
 * new ones. Each costs the wallet nothing, and the upstream a request.
 */
export const callerFaults: Scene = {
  name: 'caller-faults',
  attack: 'calls that fail upstream by the caller’s own making, repeated on one wallet that holds one price',
  measures: ['upstream calls'],
  async prepare({ attacker, attackers, farEnd, replicas }, { repeats, random }) {
    const wallet = await attacker.wallet()
    await attacker.fund(wallet.address, prices.call)
    const path = `${paths.refuse}?by=${wallet.address}`
    const from = attacker.address()
    const repeated = await signExact(wallet, prices.call)
    const requests: CallerRequest[] = []
    for (let n = 0; n < repeats; n += 1) {
      const header = n % 2 === 0 ? repeated : await signExact(wallet, prices.call)
      requests.push(callOf([random.pick(replicas).url], path, header, { from }))
    }
    return async () => {
      const answers = await attackers.send(requests, { atOnce: 4, patienceMs: 5_000 })
      return {
        payments: answers.length,
        answers: tallyAnswers(answers),
        wallets: [],
        freeRequests: farEnd.runsOf(wallet.address),
        faults: [],
      }
    }
  },
}
