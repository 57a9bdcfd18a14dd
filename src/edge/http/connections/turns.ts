import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Serves the requests of each connection one after the other, and those of different connections by turns. */
export interface Turns {
  readonly serve: RequestListener
  /** The last request that a connection has sent, with its response; undefined before the first. */
  readonly last: (socket: Socket) => Exchange | undefined
  /** Whether a connection is not read because too many of its requests wait. */
  readonly isHeld: (socket: Socket) => boolean
  /** To be called for each connection that is accepted. */
  readonly arrived: () => void
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
 * Here a request waits until the reply before it is sent, so a connection holds one reply. It then waits for a turn of
 * the event loop, in which the requests of other connections are served; a turn begins few of those that waited, since
 * hundreds of connections may have one ready at once. While many wait, the connection is not read. What was read already takes 7 kB a request, so when too many wait on all connections together, those with the long
 * queues are closed. None of their waiting requests has begun, so their clients can send them again.
 */
export function takeTurns(serve: RequestListener): Turns {
  const lanes = new WeakMap<Socket, Lane>()
  const all = { waiting: 0, ready: new Ready() }
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
      // Node gives a response its socket once all responses before it are sent.
      if (res.socket) serve(req, res)
      else lane.wait(res, () => serve(req, res))
    },
    last: (socket) => lanes.get(socket)?.last,
    isHeld: (socket) => lanes.get(socket)?.isHeld ?? false,
    arrived: () => all.ready.arrived(),
  }
}

/** Beyond so many waiting requests a connection is not read. Clients that pipeline send ten or so. */
const maxWaiting = 16
/** Of all connections together. */
const maxWaitingOfAll = 10_000

/** In one turn of the event loop, of all connections together: together they take less than a millisecond. */
const maxBegunPerTurn = 4

interface AllLanes {
  waiting: number
  readonly ready: Ready
}

/** The requests of one connection. */
class Lane {
  last: Exchange | undefined
  isHeld = false
  readonly #socket: Socket
  readonly #all: AllLanes
  #waiting = 0
  #isFollowed = false

  constructor(socket: Socket, all: AllLanes) {
    this.#socket = socket
    this.#all = all
  }

  /** Calls `begin` when all earlier replies are sent. It is never called when the connection closes before. */
  wait(res: ServerResponse, begin: () => void): void {
    const isLong = this.#waiting >= maxWaiting
    if (isLong && this.#all.waiting >= maxWaitingOfAll) this.#socket.destroy()
    // Node hands over the rest of what it has read, also of a connection that is closed.
    if (this.#socket.destroyed) return
    this.#count(1)
    if (isLong) this.#hold()
    res.once('socket', () => {
      this.#count(-1)
      if (this.#waiting === 0) this.#release()
      this.#all.ready.add(() => {
        // A fault in its body may have been answered meanwhile (`broken-requests.ts`).
        if (!res.destroyed && !res.headersSent) begin()
      })
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
    // Node reads on by itself after a reply that the client took slowly.
    this.#socket.on('resume', () => {
      if (this.isHeld) this.#socket.pause()
    })
  }

  #hold(): void {
    this.isHeld = true
    this.#socket.pause()
  }

  #release(): void {
    if (!this.isHeld) return
    this.isHeld = false
    this.#socket.resume()
  }
}

/** Requests whose turn has come. They begin in the order in which they were added. */
class Ready {
  readonly #begins: (() => void)[] = []
  #next: NodeJS.Immediate | undefined
  #hasArrivals = false

  add(begin: () => void): void {
    this.#begins.push(begin)
    this.#next ??= setImmediate(this.#begin)
  }

  /** A connection was accepted in this turn. Node accepts one a turn, so others wait until this turn is over. */
  arrived(): void {
    this.#hasArrivals = true
  }

  readonly #begin = (): void => {
    const most = this.#hasArrivals ? 1 : maxBegunPerTurn
    this.#hasArrivals = false
    this.#next = this.#begins.length > most ? setImmediate(this.#begin) : undefined
    for (const begin of this.#begins.splice(0, most)) begin()
  }
}
