import { companyOf } from '../count-runs.ts'
import { tallyAnswers } from './callers/callers.ts'
import { callOf, headerOf, signPrice } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import { type Scene, waitFor } from './scene.ts'
import type { Stage } from './stage.ts'

const forever = 2n ** 256n - 1n

/**
 * Payments whose nonces are canceled while the handler runs, so that they fail, and which are then sent again and again:
 * one with the usual validity, one that is valid for ever.
 */
export const repeats: Scene = {
  name: 'repeats',
  attack: 'failed payments with canceled nonces, one of them valid for ever, sent again and again',
  measures: ['node calls'],
  async prepare(stage, { addresses, repeats: count, random }) {
    const from = Array.from({ length: addresses }, stage.attacker.address)
    const failed = [
      await failByCancel(stage, 'usual', {}),
      await failByCancel(stage, 'ever', { validBefore: forever }),
    ]
    const requests = Array.from({ length: count }, (_, n) => {
      const { company, header } = failed[n % 2] ?? { company: '', header: '' }
      const options = { from: from[n % addresses] ?? '', body: { companyName: company } }
      return callOf([random.pick(stage.replicas).url], paths.research, header, options)
    })
    return async () => {
      const answers = await stage.attackers.send(requests, { atOnce: 4, patienceMs: 5_000 })
      return { payments: answers.length, answers: tallyAnswers(answers), wallets: [], faults: [] }
    }
  },
}

/** A payment whose payer cancels it once the handler runs, or after a refusal. */
export async function failByCancel(
  { attacker, attackers, model, replicas }: Stage,
  name: string,
  change: { readonly validBefore?: bigint },
): Promise<{ company: string; header: string }> {
  const wallet = await attacker.wallet()
  await attacker.fund(wallet.address, prices.research)
  const company = companyOf(`${name}.${wallet.address.slice(2, 14)}`)
  const payment = await signPrice(wallet, prices.research, change)
  const header = headerOf(payment)
  const options = { from: attacker.address(), body: { companyName: company } }
  const first = attackers.send([callOf([replicas[0].url], paths.research, header, options)], {
    atOnce: 1,
    patienceMs: 10_000,
  })
  await waitFor(() => model.of(company) > 0, 2_000)
  await attacker.cancel(payment, wallet)
  await first
  return { company, header }
}
