import { describeOperation } from '../../../core/documented/operation-docs.ts'
import type { Passage } from '../../handlers/ask/passage.ts'
import type { Served, Site } from '../site.ts'
import { agentsGuide } from './guides.ts'
import { plain, unmarked } from './plain-markdown.ts'
import { skillFiles, skillsOf } from './skills.ts'

/**
 * Our documentation in parts that can answer a question: each operation with its price, the sections of the guides, and
 * the skills. They are cut from the documents that are served, so an answer says what the document says.
 * @param texts the price list as markdown, and what there is to know of webhooks.
 */
export function passagesOf(
  site: Site,
  texts: { readonly pricing: string; readonly webhooks: Readonly<Record<string, unknown>> },
): readonly Passage[] {
  const { find } = site
  return [
    ...site.served.flatMap((served) => operationPassage(served, site)),
    ...sectionsOf(agentsGuide(site), find('/agents.md')),
    ...sectionsOf(texts.pricing, find('/pricing.md')),
    ...tierPassages(site),
    ...skillPassages(site),
    ...webhookPassages(texts.webhooks, find('/api/webhooks/subscribe')),
  ]
}

function operationPassage({ endpoint, operation, url }: Served, site: Site): Passage[] {
  const reference = site.find('/docs')
  const { id, docs, method, upstream } = endpoint
  // The documents themselves tell nothing of what can be done here.
  if (docs === undefined || upstream || docs.tag === 'discovery' || reference === undefined) return []
  // The price stands before the details, of which a result shows no more than the beginning.
  const text = [
    describeOperation([operation.description, ...costOf(served(endpoint), site)].join(' '), docs),
    `Call ${method} ${url}.`,
  ].join(' ')
  return [{ type: 'WebAPI', name: docs.summary, text, url: `${reference}#${id}`, call: { method, url } }]
}

function served({ method, path }: Served['endpoint']): string {
  return `${method} ${path}`
}

function costOf(endpoint: string, { pricing }: Site): string[] {
  const sold = pricing.services.find((service) => service.endpoint === endpoint)
  if (sold) return [`The price: a call costs ${sold.price} (${sold.priceUSDC} USDC). Pay for it by x402.`]
  const free = pricing.freeOperations.find((operation) => operation.endpoint === endpoint)
  if (free)
    return [free.free === 'unlimited' ? 'It is free.' : `It is free without a key: ${inWords(free.free)}.`]
  return []
}

/** `3/day` as a question asks for it: `3 per day`. */
function inWords(limits: string): string {
  return limits.replaceAll(/\/(?=day|month|hour|minute|second)/g, ' per ')
}

/** Each part of a markdown text below a heading, as plain text. */
function sectionsOf(markdown: string, address: string | undefined): Passage[] {
  if (address === undefined) return []
  const body = markdown.replace(/^---\n.*?\n---\n/s, '').replace(/^```.*?^```$/gms, '')
  return body.split(/^(?=#{1,3} )/m).flatMap((part): Passage[] => {
    const [, heading = '', rest = ''] = /^#{1,3} ([^\n]*)\n?(.*)$/s.exec(part) ?? []
    const text = plain(rest)
    if (text === '') return []
    const name = unmarked(heading)
    return [{ type: 'TechArticle', name, text, url: `${address}#${anchorOf(name)}` }]
  })
}

function anchorOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function tierPassages({ pricing, find }: Site): Passage[] {
  const address = find('/pricing.md')
  if (address === undefined) return []
  return pricing.tiers.map(({ name, price, days, rate, description, buy, operations }) => ({
    type: 'TechArticle',
    name: `API keys of the tier ${name}`,
    text: [
      description,
      price === null ? 'Its keys come from the operator only.' : `The price: a key costs ${price}.`,
      `It lasts ${days === null ? 'as agreed' : `${days} days`}.`,
      `Rate limit: ${rate === null ? 'none' : inWords(rate)}.`,
      buy,
      ...Object.entries(operations).map(([operation, limits]) => `${operation}: ${inWords(limits)}.`),
    ].join(' '),
    url: `${address}#tier-${anchorOf(name)}`,
  }))
}

function skillPassages(site: Site): Passage[] {
  const files = skillFiles(site)
  return skillsOf(site).flatMap(({ id, title, description, steps }): Passage[] =>
    files.has(id)
      ? [
          {
            type: 'TechArticle',
            name: title,
            text: `${description} ${plain(steps)}`,
            url: `${site.baseUrl}/.well-known/agent-skills/${id}/SKILL.md`,
          },
        ]
      : [],
  )
}

/** The webhook documentation is JSON: its texts are read in order, part by part. */
function webhookPassages(
  documentation: Readonly<Record<string, unknown>>,
  address: string | undefined,
): Passage[] {
  if (address === undefined) return []
  return Object.entries(documentation).flatMap(([part, value]): Passage[] => {
    const text = sentencesIn(value).join(' ')
    return text === ''
      ? []
      : [{ type: 'TechArticle', name: `Webhooks: ${part}`, text, url: `${address}#${part}` }]
  })
}

function sentencesIn(value: unknown, name?: string): string[] {
  if (typeof value === 'string') {
    const said = name === undefined ? value : `${titled(name)}: ${value}`
    return [/[.!?]$/.test(said) ? said : `${said}.`]
  }
  if (typeof value === 'number') return name === undefined ? [] : [`${titled(name)}: ${value}.`]
  if (Array.isArray(value)) return value.flatMap((one) => sentencesIn(one))
  if (typeof value !== 'object' || value === null) return []
  // The payloads of events are examples.
  return Object.entries(value).flatMap(([key, one]) => (key === 'payload' ? [] : sentencesIn(one, key)))
}

/** `signed_content` as the beginning of a sentence: `Signed content`. */
function titled(name: string): string {
  return name.replaceAll('_', ' ').replace(/^[a-z]/, (letter) => letter.toUpperCase())
}
