import {
  describeOperation,
  type OperationTag,
  operationTags,
} from '../../../core/documented/operation-docs.ts'
import { imprintOf } from '../imprint.ts'
import { prose } from '../prose.ts'
import { questionsOf } from '../questions.ts'
import type { Served, Site } from '../site.ts'
import { skillsOf } from './skills.ts'

/**
 * The texts for language models: llms.txt (llmstxt.org) for the whole service, and for what lies below /api and /docs,
 * where the most particular one counts; the guide for agents; and the home page as markdown.
 */

/** /llms.txt: where to begin. */
export function llms(site: Site): string {
  const { find, pricing } = site
  return page([
    `# ${prose(pricing.provider)}`,
    `> ${prose(pricing.description)}`,
    ...(site.playMoney === undefined ? [] : [site.playMoney]),
    'Call an operation with its method at its address, with JSON. An error has `error`, `message`, `code` and `details`, and its message says what to do next.',
    '## Start here',
    links([
      ['Guide for agents', find('/agents.md'), 'credentials, limits, polling, errors, payment'],
      ['Operations', find('/api/llms.txt'), 'every operation in a line'],
      ['Prices', find('/pricing.md'), 'paid operations, free quotas, API keys'],
      ['Questions', askUrl(site), 'ask in plain language, with ?query= (NLWeb)'],
      ['API reference', find('/docs.md'), 'every operation with fields and replies'],
      ['API description', find('/payments/openapi.json'), 'OpenAPI 3.1 of the paid operations'],
      ['Everything in one text', find('/llms-full.txt'), 'all guides'],
    ]),
    '## What you can do',
    links(
      skillsOf(site).map(({ id, title, description }) => [
        title,
        `${site.baseUrl}/.well-known/agent-skills/${id}/SKILL.md`,
        description,
      ]),
    ),
    '## For programs',
    links([
      ['MCP server card', find('/.well-known/mcp/server-card'), 'tools over Streamable HTTP'],
      ['MCP server of paid tools', find('/mcp', 'POST'), 'each paid per call by x402, over Streamable HTTP'],
      ['Agent card', find('/.well-known/agent-card.json'), 'A2A 1.0'],
      ['API catalog', find('/.well-known/api-catalog'), 'RFC 9727'],
      ['Health', find('/api/health'), 'whether it works, and every endpoint'],
    ]),
  ])
}

/** /api/llms.txt: the operations alone. */
export function apiLlms(site: Site): string {
  return page([
    `# ${prose(site.pricing.provider)}: operations`,
    '> Each operation with its method, address and what it does. Parameters stand in braces.',
    ...sections(site, (served) => operationLine(served)),
  ])
}

/** /docs/llms.txt: the documentation alone. */
export function docsLlms(site: Site): string {
  const { find, pricing } = site
  return page([
    `# ${prose(pricing.provider)}: documentation`,
    '> Where to read how this service is called and paid.',
    '## Documentation',
    links([
      ['API reference', find('/docs.md'), 'every operation with fields and replies'],
      ['Guide for agents', find('/agents.md'), 'in the order of a first call'],
      ['Prices', find('/pricing.md'), 'as markdown'],
      ['Webhooks', find('/api/webhooks/subscribe'), 'events, deliveries and signatures, as JSON'],
      ['Questions', askUrl(site), 'answers from all of these, with ?query='],
      ['API description', find('/openapi.json'), 'OpenAPI 3.1; needs an API key'],
      ['Paid operations', find('/payments/openapi.json'), 'OpenAPI 3.1, without a key'],
    ]),
  ])
}

/** /agents.md: how to call, from the first request to the receipt. */
export function agentsGuide(site: Site): string {
  const { find, pricing, freeCall, firstCall } = site
  return page([
    `# How to call ${prose(pricing.provider)}`,
    prose(pricing.description),
    ...(site.playMoney === undefined ? [] : [site.playMoney]),
    '## Credentials',
    `- None: free operations, within a daily quota by client address.\n- An API key in the header \`x-mcp-api-key\`: the limits of its tier.${find('/oauth/token', 'POST') === undefined ? '' : `\n- An access token in \`Authorization: Bearer\`: from POST ${find('/oauth/token', 'POST')}, for an API key. It is valid for an hour.`}\n- A signed payment in \`PAYMENT-SIGNATURE\`: for one call, without an account.\n\nA valid key decides; a payment beside it is not touched. An invalid key is 401, and is never charged.`,
    ...(freeCall === undefined ? [] : ['## A free call', fenced(freeCall)]),
    ...(firstCall === undefined
      ? []
      : [
          '## A paid call',
          'Without a payment the reply is 402 with the price:',
          fenced(firstCall),
          'Sign one of the requirements in its `PAYMENT-REQUIRED` header and send the same request again with the signed payment in `PAYMENT-SIGNATURE`. `PAYMENT-RESPONSE` of the reply is the receipt, and `X-Payment-Id` names the payment. If the reply gets lost, send the same request with the same payment again: it is not charged twice.',
        ]),
    '## Limits',
    'A reply of 429 says in `Retry-After` how many seconds to wait. `X-RateLimit-Limit` and `X-RateLimit-Remaining` come with counted calls.',
    '## Scans',
    'A scan runs in the background. Poll its status every 5 to 10 seconds, until it is complete or error, or follow its stream of server-sent events.',
    '## Errors',
    'The body is JSON with `error`, `message`, `code` and `details`. Act on `code`; `message` says what to do next. A failed call is not charged.',
    '## Where to go on',
    links([
      ['Operations', find('/api/llms.txt'), 'every operation'],
      ['Prices', find('/pricing.md'), 'and how to pay'],
      ['Questions', askUrl(site), 'ask in plain language, with ?query= (NLWeb)'],
      ['API reference', find('/docs.md'), 'fields and replies'],
    ]),
  ])
}

