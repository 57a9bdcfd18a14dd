import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createRandom } from '../../random.ts'
import { jsonOf, type Shape, shapes } from '../attacker/json-bodies.ts'

/** Replies that are small on the wire and large once they are inflated or parsed. */

export const encodings = ['identity', 'gzip', 'br', 'deflate', 'zstd', 'gzip, gzip'] as const
type Encoding = (typeof encodings)[number]

export interface Bomb {
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Uint8Array
}

const made = new Map<string, Bomb>()

/** @param query `shape`, `bytes` (inflated), `encoding` and `seed`. The same query gets the same reply. */
export function bombOf(query: URLSearchParams): Bomb {
  const name = query.toString()
  const known = made.get(name)
  if (known) return known
  // One case uses a few of them; those of earlier cases are not asked for again.
  if (made.size > 20) made.clear()
  const shape = shapes.find((one) => one === query.get('shape')) ?? 'empty-arrays'
  const encoding = encodings.find((one) => one === query.get('encoding')) ?? 'identity'
  const bomb = make(shape, Number(query.get('bytes') ?? 1_000), encoding, query.get('seed') ?? '')
  made.set(name, bomb)
  return bomb
}

function make(shape: Shape, bytes: number, encoding: Encoding, seed: string): Bomb {
  const json = Buffer.from(`{"data":${jsonOf(shape, bytes, createRandom(seed))}}`)
  const body = compressed(json, encoding)
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': body.byteLength,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    body,
  }
}

function compressed(bytes: Buffer, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'identity':
      return bytes
    case 'gzip':
      return gzipSync(bytes)
    case 'gzip, gzip':
      return gzipSync(gzipSync(bytes))
    case 'deflate':
      return deflateSync(bytes)
    case 'br':
      // The default takes a minute for a hundred megabytes.
      return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    case 'zstd':
      return zstdCompressSync(bytes)
  }
}
