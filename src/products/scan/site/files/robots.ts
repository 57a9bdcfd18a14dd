import { absolute } from '../addresses.ts'
import type { Exchange } from '../capture.ts'
import { isHtml, looksLikeHtml, mediaTypeOf } from './headers.ts'
import { createJudge, maxRules, type RobotsGroup, type RobotsRule, tokenOf } from './robots-rules.ts'

/**
 * What a site's robots.txt says, and to whom (RFC 9309). The scan itself obeys it, and the checks report which
 * crawlers it shuts out. Both ask here, so that the scan never does what its report calls forbidden.
 */
export interface Robots {
  /**
   * ok: 200 with text. absent: 4xx, every crawler may read. broken: HTML or another type with 200.
   * unreachable: 5xx or no reply; then no crawler may read (RFC 9309, 2.3.1.4).
   */
  readonly state: 'ok' | 'absent' | 'broken' | 'unreachable'
  readonly url: string
  readonly bytes: number
  readonly contentType: string
  readonly status: number | undefined
  readonly groups: readonly RobotsGroup[]
  /** Content-Signal and Content-Usage lines before the first group, which apply to no crawler. */
  readonly looseSignals: readonly string[]
  /** Absolute, in order, without repetitions. */
  readonly sitemaps: readonly string[]
  /** Catalogues of agents and tools that `Agentmap:` lines name; likewise. */
  readonly agentmaps: readonly string[]
  /**
   * By a product token (`GPTBot`) or a user agent that begins with one. True for addresses of other hosts,
   * which this file does not rule.
   */
  isAllowed(userAgent: string, url: string): boolean
}

/** @param exchange the request for robots.txt and its outcome; undefined when none was made. */
export function readRobots(exchange: Exchange | undefined, origin: string): Robots {
  if (exchange?.outcome !== 'replied') {
    const url = exchange?.url ?? `${origin}/robots.txt`
    return { state: 'unreachable', url, bytes: 0, contentType: '', status: undefined, ...silent(false) }
  }
  const { url, status, bytes } = exchange
  const head = { url, bytes, contentType: mediaTypeOf(exchange), status }
  if (status >= 500) return { state: 'unreachable', ...head, ...silent(false) }
  if (status < 200 || status > 299) return { state: 'absent', ...head, ...silent(true) }
  const isText = head.contentType === '' || head.contentType.startsWith('text/')
  const isBroken = !isText || isHtml(exchange) || looksLikeHtml(exchange.body)
  const lines = parseLines(exchange.body, exchange.finalUrl)
  return {
    state: isBroken ? 'broken' : 'ok',
    ...head,
    ...lines,
    isAllowed: createJudge(lines.groups, origin),
  }
}

type Lines = Pick<Robots, 'groups' | 'looseSignals' | 'sitemaps' | 'agentmaps'>

/** A file without rules, which allows everything or nothing. */
function silent(isAllowed: boolean): Lines & Pick<Robots, 'isAllowed'> {
  return { groups: [], looseSignals: [], sitemaps: [], agentmaps: [], isAllowed: () => isAllowed }
}

/** The name by which robots.txt files and pages address our scans. */
export const productToken = 'tollgate'

/** Crawlers of search engines and answer engines. The first five have the most readers. */
export const searchBots: readonly string[] = [
  'OAI-SearchBot',
  'Claude-SearchBot',
  'PerplexityBot',
  'Googlebot',
  'Bingbot',
  'Applebot',
  'DuckDuckBot',
  'DuckAssistBot',
  'Amzn-SearchBot',
  'YouBot',
]

/** Agents that open a page because a person has just asked about it. */
export const userBots: readonly string[] = [
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'Google-Agent',
]

/** Crawlers that collect texts to train models. */
export const trainingBots: readonly string[] = [
  'GPTBot',
  'ClaudeBot',
  'Google-Extended',
  'CCBot',
  'Applebot-Extended',
  'Bytespider',
  'meta-externalagent',
  'Amazonbot',
  'cohere-training-data-crawler',
  'AI2Bot',
  'Diffbot',
  'PanguBot',
  'anthropic-ai',
]

/** Crawlers must read at least this much of the file (RFC 9309, 2.5), and most read no more. */
const maxCharacters = 500 * 1024
const maxSitemaps = 100
const maxAgentmaps = 10
const maxSignals = 100

/**
 * A group is its user-agent lines and what follows them. Only rules end the user-agent lines: a Sitemap or a
 * Content-Signal line between two of them does not begin a new group (RFC 9309, 2.2.4). Google reads it so,
 * too.
 */
function parseLines(body: string, base: string): Lines {
  const groups: { agents: string[]; rules: RobotsRule[]; signals: string[] }[] = []
  const looseSignals: string[] = []
  const sitemaps = new Set<string>()
  const agentmaps = new Set<string>()
  let known = new Set<string>()
  const addRule = (group: { rules: RobotsRule[] } | undefined, rule: RobotsRule) => {
    const key = `${rule.type} ${rule.path}`
    if (group === undefined || group.rules.length >= maxRules || known.has(key)) return
    known.add(key)
    group.rules.push(rule)
  }
  for (const written of body
    .slice(0, maxCharacters)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)) {
    const line = (written.split('#', 1)[0] ?? '').trim()
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const value = line.slice(colon + 1).trim()
    const group = groups.at(-1)
    switch (line.slice(0, colon).trim().toLowerCase()) {
      case 'user-agent':
        if (group === undefined || group.rules.length > 0) {
          groups.push({ agents: [tokenOf(value)], rules: [], signals: [] })
          known = new Set()
        } else group.agents.push(tokenOf(value))
        break
      case 'allow':
        addRule(group, { type: 'allow', path: value })
        break
      case 'disallow':
        addRule(group, { type: 'disallow', path: value })
        break
      case 'content-signal':
      case 'content-usage': {
        const signals = group?.signals ?? looseSignals
        if (signals.length < maxSignals) signals.push(line)
        break
      }
      case 'sitemap': {
        const address = absolute(value, base)
        if (address !== undefined && sitemaps.size < maxSitemaps) sitemaps.add(address)
        break
      }
      case 'agentmap': {
        const address = absolute(value, base)
        if (address !== undefined && agentmaps.size < maxAgentmaps) agentmaps.add(address)
        break
      }
    }
  }
  return { groups, looseSignals, sitemaps: [...sitemaps], agentmaps: [...agentmaps] }
}
