import { z } from 'zod'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { type Endpoint, type HandlerContext, noBody, noQuery } from '../core/endpoint.ts'
import type { Log } from '../core/log.ts'
import type { Reply } from '../core/reply.ts'
import type { Pool } from './pool/upstream-reply.ts'
import type { RouteEntry } from './routes/route-pattern.ts'
import { createRouteTable, type Preflight, type Routed, type RouteTable } from './routes/route-table.ts'

/** The upstreams of the catalogue in use, as endpoints like any other. */
export interface Upstreams {
  /**
   * Finds what a request leads to, in the catalogue as it stands now.
   * @returns undefined when it leads to no upstream.
   * @throws GatewayError PATH_AMBIGUOUS, NOT_FOUND, METHOD_NOT_ALLOWED.
   */
  find(request: Request): Found | Preflight | undefined
  /** What all of them offer, for documents and for whoever asks what a call would meet. */
  endpoints(): readonly Endpoint[]
  close(): Promise<void>
}

interface Request {
  readonly method: string
  /** As received. */
  readonly target: string
  readonly host: string | undefined
}

interface Found extends Routed {
  readonly endpoint: Endpoint
}

interface UpstreamsOptions {
  readonly catalog: () => Catalog
  readonly openPool: (name: string, upstream: Upstream) => Promise<Pool>
  readonly forward: (routed: Routed, pool: Pool, context: HandlerContext) => Promise<Reply>
  readonly log: Log
}

export function createUpstreams({ catalog, openPool, forward, log }: UpstreamsOptions): Upstreams {
  let inUse: { readonly catalog: Catalog; readonly table: RouteTable } | undefined
  /** By what the catalogue says of an upstream: one that a reload leaves as it is keeps its connections. */
  const pools = new Map<string, Promise<Pool>>()
  const closing = new Set<Promise<void>>()

  function table(): RouteTable {
    const current = catalog()
    if (inUse?.catalog === current) return inUse.table
    inUse = { catalog: current, table: createRouteTable(current) }
    const wanted = new Set(Object.entries(current.upstreams).map(([name, upstream]) => keyOf(name, upstream)))
    for (const [key, pool] of pools) {
      if (wanted.has(key)) continue
      pools.delete(key)
      closePool(pool)
    }
    return inUse.table
  }

  function poolOf({ upstreamName, upstream }: RouteEntry): Promise<Pool> {
    const key = keyOf(upstreamName, upstream)
    let pool = pools.get(key)
    if (!pool) {
      pool = openPool(upstreamName, upstream)
      pools.set(key, pool)
      // Asked again the next time: a certificate that cannot be read now may be mended.
      pool.catch(() => pools.delete(key))
    }
    return pool
  }

  /** Waits for the calls under way, while others go on. */
  function closePool(pool: Promise<Pool>): void {
    const closed = pool
      .then((opened) => opened.close())
      .catch((error: unknown) =>
        log.error({ err: error }, 'the connections of an upstream could not be closed'),
      )
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  return {
    find({ method, target, host }) {
      const routed = table().find(method, host, target)
      if (routed?.kind !== 'routed') return routed
      const endpoint = endpointOf(routed, method === 'HEAD' ? 'GET' : method, async (context) =>
        forward(routed, await poolOf(routed), context),
      )
      return { ...routed, endpoint }
    },

    endpoints: () =>
      table()
        .routes()
        .flatMap((entry) => entry.route.methods.map((method) => endpointOf(entry, method, notCalled))),

    async close() {
      for (const pool of pools.values()) closePool(pool)
      pools.clear()
      await Promise.all(closing)
    },
  }
}

const keys = new WeakMap<Upstream, string>()

function keyOf(name: string, upstream: Upstream): string {
  const known = keys.get(upstream)
  if (known !== undefined) return known
  const key = `${name} ${JSON.stringify(upstream)}`
  keys.set(upstream, key)
  return key
}

function endpointOf(
  { id, upstreamName, upstream, route }: RouteEntry,
  method: string,
  run: (context: HandlerContext) => Promise<Reply>,
): Endpoint {
  return {
    id,
    method,
    path: `${upstream.prefix ?? ''}${route.path}`,
    relays: {
      upstream: upstreamName,
      host: upstream.host,
      maxRequestBytes: upstream.maxRequestBytes,
    },
    params: anything,
    query: noQuery,
    body: noBody,
    response: anyReply,
    // What an upstream is told is not ours to check.
    prepare: () => run,
  }
}

// Made once: to make a schema takes as long as half of what else is done to find a route.
const anything = z.looseObject({})
const anyReply = z.unknown()

async function notCalled(): Promise<never> {
  throw new Error('an endpoint that only stands in a document was called')
}
