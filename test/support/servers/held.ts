import pTimeout from 'p-timeout'
import { patienceMs } from '../patience.ts'

/** Something that a proxy holds back until the test lets it go. */
export interface Held {
  /** Resolves when it waits in the proxy. Rejects, saying what did not come, when that takes too long. */
  readonly reached: Promise<void>
  release(): void
  /** Closes the connection that it came on. */
  drop(): void
}

/** The proxy's side of it. */
export interface Hold {
  readonly reached: () => void
  readonly ended: Promise<'released' | 'dropped'>
}

/** Shorter than a test's own timeout, whose message would not say what was awaited. */

/** @param what is held, for the error. @param end called when it is released or dropped. */
export function holdBack(what: string, end: () => void): { readonly held: Held; readonly hold: Hold } {
  const reached = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<'released' | 'dropped'>()
  const endAs = (how: 'released' | 'dropped') => () => {
    end()
    ended.resolve(how)
  }
  const message = `${what} did not come within ${patienceMs} ms`
  return {
    hold: { reached: reached.resolve, ended: ended.promise },
    held: {
      // A timer only for a test that waits.
      get reached() {
        return pTimeout(reached.promise, { milliseconds: patienceMs, message })
      },
      release: endAs('released'),
      drop: endAs('dropped'),
    },
  }
}
