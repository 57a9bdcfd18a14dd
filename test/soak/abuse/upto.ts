import type { LocalAccount } from 'viem'
import { uptoWallet } from '../../support/chain/upto-authorization.ts'
import { tallyAnswers } from './callers/callers.ts'
import { callOf, isSettledBy, signUpto, streamBody } from './callers/requests.ts'
import { paths, prices } from './catalog.ts'
import { type Numbers, type Scene, waitFor } from './scene.ts'
import type { Stage } from './stage.ts'

/** How long a settlement may take whose gateway was killed and started again. */
const recoveryMs = 60_000
const words = 20

/**
 * Not an attack, but what a balancer does to honest payers of `upto`: the 402 comes from one gateway and the payment goes
 * to the other, alternating and at random. Then the gateway whose account was signed is killed while the calls run.
 */
export const upto: Scene = {
  name: 'upto',
  attack: '`upto` payments alternating and at random over both gateways, then with the signed gateway killed',
  isHonest: true,
  measures: [],
  async prepare(stage, numbers) {
    const { attackers, replicas } = stage
    const signed = await signAll(stage, numbers)
    const calls = signed.map(({ call }) => call)
    const doomed = signed.filter(({ isLast }) => isLast).map(({ call }) => call)
    return async () => {
      const pace = { atOnce: 4, patienceMs: 20_000 }
      const answers = [...(await attackers.send(calls.slice(0, -doomed.length), pace))]
      const last = attackers.send(doomed, { ...pace, atOnce: doomed.length })
      const begun = () =>
        signed.some(({ isLast, wallet }) => isLast && stage.farEnd.runsOf(wallet.address) > 0)
      await waitFor(begun, 2_000)
      const owner = replicas[ownerOf(stage, numbers)]
      await owner.kill()
      await owner.start()
      answers.push(...(await last))
      const faults = await findLost(
        stage,
        signed,
        answers.map(({ status }) => status),
      )
      return { payments: answers.length, answers: tallyAnswers(answers), wallets: [], faults }
    }
  },
}

interface Signed {
  readonly wallet: LocalAccount
  readonly call: ReturnType<typeof callOf>
  /** Runs while the gateway whose account was signed is killed. */
  readonly isLast: boolean
}

const places = [0, 1] as const
type Place = (typeof places)[number]
const other = (place: Place): Place => (place === 0 ? 1 : 0)

/** The gateway whose account the second gateway's 402 names. */
function ownerOf({ settlers }: Stage, { offers }: Numbers): Place {
  return isSettledBy(offers[1], settlers[0]) ? 0 : 1
}

/** A third of the payments alternates, a third goes anywhere, and for a third the signed gateway is killed. */
async function signAll(stage: Stage, numbers: Numbers): Promise<Signed[]> {
  const { chain, replicas } = stage
  const { offers, random, uptoPayments } = numbers
  const survivor = other(ownerOf(stage, numbers))
  const plan = Array.from({ length: uptoPayments }, (_, n) => {
    const third = Math.floor((3 * n) / uptoPayments)
    if (third === 0)
      return { offered: n % 2 === 0 ? 0 : 1, paid: n % 2 === 0 ? 1 : 0, isLast: false } as const
    if (third === 1) return { offered: random.pick(places), paid: random.pick(places), isLast: false }
    return { offered: 1, paid: survivor, isLast: true } as const
  })
  const signed: Signed[] = []
  for (const [n, { offered, paid, isLast }] of plan.entries()) {
    const wallet = await uptoWallet(chain, prices.stream)
    const path = `${paths.stream}?by=${wallet.address}`
    const options = { from: `127.0.30.${1 + n}`, body: streamBody(words, isLast ? 2_000 : 40) }
    const header = await signUpto(wallet, offers[offered])
    signed.push({ wallet, isLast, call: callOf([replicas[paid].url], path, header, options) })
  }
  return signed
}

/** Compares what each wallet got with what it paid, once everything is settled. */
async function findLost(
  stage: Stage,
  signed: readonly Signed[],
  statuses: readonly number[],
): Promise<string[]> {
  const payers = signed.map(({ wallet }) => wallet.address)
  await waitFor(async () => (await stage.openPayments(payers)) === 0, recoveryMs)
  const { received } = await stage.chainUse(stage.firstBlock)
  const price = BigInt(words) * prices.word
  const refused = statuses.filter((status) => status !== 200).length
  const lost = signed.filter(({ wallet }, index) => {
    const paid = received.get(wallet.address.toLowerCase())?.amount ?? 0n
    return paid !== (statuses[index] === 200 ? price : 0n)
  })
  return [
    ...(refused > 0 ? [`${refused} of ${signed.length} payments were not served`] : []),
    ...(lost.length > 0
      ? [`${lost.length} calls were served and not charged, or charged and not served`]
      : []),
  ]
}
