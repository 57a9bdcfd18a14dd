import { createBackgroundWork } from '../../../core/background.ts'
import type { Log } from '../../../core/log.ts'
import type { Fetcher } from '../../../platform/net/fetch.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { SecretBox } from '../subscriptions/secrets.ts'
import { type Claimed, claimDue, claimHeld, giveBack, giveBackAll, lookForWork } from './claim.ts'
import { fanOut } from './fan-out.ts'
import { HostLanes } from './host-lanes.ts'
import { anonymousGapMs, record } from './outcome.ts'
import type { Answer } from './schedule.ts'
import { send, unreadableSecret } from './send.ts'

export interface DeliveryWorkerParts {
  readonly books: Books
  /** Called with the first delivery. */
  readonly loadFetcher: () => Promise<Pick<Fetcher, 'fetch'>>
  readonly secrets: Pick<SecretBox, 'open'>
  /** Only this process works on the store, so what is claimed at its start was claimed by one that died. */
  readonly isAlone: boolean
  readonly pace?: Partial<Pace>
  readonly random?: () => number
  readonly log: Log
}

interface Pace {
  /** Between two looks for work that this process was not told of. */
  readonly pollMs: number
  /** How long a claimed delivery belongs to this process. */
  readonly leaseMs: number
  /** How long deliveries under way may take to end when the gateway closes. */
  readonly graceMs: number
  /** Deliveries that are sent at the same time: to one host, and in all. */
  readonly perHost: number
  readonly atOnce: number
  /** An attempt that takes longer makes way for those to other hosts. */
  readonly slowMs: number
}

/** Three quarters of it are for waiting behind others, one quarter for the attempt itself. */
const leaseMs = 60_000
/** The gateway answers its first callers before it looks for deliveries. */
const startAfterMs = 1_500
/** For the transaction of the event to end. */
const wakeAfterMs = 30
/** Claimed deliveries of a host for each one that is sent: so many claims are saved. */
const claimedPerSent = 8

const ourFault: Answer = {
  kind: 'failed',
  problem: 'The delivery could not be sent because of a fault of this service.',
}

/**
 * Makes deliveries of events, and sends them. All it knows is in the store: an event without deliveries, and deliveries
 * with the time when they are due. So a gateway that is killed loses nothing, and several gateways share the work.
 *
 * These are rows and not jobs of pg-boss: a job is claimed, completed and removed by statements of its own, its queue
 * knows nothing of hosts, and a list of deliveries with their answers would be kept beside it anyway. Here one statement
 * claims many deliveries, and one records the outcomes of many.
 */
export class DeliveryWorker {
  readonly #parts: DeliveryWorkerParts
  readonly #pace: Pace
  readonly #lanes: HostLanes
  readonly #sending = createBackgroundWork()
  readonly #hurry = new AbortController()
  #isClosed = false
  #isStarted = false
  /** There were due deliveries that this process had no room for. */
  #isBehind = false
  #round: Promise<void> | undefined
  #isAsked = false
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(parts: DeliveryWorkerParts) {
    this.#parts = parts
    const pollMs = parts.isAlone ? 5_000 : 1_000
    this.#pace = { pollMs, leaseMs, graceMs: 3_000, perHost: 8, atOnce: 64, slowMs: 2_000, ...parts.pace }
    this.#lanes = new HostLanes(this.#pace, (claimed) => this.#send(claimed))
  }

  startLater(delayMs = startAfterMs): void {
    this.#lookIn(delayMs)
  }

