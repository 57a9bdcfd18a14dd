import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'
import type { Held } from '../servers/rpc-proxy.ts'
import { createSplitter, createStatementReader } from './store-wire.ts'

/**
 * A PostgreSQL server in front of the run's own that stops a gateway at a write into the books: before
 * the server has seen it, or when it is written and the gateway does not know yet. A gateway that is
 * killed there has died at exactly that point of a payment's life. What a dead gateway left here is
 * dropped, as it is when a machine dies with unsent bytes.
 */
export interface StoreProxy {
  /** Address of the database by way of this proxy. */
  readonly url: string
  /** Holds the next write of a payment into this state; the server does not get it before it is released. */
  holdWrite(state: string): Held
  /** Lets the next write into this state through, and holds the server's answer to it. */
  holdAnswer(state: string): Held
  /** Breaks every connection, as a network does. */
  cut(): void
  /** How often that was done. */
  readonly cuts: number
  /** Breaks every connection and takes no new one, as a server does that is down. */
  shut(): void
  open(): void
  close(): Promise<void>
}

interface Hold {
  readonly state: string
  readonly what: 'write' | 'answer'
  readonly reached: () => void
  readonly ended: Promise<'released' | 'dropped'>
}

/** @param databaseUrl of a database on a server that asks for no TLS. */
export async function startStoreProxy(databaseUrl: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const holds = new Set<Hold>()
  const clients = new Set<Socket>()

  let isShut = false

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
        // Ready for the next query: only now is the write committed.
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
    // Whichever end breaks, the other sees its connection break.
    for (const socket of [client, store]) socket.setNoDelay(true).on('error', end).on('close', end)
  })

  function take(states: readonly string[]): Hold | undefined {
    const hold = [...holds].find(({ state }) => states.includes(state))
    if (hold) holds.delete(hold)
    return hold
  }

  function hold(state: string, what: Hold['what']): Held {
    const reached = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<'released' | 'dropped'>()
    const wanted = { state, what, reached: reached.resolve, ended: ended.promise }
    holds.add(wanted)
    const end = (how: 'released' | 'dropped') => {
      holds.delete(wanted)
      ended.resolve(how)
    }
    return { reached: reached.promise, release: () => end('released'), drop: () => end('dropped') }
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

/** Passes bytes on to a socket, in order, except while it is shut. */
function createValve(socket: Socket) {
  let waiting: Buffer[] | undefined
  return {
    pass(bytes: Buffer): void {
      if (waiting) waiting.push(bytes)
      else socket.write(bytes)
    },
    /** Bytes that were dropped leave a connection nobody can follow, so it ends with them. */
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
