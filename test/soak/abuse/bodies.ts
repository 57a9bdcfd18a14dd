import { tallyAnswers } from './callers/callers.ts'
import { callOf } from './callers/requests.ts'
import { paths } from './catalog.ts'
import type { Scene } from './scene.ts'
import { copyFromChain, payFor } from './victim.ts'

/** How long the last byte of each body is held back. */
const holdMs = 4_000

/**
 * Many connections send large bodies beside payments that the gateway knows. Payer and nonce of each payment stand on
 * the public chain, so the attacker needs neither a wallet nor a signature.
 */
export const bodies: Scene = {
  name: 'bodies',
  attack: 'connections with large bodies beside payments whose payer and nonce were copied from the chain',
  measures: [],
  async prepare(stage, { connections, bodyBytes }) {
    const { attacker, attackers, replicas } = stage
    const victim = await payFor(stage, 4)
    const copies = await copyFromChain(stage, victim)
    const requests = Array.from({ length: connections }, (_, n) => {
      const header = copies[n % copies.length] ?? ''
      const body = { bytes: bodyBytes, holdMs }
      // All at one gateway, as a balancer by address would send them.
      return callOf([replicas[0].url], `${paths.work}?by=bodies`, header, { from: attacker.address(), body })
    })
    return async () => {
      const answers = await attackers.send(requests, { atOnce: connections, patienceMs: 3 * holdMs })
      return { payments: answers.length, answers: tallyAnswers(answers), wallets: [], faults: [] }
    }
  },
}
