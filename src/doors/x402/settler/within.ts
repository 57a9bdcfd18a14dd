/**
 * Waits for `work` and no longer than `timeoutMs`: a signer elsewhere may hang for as long as its
 * connection lasts, and a settlement must not. The work itself goes on; its result is dropped.
 * @throws Error with `message` when it takes longer.
 */
export async function within<T>(timeoutMs: number, work: Promise<T>, message: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(message)), timeoutMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
