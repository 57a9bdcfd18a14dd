/**
 * A copy of what goes by, up to a limit. It grows by doubling: a list of the chunks themselves would be many times
 * as large as the bytes in them when an upstream sends them one by one.
 */
export interface KeptBytes {
  /** Keeps as much of the chunk as there is room for. */
  push(chunk: Uint8Array): void
  /** A view of what is kept, good until the next push or clear. */
  bytes(): Uint8Array
  /** Of all that was pushed, kept or not. */
  length(): number
  clear(): void
}

export function keepBytes(maxBytes: number): KeptBytes {
  let buffer = new Uint8Array()
  let used = 0
  let length = 0
  return {
    push(chunk) {
      length += chunk.length
      const taken = chunk.subarray(0, maxBytes - used)
      if (used + taken.length > buffer.length) {
        const larger = new Uint8Array(
          Math.min(maxBytes, Math.max(4_096, 2 * buffer.length, used + taken.length)),
        )
        larger.set(buffer.subarray(0, used))
        buffer = larger
      }
      buffer.set(taken, used)
      used += taken.length
    },
    bytes: () => buffer.subarray(0, used),
    length: () => length,
    clear() {
      used = 0
      length = 0
    },
  }
}
