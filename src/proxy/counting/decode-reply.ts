import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import type { ReplyHead } from './contract.ts'

/** What of a reply is read for counting; of more than that the rest is taken to be like the beginning. */
export const maxReadBytes = 10_000_000

/** Media type without parameters, in lower case; empty where none is named. */
export function mediaTypeOf({ headers }: Pick<ReplyHead, 'headers'>): string {
  return headers['content-type']?.[0]?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** How the body is compressed; undefined when it is not. */
export function encodingOf({ headers }: Pick<ReplyHead, 'headers'>): string | undefined {
  const layers = (headers['content-encoding'] ?? [])
    .flatMap((line) => line.toLowerCase().split(','))
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  return layers.length === 0 ? undefined : layers.join(',')
}

/**
 * Unpacks a copy of what a caller got, which may be the beginning of the whole. No compression was asked for, so
 * this is for upstreams that do not mind what they are asked.
 * @returns undefined when it cannot be unpacked, or not within the limits: a small body can be gigabytes.
 */
export function decode(bytes: Uint8Array, encoding: string | undefined): Uint8Array | undefined {
  if (encoding === undefined) return bytes
  const unpack = decoders[encoding]
  if (!unpack || bytes.length === 0) return undefined
  const maxOutputLength = Math.min(maxReadBytes, Math.max(maxBeforeRatio, bytes.length * maxRatio))
  try {
    return unpack(bytes, maxOutputLength)
  } catch {
    // What cannot be read is counted another way, and the caller gets it as it came.
    return undefined
  }
}

const maxRatio = 100
const maxBeforeRatio = 65_536

type Decoder = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array

const ofZlib =
  (unpack: (bytes: Uint8Array, options: ZlibOptions) => Uint8Array): Decoder =>
  (bytes, maxOutputLength) =>
    unpack(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })

const decoders: Readonly<Record<string, Decoder | undefined>> = {
  gzip: ofZlib(gunzipSync),
  'x-gzip': ofZlib(gunzipSync),
  deflate: ofZlib(inflateSync),
  br: (bytes, maxOutputLength) =>
    brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes, maxOutputLength) =>
    zstdDecompressSync(bytes, {
      maxOutputLength,
      finishFlush: constants.ZSTD_e_flush,
      // 8 MB, which RFC 9659 allows; a stream may ask for far more memory.
      params: { [constants.ZSTD_d_windowLogMax]: 23 },
    }),
}
