import { randomUUID } from 'node:crypto'
import { type Address, concat, encodeAbiParameters, type LocalAccount } from 'viem'
import { devPayers } from '../../../../src/platform/chain/dev-accounts.ts'
import { contractCode, type TestChain } from '../../../support/chain/chain.ts'
import { uptoWallet } from '../../../support/chain/upto-authorization.ts'
import { freshWallet } from '../../../support/chain/wallet.ts'
import { paths, prices } from '../catalog.ts'
import { type CallerRequest, openCallers } from './callers.ts'
import { describeCalls, type Felt, type Kind, kinds } from './felt.ts'
import { callOf, isSettledBy, readOffers, settledBy, signExact, signUpto, streamBody } from './requests.ts'

/**
 * Honest payers, who call at a steady pace whatever happens to the gateways. They say what an attack costs others: the
 * time their calls take, and calls that are refused.
 */
export interface HonestPayers {
  /** Calls while `work` runs. */
  during<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly felt: Felt }>
  /** Their wallets. */
  readonly addresses: readonly Address[]
  close(): Promise<void>
}

interface Planned {
  readonly kind: Kind
  readonly request: CallerRequest
}

interface HonestOptions {
  readonly chain: TestChain
  readonly urls: readonly [string, string]
  /** The settling account of each gateway. */
  readonly settlers: readonly [Address, Address]
  /** Calls a second. */
  readonly rate: number
  /** Wallets of each kind. */
  readonly wallets: number
}

/** A phase that lasts longer runs out of signed calls. */
const longestPhaseSeconds = 60
/** How many calls later one is repeated: its reply has come by then. */
const repeatAfter = 24
const patienceMs = 30_000

export async function openHonestPayers({
  chain,
  urls,
  settlers,
  rate,
  wallets,
}: HonestOptions): Promise<HonestPayers> {
  const callers = await openCallers()
  const [one, other] = urls
  const offers = await Promise.all([readOffers(one), readOffers(other)])
  const plain = await fill(wallets, () => fundedWallet(chain))
  const streaming = await fill(wallets, () => uptoWallet(chain, funds))
  const contracts = await fill(wallets, () => contractWallet(chain))
  const plan: Planned[] = []
  let planned = 0

  /** The calls take turns by kind, then by wallet and gateway. */
  async function planNext(): Promise<Planned> {
    const kind = kinds[planned % kinds.length] ?? 'exact'
    const turn = Math.floor(planned / kinds.length)
    planned += 1
    const wallet = turn % wallets
    // The other gateway for each second turn of a wallet.
    const first = (wallet + Math.floor(turn / wallets)) % 2
    const places = first === 0 ? [one, other] : [other, one]
    const from = `127.0.${10 + kinds.indexOf(kind)}.${1 + wallet}`
    const send = (path: string, header: string, body: object = {}, key = randomUUID()): CallerRequest => ({
      ...callOf(places, `${path}?by=honest`, header, { from, body, key }),
      isPatient: true,
    })
    switch (kind) {
      case 'exact': {
        const payment = await signExact(at(plain, wallet), prices.call)
        return { kind, request: send(paths.work, payment) }
      }
      case 'contract': {
        const { owner, address } = at(contracts, wallet)
        const payment = await signExact(owner, prices.call, { from: address })
        return { kind, request: send(paths.work, payment) }
      }
      case 'upto': {
        const payer = at(streaming, wallet)
        const offer = at(offers, first)
        const call = send(paths.stream, await signUpto(payer, offer), streamBody(20, 40))
        const another = isSettledBy(offer, settlers[0]) ? settlers[1] : settlers[0]
        const otherPayment = await signUpto(payer, settledBy(offer, another))
        return { kind, request: { ...call, otherPayment } }
      }
      case 'repeat': {
        const earlier = plan.slice(0, -repeatAfter).findLast((call) => call.kind === 'exact')
        return earlier ? { kind, request: earlier.request } : planNext()
      }
    }
  }

  return {
    async during(work) {
      while (plan.length < rate * longestPhaseSeconds) plan.push(await planNext())
      const pace = { atOnce: Number.POSITIVE_INFINITY, everyMs: 1_000 / rate, patienceMs }
      const calling = callers.begin(
        plan.map(({ request }) => request),
        pace,
      )
      const worked = await Promise.allSettled([work()])
      const answers = await calling.stop()
      const sent = plan.splice(0, answers.length)
      const [outcome] = worked
      if (outcome.status === 'rejected') throw outcome.reason
      return {
        result: outcome.value,
        felt: describeCalls(
          sent.map(({ kind }) => kind),
          answers,
        ),
      }
    },
    addresses: [...plain, ...streaming, ...contracts].map(({ address }) => address),
    close: callers.close,
  }
}

const funds = 10_000_000_000n

async function fundedWallet(chain: TestChain): Promise<LocalAccount> {
  const wallet = freshWallet()
  await chain.mint(wallet.address, funds)
  return wallet
}

/** A wallet contract that pays with signatures of its owner. */
async function contractWallet({
  client,
  mint,
}: TestChain): Promise<{ owner: LocalAccount; address: Address }> {
  const owner = freshWallet()
  const code = await contractCode('ContractWallet')
  const data = concat([code, encodeAbiParameters([{ type: 'address' }], [owner.address])])
  const hash = await client.sendTransaction({ account: devPayers[4].address, data })
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash })
  if (!address) throw new Error('the wallet contract was not created')
  await mint(address, funds)
  return { owner, address }
}

async function fill<Item>(count: number, make: () => Promise<Item>): Promise<Item[]> {
  const items: Item[] = []
  while (items.length < count) items.push(await make())
  return items
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}
