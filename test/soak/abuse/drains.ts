import { setTimeout as pause } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { companyOf } from '../count-runs.ts'
import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import { callOf, signExact } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import { type Scene, waitFor } from './scene.ts'

/** How long after the first run the money goes: the other calls begin meanwhile. */
const leadMs = 300

/**
 * A fresh wallet pays many calls of a handler with plain payments, and moves its money away before they are settled. The
 * next fresh wallet does the same with the same money.
 */
export const drains: Scene = {
  name: 'drains',
  attack:
    'many plain payments at once of a fresh wallet that drains itself before they settle; then the next wallet',
  measures: ['unpaid runs', 'gas'],
  async prepare({ attacker, attackers, model, replicas }, { drains: each, drainWallets, random }) {
    const wallets: Drain[] = []
    for (let index = 0; index < drainWallets; index += 1) {
      const wallet = await attacker.wallet()
      const company = companyOf(`drain.${wallet.address.slice(2, 14)}`)
      const from = attacker.address()
      const requests: CallerRequest[] = []
      for (let n = 0; n < each; n += 1) {
        const header = await signExact(wallet, prices.research)
        const options = { from, body: { companyName: company } }
        requests.push(callOf([random.pick(replicas).url], paths.research, header, options))
      }
      wallets.push({ wallet, company, requests, at: 0 })
    }
    const [first] = wallets
    if (first) await attacker.fund(first.wallet.address, BigInt(each) * prices.research)

    return async () => {
      const sent = []
      for (const [index, one] of wallets.entries()) {
        one.at = performance.now()
        sent.push(attackers.send(one.requests, { atOnce: each, patienceMs: 8_000 }))
        await waitFor(() => model.of(one.company) > 0, 1_000)
        await pause(leadMs)
        const heir = wallets[index + 1]?.wallet ?? attacker.account
        await attacker.moveAll(one.wallet, heir.address)
      }
      const answers = (await Promise.all(sent)).flat()
      return {
        payments: answers.length,
        answers: tallyAnswers(answers),
        wallets: wallets.map(({ wallet: { address }, company, at }) => ({
          payer: address,
          at,
          runs: model.of(company),
          worth: BigInt(model.of(company)) * prices.research,
        })),
        faults: [],
      }
    }
  },
}

interface Drain {
  readonly wallet: LocalAccount
  readonly company: string
  readonly requests: readonly CallerRequest[]
  /** When its payments were sent. */
  at: number
}
