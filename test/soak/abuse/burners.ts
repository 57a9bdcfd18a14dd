import { setTimeout as pause } from 'node:timers/promises'
import { type Address, encodeFunctionData, parseAbi, parseEventLogs } from 'viem'
import { createLog } from '../../../src/core/log.ts'
import { compileContracts } from '../../../src/platform/chain/local/compile.ts'
import { networks } from '../../../src/platform/chain/networks.ts'
import { cacheDir } from '../../support/chain/chain.ts'
import { type CallerRequest, tallyAnswers } from './callers/callers.ts'
import { callOf, signExact } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import { burnTimes, type Numbers, type Scene } from './scene.ts'
import type { Stage } from './stage.ts'

/** The time from the first payments of one contract to those of the next. */
const roundMs = 600

/**
 * Wallet contracts that agree in the trial and burn the gas of the transaction. A factory makes them, so that a fresh
 * one costs the attacker little. Each pays many times at once, and the next one begins soon after.
 */
export const burners: Scene = {
  name: 'burners',
  attack: 'wallet contracts of a factory that agree in the trial and burn in the transaction',
  measures: ['unpaid runs', 'gas'],
  async prepare(stage, numbers) {
    const { attacker, attackers, farEnd, replicas } = stage
    const { burns, random } = numbers
    const wallets = await makeTurncoats(stage, numbers)
    const rounds: CallerRequest[][] = []
    for (const address of wallets) {
      const from = attacker.address()
      const requests: CallerRequest[] = []
      for (let n = 0; n < burns; n += 1) {
        // Any signature will do: the contracts accept all.
        const header = await signExact(attacker.account, prices.call, { from: address })
        const path = `${paths.work}?by=${address}`
        requests.push(callOf([random.pick(replicas).url], path, header, { from }))
      }
      rounds.push(requests)
    }
    // From the attacker's own account: what this costs counts as the attacker's gas.
    await attacker.fund(attacker.account.address, stakeOf(numbers) * BigInt(wallets.length))
    for (const address of wallets) await attacker.pass(address, stakeOf(numbers))

    return async () => {
      const startedAt = performance.now()
      const sent = []
      for (const requests of rounds) {
        sent.push(attackers.send(requests, { atOnce: burns, patienceMs: 10_000 }))
        await pause(roundMs)
      }
      const answers = (await Promise.all(sent)).flat()
      return {
        payments: answers.length,
        answers: tallyAnswers(answers),
        wallets: wallets.map((address, index) => ({
          payer: address,
          at: startedAt + index * roundMs,
          runs: farEnd.runsOf(address),
          worth: BigInt(farEnd.runsOf(address)) * prices.call,
        })),
        faults: [],
      }
    }
  },
}

/** What each contract holds. */
const stakeOf = ({ burns }: Numbers): bigint => BigInt(burns) * prices.call

const factoryAbi = parseAbi([
  'function make(uint256 count, address token, uint8 when, uint256 number, uint256 keep)',
  'event Made(address wallet)',
])

/** Contracts that burn at each of the wanted times, the same number of each. */
async function makeTurncoats({ attacker, nodeCalls }: Stage, numbers: Numbers): Promise<Address[]> {
  const { burners: count, burnWhen, burnBlocks, burnShare, burnKeep } = numbers
  const { TurncoatFactory: code } = await compileContracts(['TurncoatFactory'], {
    folder: new URL('.', import.meta.url),
    cacheDir,
    log: createLog('silent'),
  })
  const { contractAddress: factory } = await attacker.send({ data: code })
  if (!factory) throw new Error('the factory was not created')
  const made: Address[] = []
  const number = { block: BigInt(burnBlocks), random: BigInt(burnShare), spent: stakeOf(numbers) }
  for (const [index, when] of burnWhen.entries()) {
    const share = Math.floor((count - index + burnWhen.length - 1) / burnWhen.length)
    const args = [
      BigInt(share),
      networks['base-sepolia'].usdc.address,
      burnTimes.indexOf(when),
      number[when],
      BigInt(burnKeep),
    ] as const
    const data = encodeFunctionData({ abi: factoryAbi, functionName: 'make', args })
    const { logs } = await attacker.send({ to: factory, data })
    made.push(...parseEventLogs({ abi: factoryAbi, logs }).map(({ args }) => args.wallet))
  }
  for (const wallet of made) nodeCalls.suspect(wallet)
  return made
}
