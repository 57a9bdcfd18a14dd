import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { documentsOf, jsonOf, onlyForHtml } from '../../findings/document.ts'
import { absence, judgeDocument } from '../../findings/judge-document.ts'
import { needsHome } from '../../findings/needs.ts'
import { counted } from '../../findings/share.ts'
import { readOpenApi } from '../../signals/openapi.ts'
import { pathOf } from '../../site/addresses.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import type { Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { readAgentCard, readApiCatalog, readMcpDocument } from './agent-documents.ts'
import { readSkillsIndex } from './agent-skills.ts'
import { isCatalog, judgeAiCatalog, judgeCatalogAnnounced } from './ai-catalog.ts'
import { judgeLinkHeader } from './link-to-documents.ts'
import { isOauthPlace, readOauthMetadata } from './oauth-metadata.ts'
import { judgeSignatureDirectory } from './signature-directory.ts'
import { judgeWebMcp } from './webmcp.ts'

/**
 * The protocols by which agents find and use what a site offers. Most of these documents are young. A site
 * that has no use for one is not expected to have it, but a document that is published must follow its
 * rules.
 */
export const agentProtocols: Agent = {
  id: 'agent-protocols',
  name: 'Agent protocols',
  checks: [
    {
      id: 'link-header',
      title: 'A Link header leads to documents for agents',
      weight: 3,
      run: onlyForHtml(needsHome(judgeLinkHeader)),
    },
    { id: 'openapi', title: 'The API is described', weight: 3, run: judgeOpenApi },
    { id: 'mcp', title: 'An MCP server is announced', weight: 3, run: judgeMcp },
    { id: 'api-catalog', title: 'APIs are listed in a catalogue', weight: 2, run: judgeCatalog },
    { id: 'a2a', title: 'An agent card is published', weight: 2, run: judgeCard },
    { id: 'skills', title: 'Skills for agents can be verified', weight: 2, run: judgeSkills },
    { id: 'ai-catalog', title: 'Agents and tools are listed in a catalogue', weight: 1, run: judgeAiCatalog },
    {
      id: 'ai-catalog-announced',
      title: 'The catalogue is announced',
      weight: 1,
      run: judgeCatalogAnnounced,
    },
    {
      id: 'signature-directory',
      title: 'Keys of the site’s bots can be verified',
      weight: 1,
      run: judgeSignatureDirectory,
    },
    { id: 'webmcp', title: 'Forms are tools for browser agents', weight: 2, run: onlyForHtml(judgeWebMcp) },
    { id: 'oauth-meta', title: 'Login metadata speaks for its own address', weight: 1, run: judgeOauth },
    { id: 'no-fake-200', title: 'No web page poses as a document', weight: 2, run: judgeFakes },
    { id: 'commerce', title: 'Payment protocols are announced', weight: 0, run: judgeCommerce },
  ],
}

function judgeOpenApi({ capture, profile, origin }: Site): Outcome {
  return judgeDocument(
    { capture },
    {
      name: 'An OpenAPI description',
      isPlace: (path, purpose) => purpose === 'service-desc' || /(?:openapi|swagger)[^/]{0,40}$/.test(path),
      read: readOpenApi,
      isExpected: profile.api,
      loss: 'Agents read it to learn how to call the API.',
      fix: `Publish an OpenAPI 3 description at ${origin}/openapi.json and name it with rel="service-desc".`,
    },
  )
}

function judgeMcp({ capture, profile, origin }: Site): Outcome {
  return judgeDocument(
    { capture },
    {
      name: 'An MCP server card',
      isPlace: (path, purpose) =>
        /^\/\.well-known\/mcp(?:\.json|\/server-card(?:\.json)?)?$/.test(path) || isCatalog(path, purpose),
      read: readMcpDocument,
      isExpected: profile.api || profile.app,
      isYoung: true,
      loss: 'Without it, agents that work with MCP find no tools here.',
      fix: `Offer what the site can do as tools of an MCP server, and announce it at ${origin}/.well-known/mcp/server-card.json with its name and remotes.`,
    },
  )
}

function judgeCatalog({ capture, profile, origin }: Site): Outcome {
  return judgeDocument(
    { capture },
    {
      name: 'An API catalogue',
      isPlace: (path) => path === '/.well-known/api-catalog',
      read: readApiCatalog,
      isExpected: profile.api,
      loss: 'Agents read it to learn which APIs there are.',
      fix: `List each API with its service-desc in a linkset at ${origin}/.well-known/api-catalog (RFC 9727).`,
    },
  )
}

/** Expected only where the site links to one, because most sites run no agent. */
function judgeCard(site: Site): Outcome {
  const { capture, origin } = site
  const isPlace = (path: string) => /^\/\.well-known\/agent(?:-card)?\.json$/.test(path)
  return judgeDocument(
    { capture },
    {
      name: 'An agent card',
      isPlace,
      read: readAgentCard,
      isExpected: isLinked(site, isPlace),
      sign: 'although the site links to one',
      loss: 'Other agents need it to hand over a task.',
      fix: `Publish the A2A 1.0 card of the agent at ${origin}/.well-known/agent-card.json, or remove the link to it.`,
    },
  )
}

