import { setTimeout as pause } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import { callOf, signUpto, streamBody } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'

import { type Scene, waitFor } from './scene.ts'

/** Words that cost four fifths of a stream's maximum, and how long they take. */
const words = 100
const streamMs = 2_000

/**
 * A fresh wallet holds money for all its streams, begins them at once, and moves the money away while they run. Then the
 * next fresh wallet does the same with the same money.
 */
export const streams: Scene = {
  name: 'streams',
  attack:
    'many `upto` streams at once of a fresh wallet that moves its money before they end; then the next wallet',
  measures: ['unpaid runs', 'gas'],
  async prepare({ attacker, attackers, farEnd, replicas }, { offers, streamWallets, streams: each }) {
    const wallets: Streaming[] = []
    for (let index = 0; index < streamWallets; index += 1) {
      const wallet = await attacker.wallet()
      await attacker.approve(wallet, 2n ** 128n)
      const from = attacker.address()
      const requests: CallerRequest[] = []
      for (let n = 0; n < each; n += 1) {
        const place = n % 2 === 0 ? 0 : 1
        const header = await signUpto(wallet, offers[place])
        const path = `${paths.stream}?by=${wallet.address}`
        const options = { from, body: streamBody(words, streamMs) }
        requests.push(callOf([replicas[place].url], path, header, options))
      }
      wallets.push({ wallet, requests, at: 0 })
    }
    const [first] = wallets
    if (first) await attacker.fund(first.wallet.address, BigInt(each) * prices.stream)

    return async () => {
      const sent = []
      for (const [index, one] of wallets.entries()) {
        const { wallet, requests } = one
        one.at = performance.now()
        sent.push(attackers.send(requests, { atOnce: requests.length, patienceMs: 4 * streamMs }))
        await waitFor(() => farEnd.runsOf(wallet.address) > 0, streamMs)
        // The others begin too, if they may.
        await pause(streamMs / 2)
        const heir = wallets[index + 1]?.wallet ?? attacker.account
        await attacker.moveAll(wallet, heir.address)
      }
      const answers = (await Promise.all(sent)).flat()
      return {
        payments: answers.length,
        answers: tallyAnswers(answers),
        wallets: wallets.map(({ wallet: { address }, at }) => ({
          payer: address,
          at,
          runs: farEnd.runsOf(address),
          worth: BigInt(farEnd.wordsOf(address)) * prices.word,
        })),
        faults: [],
      }
    }
  },
}

interface Streaming {
  readonly wallet: LocalAccount
  readonly requests: readonly CallerRequest[]
  /** When its streams began. */
  at: number
}
