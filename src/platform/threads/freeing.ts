import { getHeapStatistics } from 'node:v8'

/**
 * Makes a task of a thread give its memory back when it is done. A thread that has read one large body would otherwise
 * keep what that took, beside all other memory of the gateway, until it ends. It needs the flag `--expose-gc` of Node,
 * which `npm start` sets; without it only the bytes of the task are freed.
 *
 * @param run gets bytes that belong to the thread alone, and returns nothing that refers to them.
 */
export function freeing<Task extends { readonly bytes: Uint8Array }, Result>(
  run: (task: Task) => Result,
): (task: Task) => Result {
  return (task) => {
    try {
      return run(task)
    } finally {
      const { buffer } = task.bytes
      if (buffer instanceof ArrayBuffer) buffer.transfer(0)
      freeGarbage()
    }
  }
}

/**
 * Gives back all that this thread can spare, if it has taken much since it last did so. It takes a tenth of a second, so it
 * is not for the thread that answers calls.
 */
export function freeGarbage(): void {
  if (taken() <= Math.max(mostKeptBytes, keptBytes * growth)) return
  globalThis.gc?.(wholeHeap)
  keptBytes = taken()
}

function taken(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

/** What this thread could not spare the last time: the programs that it has loaded. */
let keptBytes = 0
const growth = 1.3
/** About twice what an idle thread has. */
const mostKeptBytes = 40_000_000
/** Frees all that it can, and returns it to the system. */
const wholeHeap = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const
