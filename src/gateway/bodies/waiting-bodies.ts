import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import type { BodyRoom } from '../../core/incoming-request.ts'
import type { Log } from '../../core/log.ts'
import type { Dependency } from '../../core/outages.ts'

/**
 * Bounds the bytes of all request bodies that are in memory before a door has opened for their call: over all
 * connections of this process, for one client address, and for one payer. A payment's id, its nonce and even
 * its signature can be read on the chain, so without the bound a caller without a wallet could fill the
 * memory with bodies. The same holds for a large body that is read whole behind a door that asks for no payment, so it
 * counts until its upstream replies.
 */
export interface WaitingBodies {
  /**
   * Opens the room of one call. It takes memory only once a body arrives.
   * @param client the client address of the call; asked for at the first byte.
   */
  openRoom(client: () => string): CallRoom
  /** How many bytes are held now. */
  heldBytes(): number
}

/** The room of one call's body. */
export interface CallRoom extends BodyRoom {
  /**
   * Makes this body an upload: it may be larger than 100 kB, and its announced length is held before it
   * arrives, so that an upload that was begun can also end. To be called before the body is read.
   * @param payer whose signature is proven. Undefined for a payment that is in the books: its signature can
   *   be public, so it must not use up the room of its payer. All of these share one room.
   */
  becomeUpload(payer: string | undefined): void
  /**
   * A door has opened: gives all room back. What the handler reads whole from now on counts as an upload of the
   * client address, as it arrives.
   */
  beginRun(): void
  /** Gives all room back. The call needs no room afterwards. */
  leave(): void
}

/** What the bytes of a call count for, with its limit. */
interface Share {
  readonly name: string
  readonly maxBytes: number
  /** What callers get when it is full. */
  readonly full: { readonly code: ErrorCode; readonly limit: string }
}

/** The share of one client address, of one payer, and of all payments in the books. */
const oneOf = 4
/** Uploads leave a quarter of the memory to bodies below 100 kB, which most calls have. */
const uploadsPart = 3 / 4

const retrySeconds = 5

export function createWaitingBodies(maxBytes: number, log: Pick<Log, 'outages'>): WaitingBodies {
  const held = new Map<string, number>()
  const heldBy = ({ name }: Share) => held.get(name) ?? 0
  const busy = (name: string, most: number): Share => ({
    name,
    maxBytes: most,
    full: { code: 'UPLOADS_UNAVAILABLE', limit: name },
  })
  const one = (kind: 'address' | 'payer', key: string): Share => ({
    name: `${kind} ${key}`,
    maxBytes: maxBytes / oneOf,
    full: { code: 'TOO_MANY_UPLOADS', limit: kind },
  })
  const all = busy('all bodies', maxBytes)
  const uploads = busy('all uploads', maxBytes * uploadsPart)
  const repeats = busy('uploads of known payments', maxBytes / oneOf)

  function take(shares: readonly Share[], bytes: number): void {
    const fullShare = shares.find((share) => heldBy(share) + bytes > share.maxBytes)
    if (fullShare) throw refuse(fullShare)
    log.outages.works(bodyMemory)
    for (const share of shares) held.set(share.name, heldBy(share) + bytes)
  }

  function give(shares: readonly Share[], bytes: number): void {
    for (const share of shares) {
      const left = heldBy(share) - bytes
      // There are as many addresses as callers, so an idle one must not keep memory.
      if (left > 0) held.set(share.name, left)
      else held.delete(share.name)
    }
  }

  function refuse({ full: { code, limit } }: Share): GatewayError {
    const cause = new Error(`the room for ${limit} is full`)
    // One log line for all refusals together: an attacker must not be able to fill the disk with them.
    if (code === 'UPLOADS_UNAVAILABLE') log.outages.failed(bodyMemory, cause)
    const details = { limit, retry_after_seconds: retrySeconds }
    // Closes the connection, or the rest of the body would have to be read first.
    const headers = { 'retry-after': String(retrySeconds), connection: 'close' }
    return new GatewayError(code, details, { cause, headers })
  }

  const sharesOf = (client: string) => [all, one('address', client)]
  const runShares = (client: string) => [...sharesOf(client), uploads]
  const uploadShares = (client: string, payer: string | undefined) => [
    ...runShares(client),
    payer === undefined ? repeats : one('payer', payer),
  ]
  const memory = { sharesOf, runShares, uploadShares, take, give }
  return {
    openRoom: (client) => new Room(client, memory),
    heldBytes: () => heldBy(all),
  }
}

/** The memory that all rooms share. */
interface SharedMemory {
  /** What the body of a call from this address counts for. */
  readonly sharesOf: (client: string) => readonly Share[]
  /** The same of a body that a handler reads. */
  readonly runShares: (client: string) => readonly Share[]
  readonly uploadShares: (client: string, payer: string | undefined) => readonly Share[]
  /** @throws GatewayError UPLOADS_UNAVAILABLE, TOO_MANY_UPLOADS. */
  readonly take: (shares: readonly Share[], bytes: number) => void
  readonly give: (shares: readonly Share[], bytes: number) => void
}

/** A class, because every call has one. */
class Room implements CallRoom {
  readonly #client: () => string
  readonly #memory: SharedMemory
  #shares: readonly Share[] | undefined
  #isUpload = false
  #isRunning = false
  #arrived = 0
  #taken = 0

  constructor(client: () => string, memory: SharedMemory) {
    this.#client = client
    this.#memory = memory
  }

  becomeUpload(payer: string | undefined): void {
    if (this.#taken > 0) return
    this.#isUpload = true
    this.#shares = this.#memory.uploadShares(this.#client(), payer)
  }

  expect(bytes: number): void {
    // Only uploads hold what they announce: a call that proves no payment could otherwise keep the room of
    // others without sending a byte.
    if (this.#isUpload) this.#growTo(bytes)
  }

  arrive(bytes: number): void {
    this.#arrived += bytes
    this.#growTo(this.#arrived)
  }

  beginRun(): void {
    this.#giveBack()
    this.#shares = undefined
    this.#isUpload = false
    this.#isRunning = true
    this.#arrived = 0
  }

  leave(): void {
    this.#giveBack()
    this.#arrived = Number.NEGATIVE_INFINITY
  }

  #giveBack(): void {
    if (this.#shares && this.#taken > 0) this.#memory.give(this.#shares, this.#taken)
    this.#taken = 0
  }

  #growTo(bytes: number): void {
    if (bytes <= this.#taken) return
    this.#shares ??= (this.#isRunning ? this.#memory.runShares : this.#memory.sharesOf)(this.#client())
    this.#memory.take(this.#shares, bytes - this.#taken)
    this.#taken = bytes
  }
}

const bodyMemory: Dependency = {
  name: 'memory for request bodies (MAX_WAITING_BODIES_MB)',
  means: 'calls with a body are refused with 503',
}
