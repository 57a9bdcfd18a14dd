import type { Socket } from 'node:net'
import type { Arrivals } from './arrivals.ts'
import { ClientQueue } from './client-queue.ts'

/** A turn of the event loop that has read for so long reads no other connection. */
const longTurnMs = 6
/** How many connections are read again in a turn: fewer after a long turn, more after a short one. */
const fewest = 4
const most = 512
/** While connections arrive, a turn that reads others is followed by others for so many times as long. */
const passedByArrivals = 4
const maxPassedMs = 50
/** So many connections of which all requests are answered are read again in a turn. */
const idleAtOnce = 64
/** Of so many turns all but one begin with the connections that wait for their first reply. */
const turnsOfNew = 4

/**
 * Reads connections by turns while there is more to read than fits in a short turn of the event loop.
 *
 * Node reads all connections that have sent something, thousands in one turn, before anything else runs. A connection
 * with forty small requests or a thousand small chunks takes a millisecond, and one that ends a tenth of it, so a
 * few hundred that sent or ended together held up every other caller for a quarter of a second. Here the reading of
 * all connections stops once a turn has become long. Then a few of them are read again in each turn, those of
 * different clients by turns; more of them while turns are short. The connections of a crowd are all accepted before
 * most of them are read.
 */
export class Reading {
  readonly #open = new Map<Socket, Reader>()
  /** The connections that are not read for now, by what their callers wait for. */
  readonly #stopped: Readonly<Record<Expecting, ClientQueue<Socket>>> = {
    nothing: new ClientQueue(),
    'first reply': new ClientQueue(),
    reply: new ClientQueue(),
  }
  readonly #expecting: (socket: Socket) => Expecting
  #next: NodeJS.Immediate | undefined
  /** How many connections the next turn reads again. */
  #most = fewest
  /** The connections that are read again in this turn. */
  #again: ReadonlySet<Socket> = new Set()
  /** Those of them whose callers wait for something and that this turn has not read yet. */
  readonly #unread = new Set<Socket>()
  /** How many of those it has read. */
  #read = 0
  /** Until when connections that arrive come first. */
  #passesUntil = 0
  /** When the last turn began. */
  #turnAt = 0
  /** Whether this turn reads more than those whose callers wait for nothing. */
  #hasReadOthers = false
  /** How many turns have done so. */
  #turns = 0
  readonly #arrivals: Arrivals
  /** When the first work of this turn began; undefined before it. */
  #workedAt: number | undefined
  /** Whether this turn has become long. */
  #isLong = false
  /** The connection that is read now, and since when. */
  #current: Socket | undefined
  #currentAt = 0

  constructor(arrivals: Arrivals, expecting: (socket: Socket) => Expecting) {
    this.#arrivals = arrivals
    this.#expecting = expecting
  }

  /** To be called for each connection that is accepted. */
  arrived(socket: Socket): void {
    const reader: Reader = { isHeld: false, isStopped: false }
    this.#open.set(socket, reader)
    socket.once('close', () => this.#open.delete(socket))
    // Node reads on by itself after a body or a reply that was taken slowly, and from the first turn on.
    socket.on('resume', () => {
      if (!reader.isHeld && !reader.isStopped) return
      // Paused between the call of `resume` and its event, it was told so before Node began to read.
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
    socket.on('end', () => this.worked(socket))
    this.worked(socket)
    if (!this.#areAllRead || this.#arrivals.areCrowd) this.#stop(socket, reader)
  }

  /** From now on the connection belongs to a tunnel. */
  forget(socket: Socket): void {
    this.#open.delete(socket)
  }

  /**
   * To be called for each piece of work that a connection has made.
   * @param isInBody whether it is in the middle of a body, so that Node is not about to make a tunnel of it.
   */
  worked(socket: Socket, isInBody = false): void {
    const now = performance.now()
    if (socket !== this.#current) {
      this.#charge(now)
      this.#current = socket
      if (this.#unread.delete(socket)) this.#read += 1
    }
    if (this.#workedAt === undefined) {
      this.#workedAt = now
      setImmediate(this.#endTurn)
    } else if (now - this.#workedAt >= longTurnMs) {
      if (!this.#isLong) this.#stopAllBut(isInBody ? undefined : socket)
      this.#isLong = true
      if (this.#read >= fewest) this.#stopUnread()
    }
  }

  /** Does not read the connection until it is released. */
  hold(socket: Socket): void {
    const reader = this.#open.get(socket)
    if (reader) reader.isHeld = true
    socket.pause()
  }

  release(socket: Socket): void {
    const reader = this.#open.get(socket)
    if (!reader?.isHeld) return
    reader.isHeld = false
    if (!reader.isStopped) socket.resume()
  }

  isUnread(socket: Socket): boolean {
    const reader = this.#open.get(socket)
    return reader !== undefined && (reader.isHeld || reader.isStopped)
  }

  readonly #endTurn = (): void => {
    this.#workedAt = undefined
    this.#isLong = false
    this.#charge(performance.now())
    this.#current = undefined
  }

  #charge(now: number): void {
    const ms = now - this.#currentAt
    this.#currentAt = now
    if (!this.#current) return
    for (const queue of Object.values(this.#stopped)) queue.charge(clientOf(this.#current), ms)
  }

  /**
   * Those that were just read again keep their turn, unless they belong to the client that took so long.
   * @param current is in the middle of what it has sent. A connection must not be stopped when it becomes a tunnel.
   */
  #stopAllBut(current: Socket | undefined): void {
    const slow = this.#current && clientOf(this.#current)
    for (const [socket, reader] of this.#open) {
      // Node reads a paused one again itself, when what it has sent is taken.
      if (socket === current || reader.isStopped || socket.isPaused()) continue
      if (!this.#again.has(socket) || clientOf(socket) === slow) this.#stop(socket, reader)
    }
  }

  /** They were given their turn while those before them had sent nothing, or little. They come first in the next one. */
  #stopUnread(): void {
    const stopped: Socket[] = []
    for (const socket of this.#unread) {
      const reader = this.#open.get(socket)
      if (!reader || reader.isStopped || socket.isPaused()) continue
      reader.isStopped = true
      socket.pause()
      stopped.push(socket)
    }
    this.#unread.clear()
    if (stopped.length === 0) return
    for (const [expecting, those] of Map.groupBy(stopped, this.#expecting))
      this.#stopped[expecting].putBack(Map.groupBy(those, clientOf))
    this.#planTurn()
  }

  #stop(socket: Socket, reader: Reader): void {
    reader.isStopped = true
    socket.pause()
    this.#stopped[this.#expecting(socket)].add(clientOf(socket), socket)
    this.#planTurn()
  }

  #planTurn(): void {
    if (this.#next) return
    this.#most = fewest
    this.#turnAt = performance.now()
    this.#next = setImmediate(this.#takeTurn)
  }

  readonly #takeTurn = (): void => {
    const now = performance.now()
    this.#charge(now)
    const ms = now - this.#turnAt
    this.#turnAt = now
    if (this.#hasReadOthers) {
      this.#most = ms > longTurnMs ? Math.max(fewest, this.#most / 2) : Math.min(most, this.#most * 2)
      this.#passesUntil = now + Math.min(ms * passedByArrivals, maxPassedMs)
    }
    // Nearly all of those whose callers wait for nothing have sent nothing, so they take no time.
    const idle = this.#stopped.nothing.take(idleAtOnce)
    const others = this.#arrivals.areOn && now < this.#passesUntil ? [] : this.#takeOthers()
    this.#hasReadOthers = others.length > 0
    this.#again = new Set([...idle, ...others])
    this.#read = 0
    this.#unread.clear()
    for (const socket of others) this.#unread.add(socket)
    for (const socket of this.#again) this.#readAgain(socket)
    this.#next = this.#areAllRead ? undefined : setImmediate(this.#takeTurn)
  }

  get #areAllRead(): boolean {
    return Object.values(this.#stopped).every(({ isEmpty }) => isEmpty)
  }

  #takeOthers(): readonly Socket[] {
    const { areOn } = this.#arrivals
    const { 'first reply': first, reply } = this.#stopped
    const count = areOn ? fewest : this.#most
    this.#turns += 1
    const [one, other] = this.#turns % turnsOfNew === 0 ? [reply, first] : [first, reply]
    const taken = one.take(count, areOn)
    return taken.length < count ? [...taken, ...other.take(count - taken.length, areOn)] : taken
  }

  #readAgain(socket: Socket): void {
    const reader = this.#open.get(socket)
    if (!reader) return
    reader.isStopped = false
    if (!reader.isHeld) socket.resume()
  }
}

/**
 * What the caller of a connection waits for. What the caller sends while a reply is under way is read last: it is the end of
 * the connection, or a request that has to wait for that reply.
 */
export type Expecting = 'nothing' | 'first reply' | 'reply'

interface Reader {
  /** Too many of its requests wait. */
  isHeld: boolean
  /** It waits for its turn. */
  isStopped: boolean
}

/** The balancer's, behind one: what it sends is not read yet. */
function clientOf(socket: Socket): string {
  return socket.remoteAddress ?? ''
}
