import type { HomeDocument } from '../handlers/service/home.ts'
import { type Page, renderPage } from './page.ts'
import type { PricingOverview } from './pricing/document.ts'

/**
 * Renders the page at the gateway's address, for a person who opens it in a browser: what is sold here, how to make a
 * first call, and where everything else is.
 */
export function renderHomePage(overview: PricingOverview, { _links: links }: HomeDocument): Page {
  const found = destinations.flatMap(([name, label]) => {
    const href = links[name]?.href
    return href === undefined ? [] : [{ href, label }]
  })
  return renderPage('home', { ...overview, links: found })
}

/** The links of the document that the page shows, in its order. */
const destinations = [
  ['pricing', 'All prices, free quotas and API keys, and how a call is paid'],
  ['docs', 'The prices as markdown, for language models'],
  ['health', 'Whether the service works, and every endpoint with what it asks of a caller'],
  ['payments', 'Whether payments work, and on which network'],
] as const
