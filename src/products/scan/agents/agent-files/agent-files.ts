import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import {
  documentsOf,
  isRefusal,
  isWebPage,
  nonHtmlKind,
  onlyForHtml,
  readDocument,
} from '../../findings/document.ts'
import { portion } from '../../findings/share.ts'
import { unlessSoft404 } from '../../findings/soft-404.ts'
import { kindOfSite, type SiteKind } from '../../signals/site-kind/site-kind.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { headerOf, mediaTypeOf } from '../../site/files/headers.ts'
import { markdownLinks } from '../../site/files/markdown-links.ts'
import type { Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { judgeFollowed } from './followed-links.ts'
import { withText } from './guide-text.ts'
import { judgeCoverage } from './llms-coverage.ts'
import {
  judgeAdvertised,
  judgeFull,
  judgeLinks,
  judgePresent,
  judgeSize,
  judgeStructure,
} from './llms-file.ts'
import { judgeParity } from './markdown-parity.ts'
import { announcementOf, markdownOf, pageKey, twinsOf } from './markdown-twins.ts'

/**
 * What a site offers to programs that read text instead of markup: a guide for models and Markdown copies of
 * its pages. A site without them loses nothing. One that offers broken ones misleads every reader that
 * trusts them.
 */
export const agentFiles: Agent = {
  id: 'agent-files',
  name: 'Files for agents',
  checks: [
    {
      id: 'md-negotiation',
      title: 'The page is served as markdown on request',
      weight: 4,
      run: judgeNegotiation,
    },
    { id: 'llms-present', title: 'llms.txt is a text file', weight: 3, run: judgePresent },
    { id: 'llms-structure', title: 'llms.txt is laid out as tools expect', weight: 3, run: judgeStructure },
    { id: 'llms-links', title: 'Links of llms.txt work', weight: 3, run: unlessSoft404(judgeLinks) },
    {
      id: 'llms-coverage',
      title: 'llms.txt names the main pages',
      weight: 2,
      run: (site) => withText(site, (guide) => judgeCoverage(site, guide)),
    },
    { id: 'md-twin', title: 'Key pages have a markdown copy', weight: 2, run: onlyForHtml(judgeTwins) },
    { id: 'md-parity', title: 'Markdown copies are complete', weight: 2, run: onlyForHtml(judgeParity) },
    {
      id: 'md-links',
      title: 'Links of the page’s markdown work',
      weight: 1,
      run: unlessSoft404(judgeMarkdownLinks),
    },
    { id: 'llms-size', title: 'llms.txt fits into a context window', weight: 1, run: judgeSize },
    { id: 'llms-advertised', title: 'llms.txt is announced', weight: 1, run: onlyForHtml(judgeAdvertised) },
    {
      id: 'md-alternate',
      title: 'Markdown copies are announced',
      weight: 1,
      run: onlyForHtml(judgeAlternate),
    },
    { id: 'llms-full', title: 'llms-full.txt holds the whole text', weight: 1, run: judgeFull },
  ],
}

/**
 * Markdown is optional, so a small site without it passes over this check. It applies to sites that agents
 * read often: those with an API or accounts, with articles, or with files for models.
 */
function judgeNegotiation(site: Site): Outcome {
  const { capture } = site
  const kind = nonHtmlKind(capture)
  if (kind !== undefined) return notApplicable(`The page is ${kind}, and has no markup to do without.`)
  const exchange = capture.exchanges.find(({ purpose }) => purpose === 'home-markdown')
  const offersMarkdown = exchange?.outcome === 'replied' && mediaTypeOf(exchange) === 'text/markdown'
  if (!offersMarkdown && !isReadByAgents(site) && !isPublication(site))
    return notApplicable('A site of this kind does not need to serve its page as markdown.')
  if (!exchange) return unmeasured('The page was not asked for as markdown.')
  if (exchange.outcome !== 'replied' || isRefusal(exchange.status)) {
    const document = readDocument(exchange)
    const why = document.state === 'unseen' ? document.why : 'gave nothing to read'
    return unmeasured(`The request for markdown ${why}.`)
  }
  const { status } = exchange
  const type = mediaTypeOf(exchange)
  const reply = `${status}, ${shown(type, 60) || 'no type'}`
  const evidence = { url: exchange.url, value: `Accept: text/markdown gives status ${reply}` }
  if (status !== 200 || type !== 'text/markdown' || isWebPage(exchange)) {
    const isPage = status === 200 && isWebPage(exchange)
    return fail(
      `Asked for text/markdown, the page answers ${reply}${isPage && type === 'text/markdown' ? ' and a body of HTML' : ''}, so agents that want markdown ${isPage ? 'get all of the markup' : 'get none'}.`,
      `Answer ${exchange.url} with text/markdown and "Vary: Accept" when the request's Accept header names text/markdown.`,
      evidence,
    )
  }
  const vary = headerOf(exchange, 'vary')
  if (!/(?:^|,)\s{0,9}(?:accept|\*)\s{0,9}(?:,|$)/i.test(vary)) {
    return warn(
      'The page is served as markdown on request, but without "Vary: Accept". A cache may hand the markdown to browsers or the HTML to agents.',
      `Add "Vary: Accept" to every answer of ${exchange.url}.`,
      evidence,
      { url: exchange.url, value: vary === '' ? 'no Vary header' : `Vary: ${shown(vary)}` },
    )
  }
  return pass('Agents that ask for text/markdown get it.', evidence, {
    url: exchange.url,
    value: `Vary: ${shown(vary)}`,
  })
}

/** Links in Markdown are often written by a program, and lead nowhere when it forgets the folder of the page. */
function judgeMarkdownLinks({ capture }: Site): Outcome {
  const markdown = repliesFor(capture, 'home-markdown').find((answer) => markdownOf(answer) !== undefined)
  if (!markdown) return notApplicable('The page is not served as markdown.')
  const exchanges = capture.exchanges.filter(({ purpose }) => purpose === 'markdown-link')
  if (exchanges.length > 0)
    return judgeFollowed(exchanges, { name: 'The page’s markdown', url: markdown.url })
  return markdownLinks(markdown.body, markdown.finalUrl).length > 0
    ? unmeasured('The links of the page’s markdown were not followed.')
    : notApplicable('The page’s markdown has no links.')
}

/** The site has an API, accounts, or an llms.txt that is text. */
function isReadByAgents({ capture, profile }: Site): boolean {
  return profile.api || profile.app || documentsOf(capture, 'llms')[0]?.state === 'present'
}

const publishers: ReadonlySet<SiteKind> = new Set<SiteKind>(['publication', 'library', 'person'])

/** What it publishes is what it is for, as with a blog. The posts of a business are beside its trade. */
function isPublication(site: Site): boolean {
  return site.profile.content && publishers.has(kindOfSite(site))
}

/** Copies are optional too, and a site that serves its pages as Markdown on request needs none. */
function judgeTwins(site: Site): Outcome {
  const { capture } = site
  const dead = new Set(
    capture.exchanges.flatMap((one) =>
      one.purpose === 'page' && one.outcome === 'replied' && one.status !== 200 ? [pageKey(one.url)] : [],
    ),
  )
  const twins = twinsOf(capture).filter(({ key }) => !dead.has(key))
  if (twins.length === 0) return unmeasured('No markdown copy of a page was asked for.')
  const seenTwins = twins.filter(({ state }) => state !== 'unseen')
  if (seenTwins.length === 0)
    return unmeasured('Requests for markdown copies were refused, failed or were skipped.')
  const good = seenTwins.filter(({ state }) => state === 'good')
  const bad = seenTwins.filter(({ state }) => state !== 'good')
  const evidence = [...bad, ...good].slice(0, 5).map(({ url, value }) => ({ url, value }))
  const statement = `${portion(good.length, seenTwins.length, 'page', 'has', 'have')} a markdown copy`
  const first = bad[0]
  if (!first) return pass(`${statement}.`, ...evidence)
  if (seenTwins.every(({ state }) => state === 'absent' || state === 'page')) {
    const negotiated = repliesFor(capture, 'home-markdown').some((answer) => markdownOf(answer) !== undefined)
    if (negotiated)
      return notApplicable('Pages are served as markdown on request, so they need no separate copies.')
    if (!isReadByAgents(site) && announcementOf(site) === undefined)
      return notApplicable('The site keeps no markdown copies of its pages, and does not need to.')
  }
  return (good.length === 0 ? fail : warn)(
    `${statement}. Where there is none, agents must cut the text out of the markup.`,
    `Serve a markdown copy as text/markdown at ${first.url}.`,
    ...evidence,
  )
}

function judgeAlternate(site: Site): Outcome {
  const { capture, home } = site
  const announcement = announcementOf(site)
  if (announcement) return pass('The page names its markdown copy.', announcement.place)
  const twins = twinsOf(capture)
  const negotiated = repliesFor(capture, 'home-markdown').find((answer) => markdownOf(answer) !== undefined)
  const copy = negotiated?.url ?? twins.find(({ state }) => state === 'good')?.url
  if (copy === undefined) {
    const isKnown = twins.length > 0 && twins.every(({ state }) => state !== 'unseen')
    return isKnown
      ? notApplicable('There is no markdown copy that could be announced.')
      : unmeasured('It is not known whether there is a markdown copy.')
  }
  if (!home) return unmeasured('The page did not answer 200 with HTML.')
  return fail(
    'There is a markdown copy, and nothing in the page or its headers names it, so agents have to guess its address.',
    `Add <link rel="alternate" type="text/markdown" href="${copy}"> to the head of ${home.url}, or the same as a Link header.`,
    { url: home.url, value: 'no rel=alternate with type=text/markdown' },
    { url: copy, value: 'markdown copy' },
  )
}
