/** Work that no call waits for any more. Whoever closes what it needs waits for it first. */
export interface UnderWay {
  /** @param work never rejects: nobody would be there to hear of it. */
  add(work: Promise<unknown>): void
  /** Resolves when nothing is under way, nor anything that was begun meanwhile. */
  idle(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const open = new Set<Promise<unknown>>()
  return {
    add(work) {
      open.add(work)
      void work.finally(() => open.delete(work))
    },
    async idle() {
      while (open.size > 0) await Promise.all(open)
    },
  }
}