function judgeSkills(site: Site): Outcome {
  const { capture, origin } = site
  const isPlace = (path: string) => path === '/.well-known/agent-skills/index.json'
  return judgeDocument(
    { capture },
    {
      name: 'An index of agent skills',
      isPlace,
      read: (answer) => readSkillsIndex(answer, capture),
      isExpected: isLinked(site, isPlace),
      sign: 'although the site links to one',
      loss: 'Agents need it to load the site’s own instructions and verify them.',
      fix: `Publish an index with a digest for each skill at ${origin}/.well-known/agent-skills/index.json, or remove the link to it.`,
    },
  )
}

/** A page, a Link header or llms.txt links to such a path on this site. */
function isLinked({ capture, pages, home, origin }: Site, isPlace: (path: string) => boolean): boolean {
  const targets = [
    ...pages.flatMap(({ links }) => links.map(({ url }) => url)),
    ...(home ? readLinkHeader(home.reply.headers.link ?? [], home.url).map(({ url }) => url) : []),
    ...capture.exchanges.filter(({ purpose }) => purpose === 'llms-link').map(({ url }) => url),
  ]
  return targets.some((url) => isPlace(pathOf(url)) && URL.parse(url)?.origin === origin)
}

function judgeOauth(site: Site): Outcome {
  const { capture, profile, origin } = site
  return judgeDocument(
    { capture },
    {
      name: 'OAuth metadata',
      isPlace: isOauthPlace,
      read: readOauthMetadata,
      isExpected: profile.app && hasLogin(site),
      loss: 'Agents read it to learn how to log in for their user.',
      fix: `Publish the metadata of the authorization server at ${origin}/.well-known/oauth-authorization-server.`,
      isEachJudged: true,
    },
  )
}

/** A password field, or a link by whose words or address one logs in. */
function hasLogin({ pages }: Site): boolean {
  return pages.some(
    ({ elements, links }) =>
      elements.some(({ node }) => node.name === 'input' && node.attribs.type === 'password') ||
      links.some(
        ({ url, text, isInternal }) =>
          /^(?:log ?in|sign ?in|sign ?up|anmelden|einloggen|connexion|iniciar sesión|accedi|entrar|inloggen|giriş|войти|вход|تسجيل الدخول|ログイン|로그인|登录|登入)$/i.test(
            text,
          ) ||
          (isInternal && /\/(?:log-?in|sign-?in|sign-?up|register|auth)(?:[/.]|$)/i.test(pathOf(url))),
      ),
  )
}

function judgeFakes({ capture }: Site): Outcome {
  const documents = documentsOf(capture, 'well-known').filter(({ url }) => !url.endsWith('.txt'))
  const seenDocuments = documents.filter(({ state }) => state !== 'unseen')
  if (seenDocuments.length === 0) return unmeasured('No request for a well-known document was answered.')
  const fakes = seenDocuments.filter(({ state }) => state === 'page')
  const [missing] = documentsOf(capture, 'missing')
  if (fakes.length > 0 && missing?.state === 'page')
    return notApplicable('Every missing address is answered with a web page, which another check reports.')
  const places = (some: typeof seenDocuments) =>
    some.slice(0, 5).map((document): Evidence => {
      return {
        url: document.url,
        value: document.state === 'present' ? 'status 200, a document' : absence(document),
      }
    })
  if (fakes.length === 0) {
    return pass(
      `None of ${counted(seenDocuments.length, 'document')} asked for was answered with a web page.`,
      ...places(seenDocuments),
    )
  }
  return fail(
    `${fakes.length} of ${counted(seenDocuments.length, 'document')} asked for ${fakes.length === 1 ? 'is' : 'are'} answered 200 with a web page. Agents may take the page for the document.`,
    `Answer 404 at ${pathOf(fakes[0]?.url ?? '')} and all other paths that do not exist, instead of with a web page.`,
    ...places(fakes),
  )
}

function judgeCommerce({ capture }: Site): Outcome {
  const places = documentsOf(capture, 'well-known').filter(({ url }) =>
    /^\/\.well-known\/(?:x402|ucp|acp|ap2)(?:\.json)?$/.test(pathOf(url)),
  )
  const announced = places.flatMap((document) => {
    if (document.state !== 'present') return []
    const value = jsonOf(document.answer)?.value
    return typeof value === 'object' && value !== null
      ? [{ url: document.url, value: 'status 200, JSON' }]
      : []
  })
  if (announced.length > 0)
    return pass(
      `${counted(announced.length, 'payment protocol')} announced: ${announced.map(({ url }) => pathOf(url).replace('/.well-known/', '')).join(', ')}.`,
      ...announced,
    )
  if (places.every(({ state }) => state === 'unseen'))
    return unmeasured('Documents of payment protocols were not seen.')
  return notApplicable('No payment protocol for agents is announced; this is information only.')
}
