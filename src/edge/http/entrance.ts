import type { Socket } from 'node:net'
import { clientOf } from '../../gateway/client-address.ts'

/** Lets requests begin: few in one turn of the event loop, and in a crowd client by client. */
export interface Entrance {
  /** To be called for each new connection. */
  accepted(): void
  /** Begins at once, or later in a crowd. */
  enter(socket: Socket, begin: () => void): void
  /** Begins in a later turn of the event loop. */
  wait(socket: Socket, begin: () => void): void
}

/**
 * Node hands over the requests of all connections that have become readable before anything else runs. A thousand
 * connections that send a request at the same time, at 0.3 ms each, would hold up every other caller for 300 ms, so what
 * comes beyond a few requests waits for the next turn. There each waiting client begins one request before any of them
 * begins a second one: a client with one request is served ahead of a client with hundreds.
 *
 * Node accepts one new connection in a turn. Hundreds may wait behind it, so a turn in which one came is kept short.
 */
export function createEntrance(): Entrance {
  /** By client, in the order of their next turns. */
  const waiting = new Map<string, (() => void)[]>()
  let begun = 0
  let mayBegin = perTurn
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    isScheduled = false
    begun = 0
    const most = mayBegin
    mayBegin = perTurn
    // A client that is put back comes up again at the end.
    for (const [client, own] of waiting) {
      if (begun === most) break
      begun += 1
      const begin = own.shift()
      waiting.delete(client)
      if (own.length > 0) waiting.set(client, own)
      begin?.()
    }
    if (waiting.size > 0) schedule()
  }

  function wait(socket: Socket, begin: () => void): void {
    const client = clientOf(socket.remoteAddress ?? '')
    const own = waiting.get(client)
    if (own) own.push(begin)
    else waiting.set(client, [begin])
    schedule()
  }

  return {
    accepted() {
      mayBegin = perTurnOfConnection
      schedule()
    },
    wait,
    enter(socket, begin) {
      if (begun >= mayBegin || waiting.size > 0) {
        wait(socket, begin)
        return
      }
      begun += 1
      // Only a turn with many requests needs to be told from the next one.
      if (begun === perTurn / 2) schedule()
      begin()
    },
  }
}

/** A call without a payment takes 0.1 to 0.3 ms, so they take less than 10 ms. */
const perTurn = 32
/** More than the one request that a new connection brings, so that no requests pile up. */
const perTurnOfConnection = 2
