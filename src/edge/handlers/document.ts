import { createHash } from 'node:crypto'
import type { DocumentHeaders } from '../../core/endpoint.ts'
import type { Reply } from '../../core/reply.ts'

/**
 * A document that everyone gets alike: it is rendered once for each state of its source and served as the same bytes.
 * Rendering the price list takes more than a millisecond, so a caller who asks for it again and again would otherwise
 * hold up all others.
 *
 * Its ETag is the hash of its bytes: replicas and restarts agree on it, and a caller who has the present form gets a
 * 304 without a body.
 * @param source returns the same object until the document has to be rendered again: the catalog in use.
 * @param render writes the document as a reply of status 200, from what the source says now.
 */
export function createDocument(source: () => object, render: () => Reply): RenderedDocument {
  const rendered = oncePer(source, () => tag(render()))
  return (headers) => choose(rendered(), headers)
}

export type RenderedDocument = (headers: Pick<DocumentHeaders, 'ifNoneMatch'>) => Reply

/** A reply of status 200 with its ETag, or 304 without a body for a caller who has the same bytes. */
export function tagged(reply: Reply, headers: Pick<DocumentHeaders, 'ifNoneMatch'>): Reply {
  return choose(tag(reply), headers)
}

interface Tagged {
  readonly etag: string
  readonly whole: Reply
  readonly unchanged: Reply
}

function tag({ headers, ...reply }: Reply): Tagged {
  const etag = `"${createHash('sha256').update(reply.body).digest('base64url')}"`
  const whole: Reply = { ...reply, headers: { ...headers, etag } }
  const { 'content-type': _, ...kept } = whole.headers
  const unchanged: Reply = { status: 304, headers: kept, body: new Uint8Array() }
  return { etag, whole, unchanged }
}

function choose(
  { etag, whole, unchanged }: Tagged,
  { ifNoneMatch }: Pick<DocumentHeaders, 'ifNoneMatch'>,
): Reply {
  return ifNoneMatch !== undefined && matches(ifNoneMatch, etag) ? unchanged : whole
}

/** Makes a value once for each object that `source` returns, and keeps the latest. */
export function oncePer<Source extends object, Made>(
  source: () => Source,
  make: (source: Source) => Made,
): () => Made {
  let latest: { readonly source: Source; readonly made: Made } | undefined
  return () => {
    const now = source()
    if (latest?.source !== now) latest = { source: now, made: make(now) }
    return latest.made
  }
}

/**
 * Compares weakly, as RFC 9110 section 13.1.2 asks: a proxy that compresses a document makes its tag weak.
 * @param list the tags of If-None-Match, or `*`.
 */
function matches(list: string, etag: string): boolean {
  return list.trim() === '*' || (list.match(/"[^"]*"/g)?.includes(etag) ?? false)
}
