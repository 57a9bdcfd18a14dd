import type { Dispatcher } from 'undici'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { Health } from './health.ts'

/**
 * Asks each target now and then how it is, so that one that fails is found before a caller finds it. Nothing is
 * asked where the catalogue names no path.
 */
export function startChecks(
  targets: readonly { readonly base: string; readonly connections: Dispatcher; readonly health: Health }[],
  { health, connectSeconds, firstByteSeconds }: Upstream,
): { readonly stop: () => void } {
  const { path, everySeconds } = health
  if (path === undefined) return { stop: () => undefined }
  const stopped = new AbortController()
  const longestMs = (connectSeconds + firstByteSeconds) * 1_000
  let timer: NodeJS.Timeout | undefined

  const check = async () => {
    await Promise.all(
      targets.map(async ({ base, connections, health: { checked } }) => {
        const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(longestMs)])
        const isGood = await isWell(connections, base + path, signal)
        if (!stopped.signal.aborted) checked(isGood)
      }),
    )
    // The next round begins when this one is over: rounds of a slow target would pile up.
    if (!stopped.signal.aborted) timer = setTimeout(check, everySeconds * 1_000).unref()
  }
  void check()
  return {
    stop() {
      stopped.abort()
      clearTimeout(timer)
    },
  }
}

/** Whatever keeps a target from answering is an answer to the question. */
async function isWell(connections: Dispatcher, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const headers = { accept: '*/*', 'user-agent': 'tollgate' }
    const { statusCode, body } = await connections.request({ path, method: 'GET', headers, signal })
    // A few bytes are read, which keeps the connection; of more it is the end.
    await body.dump({ limit: 16_384 })
    return statusCode >= 200 && statusCode < 300
  } catch {
    return false
  }
}
