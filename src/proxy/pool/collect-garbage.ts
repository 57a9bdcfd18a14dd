/**
 * Node reads every piece of a stream into a buffer of its own, and V8 lets 64 MB of those that nobody needs any more
 * lie before it looks through its whole heap for them. To look at what is young alone takes it about a millisecond
 * and finds nearly all. So whoever passes a stream on has that done as it goes; without Node's flag `--expose-gc`,
 * with which npm start runs the gateway, V8 goes its own way.
 */
const maxSpent = 8_000_000
let spent = 0

/** @param bytes of a stream that have been read and go on to somebody else. */
export function countGarbage(bytes: number): void {
  spent += bytes
  if (spent < maxSpent) return
  spent = 0
  globalThis.gc?.({ type: 'minor' })
}
