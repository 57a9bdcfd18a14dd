/**
 * Says in one line why `fetch` failed. fetch reports only "fetch failed" and keeps the reason in `cause`; a host with
 * several addresses fails with one error for each of them.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
