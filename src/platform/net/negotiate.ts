import { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { FetchFailure } from './fetch-error.ts'
import { hostOf } from './target.ts'

/**
 * Makes a TLS handshake and closes the connection. The handshake shows which application protocol a server
 * chooses, so a scan can report that a website speaks HTTP/2 though we do not.
 */
export function negotiate(
  connect: buildConnector.connector,
  url: URL,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (url.protocol !== 'https:') {
    throw new FetchFailure('refused', 'Only an https address has a protocol to negotiate.')
  }
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const { host, protocol, port } = url
    connect({ hostname: hostOf(url), host, protocol, port }, (error, socket) => {
      if (error) {
        reject(error)
        return
      }
      socket.destroy()
      const chosen = socket instanceof TLSSocket ? socket.alpnProtocol : false
      resolve(chosen === false || chosen === null ? undefined : chosen)
    })
  })
}