/** /index.md: the home page. */
export function homeMarkdown(site: Site): string {
  const { find, pricing, freeCall, firstCall } = site
  return page([
    `# ${prose(pricing.provider)}`,
    prose(pricing.description),
    ...(site.playMoney === undefined ? [] : [site.playMoney]),
    'This address is an API for programs, behind a payment gateway. Some calls are free; others are paid by the call in USDC, without an account, or made with an API key.',
    ...(pricing.services.length === 0
      ? []
      : [
          '## Sold by the call',
          pricing.services
            .map(
              ({ endpoint, price, description }) =>
                `- \`${endpoint}\` ${prose(price)}: ${prose(description)}`,
            )
            .join('\n'),
        ]),
    ...(freeCall === undefined ? [] : ['## Try it', fenced(freeCall)]),
    ...(firstCall === undefined ? [] : ['The price of a paid call:', fenced(firstCall)]),
    '## Questions',
    ...questionsOf(pricing).flatMap(({ question, answer }) => [`### ${prose(question)}`, prose(answer)]),
    ...aboutOperator(site),
    '## Where to go',
    links([
      ['Prices', find('/pricing.md'), 'and how to pay'],
      ['API reference', find('/docs.md'), 'every operation'],
      ['Guide for agents', find('/agents.md'), 'from the first call to the receipt'],
      ['Health', find('/api/health'), 'whether the service works'],
    ]),
  ])
}

/** Who runs the service; empty where the catalog does not tell. */
function aboutOperator({ catalog }: Site): string[] {
  const { about, address, phone, email, links: pages, profiles } = imprintOf(catalog.provider)
  const facts = [address, phone, email].flatMap((fact) => (fact === undefined ? [] : [`- ${prose(fact)}`]))
  const linked = [...pages, ...profiles.map((href) => ({ href, label: new URL(href).hostname }))]
  const list = [...facts, ...linked.map(({ href, label }) => `- [${prose(label)}](${href})`)].join('\n')
  if (about === undefined && list === '') return []
  return ['## Who runs it', about === undefined ? '' : prose(about), list]
}

/** /llms-full.txt: every guide, and every operation with its details. */
export function llmsFull(site: Site, pricingMarkdown: string): string {
  const prices = pricingMarkdown.replace(/^---\n.*?\n---\n/s, '').trim()
  return page([
    llms(site).trim(),
    agentsGuide(site).trim(),
    `# Operations`,
    ...sections(site, (served) => `${operationLine(served)}${detailsOf(served)}`),
    prices,
  ])
}

function sections(site: Site, write: (served: Served) => string): string[] {
  const tags = Object.entries(operationTags)
  return tags.flatMap(([tag, description]) => {
    const own = site.served.filter(
      ({ endpoint }) => endpoint.docs?.tag === tag && isForCallers(endpoint.docs.tag),
    )
    return own.length === 0 ? [] : [`## ${titles[tag] ?? tag}`, description, own.map(write).join('\n')]
  })
}

/** The documents themselves are listed in /llms.txt. */
function isForCallers(tag: OperationTag): boolean {
  return tag !== 'discovery'
}

const titles: Readonly<Record<string, string>> = {
  scans: 'Scans',
  directory: 'Directory',
  insights: 'Insights',
  webhooks: 'Webhooks',
  texts: 'Analyses and articles',
  payments: 'Payments',
  keys: 'API keys',
  service: 'The service',
}

function operationLine({ endpoint, operation, url }: Served): string {
  return `- \`${endpoint.method} ${url}\`: ${prose(operation.description)}`
}

function detailsOf({ endpoint: { docs } }: Served): string {
  return docs && docs.details !== '' ? ` ${prose(describeOperation('', docs).trim())}` : ''
}

/** With a question, because a reader opens each link as it stands. */
function askUrl({ find }: Site): string | undefined {
  const url = find('/ask')
  return url && `${url}?query=How+much+does+a+call+cost`
}

function links(entries: readonly (readonly [name: string, url: string | undefined, note: string])[]): string {
  return entries
    .flatMap(([name, url, note]) => (url === undefined ? [] : [`- [${prose(name)}](${url}): ${prose(note)}`]))
    .join('\n')
}

function fenced(command: string): string {
  return `\`\`\`sh\n${command}\n\`\`\``
}

function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
