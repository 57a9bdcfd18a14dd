import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Arrivals } from './arrivals.ts'
import { Entrance } from './entrance.ts'
import { Reading } from './reading.ts'

/** Serves the requests of each connection one after the other, and those of different connections by turns. */
export interface Turns {
  readonly serve: RequestListener
  /** The last request that a connection has sent, with its response; undefined before the first. */
  readonly last: (socket: Socket) => Exchange | undefined
  /** Whether a connection is not read for now. */
  readonly isUnread: (socket: Socket) => boolean
  /** To be called for each connection that is accepted. */
  readonly arrived: (socket: Socket) => void
  /** To be called for the work that the body of a request makes. */
  readonly bodyWorked: (socket: Socket) => void
  /** To be called for a connection that becomes a tunnel. */
  readonly left: (socket: Socket) => void
}

export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/**
 * A client may send many requests at once on one connection (pipelining). Node reads 64 kB of them, up to 2,500
 * requests, and hands over all of them before anything else runs: 5,000 small requests for a document of 185 kB held
 * up every other caller for seconds, and a client that did not read filled the memory with replies.
 *
 * Here a request waits until the reply before it is sent, so a connection holds one reply. It then begins by turns with
 * those of other connections (`entrance.ts`). While many wait, the connection is not read. What was read already takes
 * 7 kB a request, so when too many wait on all connections together, those with the long queues are closed. None of
 * their waiting requests has begun, so their clients can send them again.
 */
export function takeTurns(serve: RequestListener): Turns {
  const lanes = new WeakMap<Socket, Lane>()
  const arrivals = new Arrivals()
  const reading = new Reading(arrivals, (socket) => {
    const res = lanes.get(socket)?.last?.res
    if (!res) return 'first reply'
    return res.writableFinished ? 'nothing' : 'reply'
  })
  const entrance = new Entrance(arrivals)
  const all = { waiting: 0, entrance, reading }
  const laneOf = (socket: Socket) => {
    const known = lanes.get(socket)
    if (known) return known
    const lane = new Lane(socket, all)
    lanes.set(socket, lane)
    return lane
  }
  return {
    serve(req, res) {
      const lane = laneOf(req.socket)
      lane.last = { req, res }
      reading.worked(req.socket)
      // Node gives a response its socket once all responses before it are sent.
      if (res.socket) entrance.enter(req, res, () => serve(req, res))
      else lane.wait(req, res, () => serve(req, res))
    },
    last: (socket) => lanes.get(socket)?.last,
    isUnread: (socket) => reading.isUnread(socket),
    arrived(socket) {
      arrivals.add()
      reading.arrived(socket)
    },
    bodyWorked: (socket) => reading.worked(socket, true),
    left: (socket) => reading.forget(socket),
  }
}

/** Beyond so many waiting requests a connection is not read. Clients that pipeline send ten or so. */
const maxWaiting = 16
/** Of all connections together. */
const maxWaitingOfAll = 10_000

interface AllLanes {
  waiting: number
  readonly entrance: Entrance
  readonly reading: Reading
}

/** The requests of one connection. */
class Lane {
  last: Exchange | undefined
  readonly #socket: Socket
  readonly #all: AllLanes
  #waiting = 0
  #isFollowed = false

  constructor(socket: Socket, all: AllLanes) {
    this.#socket = socket
    this.#all = all
  }

  /** Calls `begin` when all earlier replies are sent. It is never called when the connection closes before. */
  wait(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
    const isLong = this.#waiting >= maxWaiting
    if (isLong && this.#all.waiting >= maxWaitingOfAll) this.#socket.destroy()
    // Node hands over the rest of what it has read, also of a connection that is closed.
    if (this.#socket.destroyed) return
    this.#count(1)
    if (isLong) this.#all.reading.hold(this.#socket)
    res.once('socket', () => {
      this.#count(-1)
      if (this.#waiting === 0) this.#all.reading.release(this.#socket)
      this.#all.entrance.add(req, res, begin)
    })
  }

  #count(change: 1 | -1): void {
    this.#waiting += change
    this.#all.waiting += change
    if (this.#isFollowed) return
    this.#isFollowed = true
    this.#socket.once('close', () => {
      this.#all.waiting -= this.#waiting
      this.#waiting = 0
    })
  }
}
