import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ground } from '../case.ts'

/** A bare connection, for requests that no HTTP client sends. */
export interface RawConnection {
  /** @param requests how many requests begin in these bytes. */
  send(bytes: string | Uint8Array, requests?: number): void
  /** Waits until so many replies have begun, the connection has ended, or the time is over. */
  replies(times: number, patienceMs: number): Promise<void>
  /** Waits until so many bytes have come, the connection has ended, or the time is over. */
  bytes(count: number, patienceMs: number): Promise<void>
  /** Waits until the gateway has ended the connection, or the time is over. */
  ended(patienceMs: number): Promise<void>
  readonly receivedBytes: number
  /** The status of the last reply that has begun; empty for none. */
  readonly lastStatus: string
  close(): void
}

interface RawOptions {
  /** The local address that it comes from; the attacker's first one when left out. */
  readonly from?: string
  /** `false`: nothing is ever read, so the replies stay with the gateway. */
  readonly isReading?: boolean
}

/** How often a wait looks. */
const lookMs = 5

/** @throws Error when the gateway does not accept the connection. */
export async function openRaw(
  { url, tally, addressOf }: Pick<Ground, 'addressOf' | 'tally' | 'url'>,
  { from = addressOf(0), isReading = true }: RawOptions = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true })
  const state = { replies: 0, bytes: 0, isOpen: true, tail: '', lastStatus: '' }
  // A refused connection rejects below; a later break shows as replies that did not come.
  socket.on('error', () => undefined)
  socket.once('close', () => {
    state.isOpen = false
  })
  await once(socket, 'connect')
  if (isReading) socket.on('data', (chunk) => count(chunk))

  function count(chunk: Buffer): void {
    state.bytes += chunk.byteLength
    tally.received(chunk.byteLength)
    const text = state.tail + chunk.toString('latin1')
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)) {
      // Interim replies come before the reply.
      if (status.startsWith('1') && status !== '101') continue
      state.replies += 1
      state.lastStatus = status
      tally.answered(status)
    }
    // One character shorter than what is looked for, so nothing is counted twice.
    state.tail = text.slice(-12)
  }

  async function until(holds: () => boolean, patienceMs: number): Promise<void> {
    const deadline = performance.now() + patienceMs
    while (!holds() && state.isOpen && performance.now() < deadline) await pause(lookMs)
  }

  return {
    send(bytes, requests = 0) {
      tally.sent(Buffer.byteLength(bytes), requests)
      if (state.isOpen) socket.write(bytes)
    },
    replies: (times, patienceMs) => until(() => state.replies >= times, patienceMs),
    bytes: (wanted, patienceMs) => until(() => state.bytes >= wanted, patienceMs),
    ended: (patienceMs) => until(() => false, patienceMs),
    get receivedBytes() {
      return state.bytes
    },
    get lastStatus() {
      return state.lastStatus
    },
    close: () => socket.destroy(),
  }
}
