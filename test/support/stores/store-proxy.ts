import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'
import { type Held, holdBack, type Hold as Waiting } from '../servers/held.ts'
import { createSplitter, createStatementReader } from './store-wire.ts'

/**
 * A proxy in front of PostgreSQL that stops a gateway at a write to the books: before the server gets the
 * write, or before the gateway gets the reply. So a test can kill a gateway at exactly that point of a
 * payment's life. Bytes of a dead gateway are dropped, as when its machine dies before it sends them.
 */
export interface StoreProxy {
  /** Address of the database through this proxy. */
  readonly url: string
  /** Holds the next write of a payment to this state back from the server until it is released. */
  holdWrite(state: string): Held
  /** Passes the next write to this state on, and holds the server's reply back. */
  holdAnswer(state: string): Held
  /** Breaks every connection, like a network failure. */
  cut(): void
  /** The number of cuts. */
  readonly cuts: number
  /** The number of statements that were executed. */
  readonly statements: number
  /** Breaks every connection and accepts no new one, like a server that is down. */
  shut(): void
  open(): void
  close(): Promise<void>
}

interface Hold extends Waiting {
  readonly state: string
  readonly what: 'write' | 'answer'
}

/** @param databaseUrl a database on a server without TLS. */
export async function startStoreProxy(databaseUrl: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const holds = new Set<Hold>()
  const clients = new Set<Socket>()

  let isShut = false
  let statements = 0

  const server = createServer((client) => {
    if (isShut) {
      client.destroy()
      return
    }
    const store = connect(Number(port || 5432), hostname)
    const splitSent = createSplitter('untyped')
    const splitAnswers = createSplitter('typed')
    const statesOf = createStatementReader()
    const toStore = createValve(store)
    const toClient = createValve(client)
    let answering: Hold | undefined

    client.on('data', (chunk) => {
      for (const message of splitSent(chunk)) {
        if (message.type === 'Q' || message.type === 'E') statements += 1
        const hold = take(statesOf(message))
        if (hold?.what === 'write') {
          toStore.shutUntil(hold.ended)
          hold.reached()
        } else if (hold) {
          answering = hold
          toClient.shutUntil(hold.ended)
        }
        toStore.pass(message.bytes)
      }
    })
    store.on('data', (chunk) => {
      for (const { type, bytes } of splitAnswers(chunk)) {
        toClient.pass(bytes)
        // The server is ready for the next query, so the write is committed.
        if (type === 'Z') {
          answering?.reached()
          answering = undefined
        }
      }
    })
    const end = () => {
      clients.delete(client)
      client.destroy()
      store.destroy()
    }
    clients.add(client)
    // When one side breaks, the other side's connection breaks too.
    for (const socket of [client, store]) socket.setNoDelay(true).on('error', end).on('close', end)
  })

  function take(states: readonly string[]): Hold | undefined {
    const hold = [...holds].find(({ state }) => states.includes(state))
    if (hold) holds.delete(hold)
    return hold
  }

  function hold(state: string, what: Hold['what']): Held {
    const { held, hold: waiting } = holdBack(`a ${what} of state ${state}`, () => holds.delete(wanted))
    const wanted = { state, what, ...waiting }
    holds.add(wanted)
    return held
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = z.object({ port: z.number() }).parse(server.address())
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)

  let cuts = 0
  const breakAll = () => {
    for (const client of clients) client.destroy()
  }
  return {
    url: url.href,
    holdWrite: (state) => hold(state, 'write'),
    holdAnswer: (state) => hold(state, 'answer'),
    cut() {
      cuts += 1
      breakAll()
    },
    get cuts() {
      return cuts
    },
    get statements() {
      return statements
    },
    shut() {
      isShut = true
      breakAll()
    },
    open() {
      isShut = false
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Passes bytes to a socket in order, except while it is shut. */
function createValve(socket: Socket) {
  let waiting: Buffer[] | undefined
  return {
    pass(bytes: Buffer): void {
      if (waiting) waiting.push(bytes)
      else socket.write(bytes)
    },
    /** Dropped bytes leave the connection unreadable, so it ends with them. */
    shutUntil(ended: Promise<'released' | 'dropped'>): void {
      waiting = []
      void ended.then((how) => {
        const kept = waiting ?? []
        waiting = undefined
        if (how === 'dropped') socket.destroy()
        else for (const bytes of kept) socket.write(bytes)
      })
    },
  }
}
