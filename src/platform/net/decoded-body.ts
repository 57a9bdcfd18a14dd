import { PassThrough, type Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { BodyTooLarge, concat, limitBytes } from './body.ts'
import { errorCode, FetchFailure } from './fetch-error.ts'

/**
 * Reads a body from an untrusted server and decompresses it. A small compressed body can expand to gigabytes,
 * so it is decompressed piece by piece, and the bytes are counted on both sides. The piece that exceeds a
 * limit closes the connection.
 *
 * @returns at most `maxBytes`, after decompression; `wireBytes` counts them before
 * @throws FetchFailure `too_large` unless the body may be cut; `encoding`
 */
export async function readDecodedBody(
  stream: Readable,
  contentEncoding: string,
  { maxBytes, isCutAllowed }: { readonly maxBytes: number; readonly isCutAllowed: boolean },
): Promise<{ body: Uint8Array; isCut: boolean; wireBytes: number }> {
  const decoder = createDecoder(contentEncoding)
  const kept: Uint8Array[] = []
  let wireBytes = 0
  let isCut = false

  async function* limitWire(chunks: AsyncIterable<Buffer>) {
    try {
      for await (const chunk of limitBytes(chunks, maxWireBytes(maxBytes))) {
        wireBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      if (!isCutAllowed || !(error instanceof BodyTooLarge)) throw error
      // A regular end makes the decoder hand out all it has, however the network split the body.
      isCut = true
    }
  }
  async function* limitRatio(chunks: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > minBytesForRatio && bytes > wireBytes * maxRatio) throw bomb
      yield chunk
    }
  }
  async function keep(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of limitBytes(chunks, maxBytes)) kept.push(chunk)
  }

  try {
    await pipeline(stream, limitWire, decoder, limitRatio, keep)
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      if (!isCutAllowed) throw bodyTooLarge(maxBytes)
      isCut = true
    } else if (error === bomb)
      throw new FetchFailure('encoding', 'The body is compressed beyond all measure.')
    else if (!isOfDecoder(error)) throw error
    // A body that was cut has no valid end. An empty one is not valid gzip, but some servers send it.
    else if (wireBytes > 0 && !isCut)
      throw new FetchFailure('encoding', `The body is not valid ${contentEncoding}.`, { cause: error })
  }
  return { body: concat(kept), isCut, wireBytes }
}

export function bodyTooLarge(maxBytes: number): FetchFailure {
  return new FetchFailure('too_large', `The answer is larger than ${maxBytes} bytes.`)
}

/**
 * How many bytes may come in for so many after decompression: half of them, yet at least 5 MB, so that only
 * the size itself limits an uncompressed body of up to 5 MB. The kilobyte is for the framing of what does not
 * compress.
 */
export function maxWireBytes(maxBytes: number): number {
  return Math.min(maxBytes, Math.max(5_000_000, maxBytes / 2)) + 1_024
}

function createDecoder(contentEncoding: string): Transform {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  const [layer, ...more] = layers
  if (more.length > 0) throw new FetchFailure('encoding', 'The body is compressed more than once.')
  switch (layer) {
    case undefined:
      return new PassThrough()
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      // 8 MB, the limit of https://www.rfc-editor.org/rfc/rfc9659; a stream may ask for far more memory.
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })
    default:
      throw new FetchFailure('encoding', 'The body is compressed in a way that was not offered.')
  }
}

/** Whether zlib, Brotli or Zstandard made the error. */
function isOfDecoder(error: unknown): boolean {
  return /^(?:Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(errorCode(error) ?? '')
}

const bomb = new Error('compressed beyond all measure')
/** Pages of a megabyte compress to a twentieth, long sitemaps to a fiftieth. */
const maxRatio = 100
/** Smaller bodies may exceed the ratio: a short body of one repeated character is harmless. */
const minBytesForRatio = 64 * 1_024
