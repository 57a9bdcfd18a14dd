/**
 * Limits the time of one request. A process that was busy runs its expired timers before it reads the replies
 * that came in meanwhile, and would give up an answer that it already has. So the time by which the timer is
 * late is added, up to the timeout.
 */
export function deadlineAfter(timeoutMs: number): AbortSignal {
  const deadline = new AbortController()
  const dueAt = performance.now() + timeoutMs
  const end = () => deadline.abort(new DOMException(`no reply within ${timeoutMs} ms`, 'TimeoutError'))
  setTimeout(() => {
    const lateMs = performance.now() - dueAt
    setTimeout(end, Math.min(Math.max(lateMs, 1), timeoutMs)).unref()
  }, timeoutMs).unref()
  return deadline.signal
}
