import { z } from 'zod'
import type { Catalog } from '../core/catalog/catalog.ts'
import type { Upstream } from '../core/catalog/upstreams.ts'
import { type Endpoint, type HandlerContext, noInput } from '../core/endpoint.ts'
import type { Log } from '../core/log.ts'
import type { Reply } from '../core/reply.ts'
import type { OpenUpstream } from './forward.ts'
import type { RouteEntry } from './routes/route-pattern.ts'
import { createRouteTable, type Preflight, type Routed, type RouteTable } from './routes/route-table.ts'

/** The upstreams of the catalog, as endpoints like any other. */
export interface Upstreams {
  /**
   * Finds the operation of an upstream that a request asks for, in the current catalog.
   *
   * @returns undefined when it leads to no upstream
   * @throws GatewayError PATH_AMBIGUOUS, NOT_FOUND, METHOD_NOT_ALLOWED
   */
  find(request: RequestLine): RoutedEndpoint | Preflight | undefined
  /** The endpoints of all upstreams, for documents. They cannot be called. */
  endpoints(): readonly Endpoint[]
  /** Closes all connections once their calls are over. */
  close(): Promise<void>
}

interface RequestLine {
  readonly method: string
  /** As received. */
  readonly target: string
  readonly host: string | undefined
}

interface RoutedEndpoint extends Routed {
  readonly endpoint: Endpoint
}

interface UpstreamsOptions {
  readonly catalog: () => Catalog
  readonly open: (name: string, upstream: Upstream) => Promise<OpenUpstream>
  readonly forward: (routed: Routed, upstream: OpenUpstream, context: HandlerContext) => Promise<Reply>
  readonly log: Log
}

export function createUpstreams({ catalog, open, forward, log }: UpstreamsOptions): Upstreams {
  let inUse: UpstreamsInUse | undefined
  /**
   * Those with a pool. A call that was routed before a reload may open an upstream that the reload removed.
   */
  const opened = new Set<Connections>()
  const closing = new Set<Promise<void>>()

  function current(): UpstreamsInUse {
    const now = catalog()
    if (inUse?.catalog === now) return inUse
    const connections = new Map(
      Object.entries(now.upstreams).map(([name, upstream]) => {
        const key = JSON.stringify(upstream)
        const earlier = inUse?.connections.get(name)
        // An upstream that a reload does not change keeps its connections.
        return [name, earlier?.key === key ? earlier : new Connections(key, () => open(name, upstream))]
      }),
    )
    inUse = { catalog: now, table: createRouteTable(now), connections }
    const kept = new Set(connections.values())
    for (const one of opened) if (!kept.has(one)) closeConnections(one)
    return inUse
  }

  /** Waits in the background for the running calls. */
  function closeConnections(connections: Connections): void {
    opened.delete(connections)
    const closed = connections
      .close()
      .catch((error: unknown) =>
        log.error({ err: error }, 'the connections of an upstream could not be closed'),
      )
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  return {
    find({ method, target, host }) {
      const { table, connections } = current()
      const routed = table.find(method, host, target)
      if (routed?.kind !== 'routed') return routed
      const ofUpstream = connections.get(routed.upstreamName)
      if (!ofUpstream) throw new Error(`the catalog has no upstream ${routed.upstreamName}`)
      const endpoint = endpointOf(routed, method === 'HEAD' ? 'GET' : method, async (context) => {
        opened.add(ofUpstream)
        return forward(routed, await ofUpstream.open(), context)
      })
      return { ...routed, endpoint }
    },

    endpoints: () =>
      current()
        .table.routes()
        .flatMap((entry) => entry.route.methods.map((method) => endpointOf(entry, method, notCallable))),

    async close() {
      for (const one of opened) closeConnections(one)
      await Promise.all(closing)
    },
  }
}

/** Derived once from each catalog. */
interface UpstreamsInUse {
  readonly catalog: Catalog
  readonly table: RouteTable
  /** By the name of the upstream. */
  readonly connections: ReadonlyMap<string, Connections>
}

/** The connections of one upstream, opened by its first call. */
class Connections {
  /** The upstream's entry in the catalog, as text to compare. */
  readonly key: string
  readonly #open: () => Promise<OpenUpstream>
  #opened: Promise<OpenUpstream> | undefined

  constructor(key: string, open: () => Promise<OpenUpstream>) {
    this.key = key
    this.#open = open
  }

  open(): Promise<OpenUpstream> {
    if (this.#opened) return this.#opened
    const opened = this.#open()
    this.#opened = opened
    // The next call tries again: the operator may have replaced a certificate that could not be read.
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined
    })
    return opened
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await (await opened)?.pool.close()
  }
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
    upstream: {
      name: upstreamName,
      host: upstream.host,
      maxRequestBytes: upstream.maxRequestBytes,
      errorForm: upstream.preset,
    },
    params: anyParams,
    query: noInput.query,
    body: noInput.body,
    response: anyReply,
    // The upstream checks its requests itself.
    prepare: () => run,
  }
}

const anyParams = z.looseObject({})
const anyReply = z.unknown()

async function notCallable(): Promise<never> {
  throw new Error('an endpoint made for a document was called')
}
