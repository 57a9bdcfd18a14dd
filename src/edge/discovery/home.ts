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
  const url = links.self.href
  return renderPage('home', { ...overview, links: found, url, facts: factsOf(overview, url) })
}

/**
 * The facts of the page for machines (schema.org), as the text of a script element. It is a block of data, which no
 * policy has to allow. With a `<` of the catalog in it, a description could end the element.
 */
function factsOf({ document: { provider, description } }: PricingOverview, url: string): string {
  const organization = { '@type': 'Organization', '@id': `${url}#provider`, name: provider, url, description }
  const website = {
    '@type': 'WebSite',
    '@id': `${url}#website`,
    name: provider,
    url,
    publisher: { '@id': organization['@id'] },
  }
  const graph = { '@context': 'https://schema.org', '@graph': [organization, website] }
  return JSON.stringify(graph).replaceAll('<', '\\u003c')
}

/** The links of the document that the page shows, in its order. */
const destinations = [
  ['pricing', 'All prices, free quotas and API keys, and how a call is paid'],
  ['docs', 'The prices as markdown, for language models'],
  ['health', 'Whether the service works, and every endpoint with what it asks of a caller'],
  ['payments', 'Whether payments work, and on which network'],
] as const
