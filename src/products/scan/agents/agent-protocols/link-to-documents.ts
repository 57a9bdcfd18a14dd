import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { type Document, documentsOf } from '../../findings/document.ts'
import type { Reading } from '../../findings/judge-document.ts'
import { readOpenApi } from '../../signals/openapi.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import type { Page, Site } from '../../site/site.ts'
import { readApiCatalog } from './agent-documents.ts'

/**
 * Judges whether a Link header names the site's documents for agents. It applies only where such a document
 * exists; other checks report a missing document.
 */
export function judgeLinkHeader(home: Page, site: Site): Outcome {
  const { profile, origin } = site
  const links = readLinkHeader(home.reply.headers.link ?? [], home.url)
  const evidence = links.flatMap(({ url, rels }) => {
    const rel = rels.find((one) => registered.includes(one))
    return rel === undefined ? [] : [{ url: home.url, value: `Link: <${shown(url)}>; rel=${rel}` }]
  })
  if (evidence.length > 0)
    return pass('The page’s Link header leads to documents for agents.', ...evidence.slice(0, 5))
  const [document] = targetsOf(site)
  const isAsked = profile.api || profile.app || profile.shop || profile.content
  if (document === undefined)
    return notApplicable('No document was seen to which a Link header of this site should lead.')
  if (!isAsked)
    return notApplicable(
      `The site has ${shown(document.target)}. A Link header that names it is asked only of sites with an API, an application, a shop or articles. None of these was seen.`,
    )
  const value = headerOf(home.reply, 'link')
  return fail(
    `No Link header of the page names ${shown(document.target)}, so agents must search the HTML for it or guess.`,
    `Send with ${origin}/ the header Link: <${shown(document.target)}>; rel="${document.rel}".`,
    { url: home.url, value: value === '' ? 'no Link header' : `Link: ${shown(value)}` },
    { url: document.url, value: 'status 200' },
  )
}

const registered = ['api-catalog', 'service-desc', 'service-doc', 'describedby']

interface Target {
  readonly url: string
  /** As the header names it: only the path when it is on the same site. */
  readonly target: string
  readonly rel: string
}

/** Documents that are present and valid, the most useful one first. */
function targetsOf({ capture, origin }: Site): Target[] {
  const catalogs = documentsOf(capture, 'well-known').filter(({ url }) =>
    url.endsWith('/.well-known/api-catalog'),
  )
  const descriptions = [
    ...documentsOf(capture, 'service-desc'),
    ...documentsOf(capture, 'well-known').filter(({ url }) =>
      /(?:openapi|swagger)[^/]{0,40}$/.test(pathOf(url)),
    ),
  ]
  const guide = documentsOf(capture, 'llms')[0]
  const targets = [
    ...catalogs.filter((one) => isRead(one, readApiCatalog)).map(({ url }) => ({ url, rel: 'api-catalog' })),
    ...descriptions
      .filter((one) => isRead(one, readOpenApi))
      .map(({ url }) => ({ url, rel: 'service-desc' })),
    ...(guide?.state === 'present' ? [{ url: guide.url, rel: 'describedby' }] : []),
  ]
  return targets.map(({ url, rel }) => ({
    url,
    rel,
    target: url === `${origin}${pathOf(url)}` ? pathOf(url) : url,
  }))
}

/** The document is present and can be used. */
function isRead(document: Document, read: (answer: SiteReply) => Reading): boolean {
  if (document.state !== 'present' || document.answer.isCut) return false
  return ['good', 'usable'].includes(read(document.answer).state)
}
