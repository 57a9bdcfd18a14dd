import { createHash } from 'node:crypto'
import * as change from './site-changes.ts'

const json = (value: unknown) => JSON.stringify(value)
const description = json({
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { get: { responses: {} } } },
})
const skill = '# Ask\n\nAsk for a date.\n'
const digest = `sha256:${createHash('sha256').update(skill).digest('hex')}`

/** What a site gains by, or at least never loses by: faults that are mended, and valid things that are published. */
export const fixes: readonly change.Rated[] = [
  {
    name: 'an OpenAPI description is published and named in a Link header',
    make: change.all(
      change.publish('/openapi.json', 'application/json', description),
      change.header('link', '</openapi.json>; rel="service-desc"', 'home'),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'an MCP server card is published',
    make: change.publish('/.well-known/mcp/server-card.json', 'application/json', (origin) =>
      json({ name: 'site', version: '1', remotes: [{ type: 'streamable-http', url: `${origin}/mcp` }] }),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'an agent card is published',
    make: change.publish('/.well-known/agent-card.json', 'application/json', (origin) =>
      json({
        name: 'Desk',
        description: 'Answers questions',
        version: '1',
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'ask', name: 'Ask', description: 'Answers a question', tags: ['questions'] }],
        supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      }),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'an index of skills is published',
    make: change.all(
      change.publish('/.well-known/agent-skills/index.json', 'application/json', () =>
        json({
          $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
          skills: [
            {
              name: 'ask',
              type: 'skill-md',
              description: 'Asks for a date',
              url: '/.well-known/agent-skills/ask/SKILL.md',
              digest,
            },
          ],
        }),
      ),
      change.publish('/.well-known/agent-skills/ask/SKILL.md', 'text/markdown', skill),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'an API catalogue is published',
    make: change.publish('/.well-known/api-catalog', 'application/linkset+json', (origin) =>
      json({ linkset: [{ anchor: `${origin}/`, 'service-doc': [{ href: `${origin}/docs` }] }] }),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'OAuth metadata is published',
    make: change.publish('/.well-known/oauth-authorization-server', 'application/json', (origin) =>
      json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
      }),
    ),
    seen: { dentist: 'full', shop: 'full' },
  },
  {
    name: 'a short llms.txt is published',
    make: change.publish(
      '/llms.txt',
      'text/plain',
      (origin) => `# Site\n\nWhat we do and for whom, in a few words for models.\n\n- [Home](${origin}/)\n`,
    ),
    seen: { shop: 'light' },
  },
  {
    name: 'a security.txt is published',
    make: change.publish(
      '/.well-known/security.txt',
      'text/plain',
      'Contact: mailto:security@site.example\nExpires: 2027-06-30T00:00:00Z\n',
    ),
    seen: { 'api-product': 'full', shop: 'full' },
  },
  {
    name: 'pages are served as markdown on request',
    make: change.answers((answer, { path, headers }) =>
      path === '/' && String(headers.accept ?? '').includes('text/markdown')
        ? {
            headers: { 'content-type': 'text/markdown', vary: 'Accept' },
            body: `# Page\n\n${String(answer.body).replace(/<[^>]*>/g, ' ')}`,
          }
        : answer,
    ),
    seen: { shop: 'full' },
  },
  {
    name: 'the home page states the WebSite',
    make: (site) =>
      change.jsonLd({ '@type': 'WebSite', name: 'Site', url: `https://${site.names[0]}/` }, 'home')(site),
    seen: { 'api-product': 'basic', shop: 'basic' },
  },
  {
    name: 'the home page states the application',
    make: change.jsonLd(
      {
        '@type': 'SoftwareApplication',
        name: 'Site',
        applicationCategory: 'BusinessApplication',
        operatingSystem: 'Any',
        offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR' },
      },
      'home',
    ),
    seen: 'never',
  },
  {
    name: 'the home page states the API',
    make: change.jsonLd(
      {
        '@type': 'WebAPI',
        name: 'API',
        description: 'Calls of the site',
        url: '/api',
        documentation: '/docs',
      },
      'home',
    ),
    seen: 'never',
  },
  {
    name: 'the preview is completed',
    make: change.inHead(
      '<meta property="og:description" content="What we do"><meta property="og:image" content="/a.jpg"><meta property="og:type" content="website">',
      'home',
    ),
    seen: { 'api-product': 'basic', shop: 'basic' },
  },
  {
    name: 'robots.txt states the stance on training',
    make: change.robots((text) =>
      text.replace('User-agent: *\n', 'User-agent: *\nContent-Signal: ai-train=no\n'),
    ),
    seen: { 'api-product': 'basic', shop: 'basic' },
  },
  {
    name: 'the footer links a profile',
    make: change.markup((page) =>
      page.replace('</footer>', '<a href="https://www.instagram.com/newprofile">Instagram</a></footer>'),
    ),
    seen: 'never',
  },
  {
    name: 'a Content-Security-Policy is sent',
    make: change.header('content-security-policy', "default-src 'self'; frame-ancestors 'none'"),
    seen: { 'api-product': 'full', shop: 'full' },
  },
  {
    name: 'a contact link is put on every page',
    make: change.markup((page) =>
      page.replace('</footer>', '<a href="mailto:hello@site.example">hello@site.example</a></footer>'),
    ),
    seen: { 'api-product': 'light' },
  },
]
