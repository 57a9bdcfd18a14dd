import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import type { ReplyHead } from './contract.ts'

/** How many bytes of a reply are read for counting. The rest counts in proportion. */
export const maxReadBytes = 10_000_000

/** Media type without parameters, in lower case; empty when the reply names none. */
export function mediaTypeOf({ headers }: Pick<ReplyHead, 'headers'>): string {
  return headers['content-type']?.[0]?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** The content encodings of a body, joined with commas; undefined when it is not compressed. */
export function encodingOf({ headers }: Pick<ReplyHead, 'headers'>): string | undefined {
  const layers = (headers['content-encoding'] ?? [])
    .flatMap((line) => line.toLowerCase().split(','))
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  return layers.length === 0 ? undefined : layers.join(',')
}

/**
 * Decompresses a copy of the bytes a caller got, which may be only the beginning of the body. The gateway
 * asks for no compression, so this is for upstreams that compress anyway.
 *
 * @returns undefined when the bytes cannot be decompressed within the limits: a small body can expand to
 *   gigabytes.
 */
export function decode(bytes: Uint8Array, encoding: string | undefined): Uint8Array | undefined {
  if (encoding === undefined) return bytes
  const decompress = decoders[encoding]
  if (!decompress || bytes.length === 0) return undefined
  const maxOutputLength = Math.min(maxReadBytes, Math.max(minBytesForRatio, bytes.length * maxRatio))
  try {
    return decompress(bytes, maxOutputLength)
  } catch {
    // The caller gets the bytes as they came; the count falls back to their length.
    return undefined
  }
}

const maxRatio = 100
/** Smaller outputs may exceed the ratio. */
const minBytesForRatio = 65_536

type Decoder = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array

const ofZlib =
  (decompress: (bytes: Uint8Array, options: ZlibOptions) => Uint8Array): Decoder =>
  (bytes, maxOutputLength) =>
    decompress(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })

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
      // 8 MB, the limit of https://www.rfc-editor.org/rfc/rfc9659; a stream may ask for far more memory.
      params: { [constants.ZSTD_d_windowLogMax]: 23 },
    }),
}
