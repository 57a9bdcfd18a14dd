import type { Catalog } from '../../core/catalog/catalog.ts'
import type { HomeDocument } from '../handlers/service/home.ts'
import type { HtmlPage } from '../handlers/service/html-page.ts'
import { type Imprint, imprintOf } from './imprint.ts'
import { renderPage } from './page.ts'
import type { PricingOverview } from './pricing/document.ts'
import { type Question, questionsOf } from './questions.ts'

/**
 * Renders the page at the gateway's address, for a person who opens it in a browser: what is sold here, how to make a
 * first call, who runs it, and where everything else is.
 * @param icon address of an image.
 */
export function renderHomePage(
  overview: PricingOverview,
  { provider, icon }: { readonly provider: Catalog['provider']; readonly icon: string },
  { _links: links }: HomeDocument,
): HtmlPage {
  const shown = (destinations: typeof pages) =>
    destinations.flatMap(([name, label]) => {
      const href = links[name]?.href
      return href === undefined ? [] : [{ href, label }]
    })
  const url = links.self.href
  const imprint = imprintOf(provider)
  const questions = questionsOf(overview.document)
  return renderPage('home', {
    ...overview,
    imprint,
    questions,
    url,
    icon,
    pages: shown(pages),
    documents: shown(documents),
    facts: factsOf(overview, { url, icon, imprint, questions }),
  })
}

/**
 * The facts of the page for machines (schema.org), as the text of a script element. It is a block of data, which no
 * policy has to allow. With a `<` of the catalog in it, a description could end the element.
 */
function factsOf(
  { document: { provider, description } }: PricingOverview,
  {
    url,
    icon,
    imprint: { email, phone, address, profiles },
    questions,
  }: {
    readonly url: string
    readonly icon: string
    readonly imprint: Imprint
    readonly questions: readonly Question[]
  },
): string {
  const organization = {
    '@type': 'Organization',
    '@id': `${url}#provider`,
    name: provider,
    url,
    description,
    logo: icon,
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { telephone: phone }),
    ...(address !== undefined && { address }),
    ...(profiles.length > 0 && { sameAs: profiles }),
  }
  const byProvider = { '@id': organization['@id'] }
  const website = {
    '@type': 'WebSite',
    '@id': `${url}#website`,
    name: provider,
    url,
    description,
    inLanguage: 'en',
    publisher: byProvider,
  }
  const answers = {
    '@type': 'FAQPage',
    '@id': `${url}#questions`,
    url,
    inLanguage: 'en',
    isPartOf: { '@id': website['@id'] },
    publisher: byProvider,
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
  const graph = { '@context': 'https://schema.org', '@graph': [organization, website, answers] }
  return JSON.stringify(graph).replaceAll('<', '\\u003c')
}

type Destination = readonly [name: Exclude<keyof HomeDocument['_links'], 'self'>, label: string]

/** The links of the document that people read, in their order. */
const pages: readonly Destination[] = [
  ['pricing', 'All prices, free quotas and API keys, and how a call is paid'],
  ['reference', 'The API reference: every operation with its fields and replies'],
]
/** Those that programs read. */
const documents: readonly Destination[] = [
  ['docs', 'The prices as markdown, for language models'],
  ['health', 'Whether the service works, and every endpoint with what it asks of a caller'],
  ['payments', 'Whether payments work, and on which network'],
  ['openapi', 'The paid operations as OpenAPI'],
  ['llms', 'The guide for language models'],
  ['mcp', 'The card of the MCP server, for agents that call tools'],
]
