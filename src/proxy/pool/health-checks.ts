import type { Dispatcher } from 'undici'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import type { TargetHealth } from './health.ts'

/**
 * Requests the health path of each target at an interval, so that a failing target is found before a caller
 * meets it. Does nothing where the catalog names no path.
 */
export function startHealthChecks(
  targets: readonly {
    readonly basePath: string
    readonly connections: Dispatcher
    readonly health: TargetHealth
  }[],
  { health: { path, everySeconds }, connectSeconds, firstByteSeconds }: Upstream,
): { readonly stop: () => void } {
  if (path === undefined) return { stop: () => undefined }
  const stopped = new AbortController()
  const timeoutMs = (connectSeconds + firstByteSeconds) * 1_000
  let timer: NodeJS.Timeout | undefined

  const checkAll = async () => {
    await Promise.all(
      targets.map(async ({ basePath, connections, health }) => {
        const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)])
        const isGood = await isHealthy(connections, basePath + path, signal)
        if (!stopped.signal.aborted) health.checked(isGood)
      }),
    )
    // The interval starts after the round: rounds of a slow target would pile up otherwise.
    if (!stopped.signal.aborted) timer = setTimeout(checkAll, everySeconds * 1_000).unref()
  }
  void checkAll()
  return {
    stop() {
      stopped.abort()
      clearTimeout(timer)
    },
  }
}

async function isHealthy(connections: Dispatcher, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const headers = { accept: '*/*', 'user-agent': 'tollgate' }
    const { statusCode, body } = await connections.request({ path, method: 'GET', headers, signal })
    // Reading a short body keeps the connection; a longer one closes it.
    await body.dump({ limit: 16_384 })
    return statusCode >= 200 && statusCode < 300
  } catch {
    // Every failure means the same to a health check.
    return false
  }
}
