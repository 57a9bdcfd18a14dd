/** A body is larger than its reader accepts. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'

  constructor(what: string, maxBytes: number) {
    super(`${what} is larger than ${maxBytes} bytes`)
  }
}

/**
 * Reads a whole body up to a limit. Without one, a server that sends without end would fill our memory.
 *
 * @param chunks a Node stream or the body of a `Response`, which comes decompressed and counts so; null for
 *   none. It is destroyed at the first byte too many.
 * @param what is read, for the error
 * @throws BodyTooLarge; the error of the stream
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  what = 'the body',
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = []
  if (chunks !== null) for await (const chunk of limitBytes(chunks, maxBytes, what)) kept.push(chunk)
  return concat(kept)
}

/**
 * Passes on what is within the limit, then destroys the source.
 * @throws BodyTooLarge
 */
export async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  what = 'the body',
): AsyncGenerator<Uint8Array> {
  let room = maxBytes
  for await (const chunk of chunks) {
    if (chunk.length > room) {
      yield chunk.subarray(0, room)
      throw new BodyTooLarge(what, maxBytes)
    }
    room -= chunk.length
    yield chunk
  }
}

/**
 * Joins chunks in a buffer of their own: one from Node's pool would take its neighbors along to a worker
 * thread.
 */
export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