  /** Looks for work in a moment: an event is being written, or a delivery was asked for. */
  wake(): void {
    if (this.#isStarted) this.#lookIn(wakeAfterMs)
  }

  /** Sends nothing new. What is under way has a moment to end; the rest goes to another gateway, or to the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#round
    await this.#giveBack(this.#lanes.takeWaiting())
    const timer = setTimeout(() => this.#hurry.abort(), this.#pace.graceMs)
    await this.#sending.idle()
    clearTimeout(timer)
  }

  #lookIn(delayMs: number): void {
    const at = performance.now() + delayMs
    if (this.#isClosed || at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#look(), delayMs).unref()
  }

  #look(): void {
    clearTimeout(this.#timer)
    this.#timerAt = Number.POSITIVE_INFINITY
    if (this.#isClosed) return
    // A round that runs may have looked before this work was there.
    this.#isAsked = this.#round !== undefined
    this.#round ??= this.#work()
      .catch((error: unknown) => {
        this.#parts.log.warn(
          { err: error },
          'webhook deliveries could not be read; the next look will try again',
        )
        return this.#pace.pollMs
      })
      .then((nextMs) => {
        this.#round = undefined
        this.#lookIn(this.#isAsked ? 0 : nextMs)
      })
  }

  /** @returns in how many milliseconds to look again. */
  async #work(): Promise<number> {
    const { books, isAlone } = this.#parts
    const { pollMs, perHost, atOnce, leaseMs } = this.#pace
    if (!this.#isStarted && isAlone) await giveBackAll(books)
    this.#isStarted = true
    const { hasEvents, dueAt, heldDueAt } = await lookForWork(books)
    const hasNew = hasEvents && (await fanOut(books)) > 0
    const now = books.clock.now()
    const isDue = (at: Date | null) => hasNew || (at !== null && at.getTime() <= now)
    const half = (perHost * claimedPerSent) / 2
    const room = () => atOnce * claimedPerSent - this.#lanes.claimed
    let claimed = 0
    const take = (deliveries: readonly Claimed[]) => {
      claimed += deliveries.length
      this.#lanes.add(deliveries)
    }
    this.#isBehind = isDue(dueAt)
    if (isDue(dueAt) && room() > 0) {
      const full = this.#lanes.hostsWith(half)
      take(await claimDue(books, { perHost: half, max: room(), full, leaseMs }))
    }
    if (isDue(heldDueAt) && room() > 0)
      take(await claimHeld(books, { max: room(), full: this.#lanes.hostsWith(half), leaseMs }))
    if (this.#isClosed) await this.#giveBack(this.#lanes.takeWaiting())
    if (hasNew || claimed > 0) return 0
    const waits = [dueAt, heldDueAt].flatMap((at) => (at && at.getTime() > now ? [at.getTime() - now] : []))
    return Math.min(pollMs, ...waits)
  }

  #send(claimed: Claimed): Promise<void> {
    const sent = this.#attempt(claimed).catch((error: unknown) => {
      // Its lease ends, and then it is sent again.
      const { log } = this.#parts
      log.error(
        { err: error, delivery: claimed.id },
        'the outcome of a webhook delivery could not be recorded',
      )
    })
    this.#sending.add(sent)
    return sent.then(() => {
      const half = (this.#pace.perHost * claimedPerSent) / 2
      if (this.#isBehind && !this.#lanes.hostsWith(half + 1).includes(claimed.host)) this.#look()
    })
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const { books, loadFetcher, secrets, random = Math.random, log } = this.#parts
    if (this.#isClosed) return await this.#giveBack([claimed])
    // It has waited behind others for so long that another gateway may take it before this attempt ends.
    if (books.clock.now() >= claimed.leaseUntil.getTime() - this.#pace.leaseMs / 4) return
    const parts = { fetcher: await loadFetcher(), secrets, clock: books.clock }
    const answer = await send(claimed, parts, this.#hurry.signal).catch((error: unknown) => {
      // It counts as an attempt: otherwise a delivery that we cannot send would be tried every minute forever.
      log.error(
        { err: error, delivery: claimed.id },
        'a webhook delivery could not be sent by a fault of ours',
      )
      return ourFault
    })
    if (answer === undefined) return await this.#giveBack([claimed])
    const { subscription } = claimed
    if (answer.kind === 'failed' && answer.problem === unreadableSecret) {
      const message = 'the secret of a webhook subscription was sealed with a key that is not known any more'
      log.warn({ subscription: subscription.id }, message)
    }
    const { kind } = await record(books, claimed, answer, random())
    // The next delivery of a subscription whose deliveries go out one by one.
    if (kind === 'delivered' && (subscription.isAnonymous || subscription.provenAt === null)) {
      this.#lookIn(subscription.isAnonymous ? anonymousGapMs : 0)
    }
  }

  async #giveBack(claimed: readonly Claimed[]): Promise<void> {
    await giveBack(this.#parts.books, claimed).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'claimed webhook deliveries wait until their lease ends')
    })
  }
}
