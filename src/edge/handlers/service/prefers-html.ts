import Negotiator from 'negotiator'

/** The form that an Accept header prefers, where a page has markdown as well. */
export function preferredForm(accept: string): 'json' | 'html' | 'markdown' {
  const forms = { 'application/json': 'json', 'text/html': 'html', 'text/markdown': 'markdown' } as const
  const chosen = new Negotiator({ headers: { accept } }).mediaType(Object.keys(forms))
  return Object.entries(forms).find(([type]) => type === chosen)?.[1] ?? 'json'
}

/** Whether an Accept header prefers markdown to a page. A caller without a preference gets the page. */
export function prefersMarkdown(accept: string): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['text/html', 'text/markdown']) === 'text/markdown'
}

/**
 * Whether an Accept header prefers HTML to JSON (RFC 9110 section 12.5.1). A caller without a preference gets JSON, as
 * programs expect.
 */
export function prefersHtml(accept: string): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
}
