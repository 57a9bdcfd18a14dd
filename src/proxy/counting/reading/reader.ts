import type { Log } from '../../../core/log.ts'
import { FairThread, maxHereBytes } from '../../../platform/threads/fair-thread.ts'
import { type Read, type ReadingResults, type ReadingTasks, readings } from './readings.ts'

/** Reads the bodies of all callers to count them: small ones at once, the others in one thread. */
export interface CountingReader {
  /** @param caller the caller whose bodies they are: callers take turns. */
  of(caller: string): Read
  close(): Promise<void>
}

export function createCountingReader(log: Log): CountingReader {
  const thread = new FairThread(
    {
      program: new URL('thread.ts', import.meta.url),
      // Two seconds of work at most, but on busy processors this thread gets little of them.
      limitMs: 20_000,
      maxHeapMb: 160,
      waitingBytes: 128_000_000,
      waitingBytesPerCaller: 40_000_000,
      work: 'counts bodies',
    },
    log,
  )

  async function inThread<Name extends keyof ReadingTasks>(
    caller: string,
    name: Name,
    task: ReadingTasks[Name],
  ): Promise<ReadingResults[Name] | undefined> {
    try {
      return await thread.run<ReadingResults[Name]>(caller, name, task)
    } catch (error) {
      // It takes too much time or memory, or its caller has too many that wait. The count goes on without it,
      // by the rule for bodies that cannot be read: an error thrown here would leave the call uncharged.
      log.debug({ err: error, caller }, 'a body could not be read for counting')
      return undefined
    }
  }

  return {
    of: (caller) => (name, task) => (isReadHere(task) ? readHere(name, task) : inThread(caller, name, task)),
    close: () => thread.close(),
  }
}

/** Reads any body at once. */
export const readHere = <Name extends keyof ReadingTasks>(
  name: Name,
  task: ReadingTasks[Name],
): ReadingResults[Name] => readings[name](task)

/** A small body can become a large one when it is decompressed. */
function isReadHere(task: { readonly bytes: Uint8Array; readonly encoding?: string | undefined }): boolean {
  return task.bytes.byteLength <= maxHereBytes && task.encoding === undefined
}
