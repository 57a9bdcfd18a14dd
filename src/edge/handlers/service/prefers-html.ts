import Negotiator from 'negotiator'

/**
 * Whether an Accept header prefers HTML to JSON (RFC 9110 section 12.5.1). A caller without a preference gets JSON, as
 * programs expect.
 */
export function prefersHtml(accept: string): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
}
