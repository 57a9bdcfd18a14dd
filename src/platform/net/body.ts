import { PassThrough, type Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { errorCode, FetchFailure } from './fetch-error.ts'

/**
 * Reads a body that may want to fill our memory: a small compressed body can be gigabytes when unpacked, and
 * one without compression need not end. So it is unpacked piece by piece, and what comes in and what comes out
 * is counted; the piece that is too much closes the connection.
 */
export async function readBody(
  stream: Readable,
  contentEncoding: string,
  limits: { readonly maxBytes: number; readonly isCutAllowed: boolean },
): Promise<{ body: Uint8Array; isCut: boolean; wireBytes: number }> {
  const decoder = createDecoder(contentEncoding)
  const most = { wire: maxOnWire(limits.maxBytes), decoded: limits.maxBytes }
  const kept: Uint8Array[] = []
  let wireBytes = 0
  let bytes = 0
  let isCut = false

  async function* count(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      const room = most.wire - wireBytes
      wireBytes += chunk.length
      if (wireBytes <= most.wire) yield chunk
      else if (!limits.isCutAllowed) throw overLimit
      else {
        // Ended here and not thrown away: what was read has to come out whole, however it was split on its way.
        isCut = true
        yield chunk.subarray(0, room)
        return
      }
    }
  }
  async function keep(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      kept.push(chunk.subarray(0, most.decoded - bytes))
      bytes += chunk.length
      if (bytes > maxBeforeRatio && bytes > wireBytes * maxRatio) throw bomb
      if (bytes > most.decoded) throw overLimit
    }
  }

  try {
    await pipeline(stream, count, decoder, keep)
  } catch (error) {
    if (error === overLimit && limits.isCutAllowed) isCut = true
    else if (error === overLimit) throw bodyTooLarge(limits.maxBytes)
    else if (error === bomb) throw new FetchFailure('encoding', 'The body is compressed beyond all measure.')
    else if (!isOfDecoder(error)) throw error
    // Nothing at all is no valid gzip, but what some servers send; and one that we cut has no valid end.
    else if (wireBytes > 0 && !isCut) {
      throw new FetchFailure('encoding', `The body is not valid ${contentEncoding}.`, { cause: error })
    }
  }
  return { body: joined(kept), isCut, wireBytes }
}

export function bodyTooLarge(maxBytes: number): FetchFailure {
  return new FetchFailure('too_large', `The answer is larger than ${maxBytes} bytes.`)
}

/**
 * What may come in for so much going out: half of it, yet always 5 MB, so that a body without compression of up
 * to 5 MB is limited by its own size alone. The kilobyte is for the framing of what does not compress.
 */
export function maxOnWire(maxBytes: number): number {
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
      // 8 MB, which https://www.rfc-editor.org/rfc/rfc9659 allows; a stream may ask for far more memory.
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })
    default:
      throw new FetchFailure('encoding', 'The body is compressed in a way that was not offered.')
  }
}

/** A buffer of its own: one from Node's pool would take its neighbours along to another thread. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

/** As zlib, Brotli and Zstandard name their errors. */
function isOfDecoder(error: unknown): boolean {
  return /^(?:Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(errorCode(error) ?? '')
}

const overLimit = new Error('more than is taken')
const bomb = new Error('compressed beyond all measure')
/** Pages of a megabyte compress to a twentieth, long sitemaps to a fiftieth. */
const maxRatio = 100
/** Short bodies of one repeated character are no danger. */
const maxBeforeRatio = 64 * 1_024
