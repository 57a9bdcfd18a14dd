import robotsParser from 'robots-parser'
import { absolute } from '../addresses.ts'
import type { Exchange } from '../capture.ts'
import { isHtml, looksLikeHtml, mediaTypeOf } from './headers.ts'

/**
 * What robots.txt says, and to whom (RFC 9309). The scan itself obeys it, and the checks tell which crawlers
 * it shuts out; both ask here, so that the scan never does what its report calls forbidden.
 */
export interface Robots {
  /**
   * ok: 200 with text. absent: 4xx, everyone may come in. broken: HTML or another type with 200.
   * unreachable: 5xx or no answer; then nobody is let in (RFC 9309, 2.3.1.4).
   */
  readonly state: 'ok' | 'absent' | 'broken' | 'unreachable'
  readonly url: string
  readonly bytes: number
  readonly contentType: string
  readonly status: number | undefined
  readonly groups: readonly RobotsGroup[]
  /** Content-Signal and Content-Usage lines before the first group: they speak for nobody. */
  readonly looseSignals: readonly string[]
  /** Absolute, in order, none twice. */
  readonly sitemaps: readonly string[]
  /** By a product token (`GPTBot`) or a whole user agent beginning with one. Other hosts are not ruled here: true. */
  isAllowed(userAgent: string, url: string): boolean
}

interface RobotsGroup {
  /** As they are written, without a version. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
  /** Whole lines: `Content-Signal: search=yes, ai-train=no`. */
  readonly signals: readonly string[]
}

interface RobotsRule {
  readonly type: 'allow' | 'disallow'
  readonly path: string
}

export function readRobots(answer: Exchange | undefined, origin: string): Robots {
  const url = `${origin}/robots.txt`
  if (answer?.outcome !== 'answered') {
    const nothing = {
      bytes: 0,
      contentType: '',
      status: undefined,
      groups: [],
      looseSignals: [],
      sitemaps: [],
    }
    return { state: 'unreachable', url: answer?.url ?? url, ...nothing, isAllowed: () => false }
  }
  const { status, bytes } = answer
  const seen = { url: answer.url, bytes, contentType: mediaTypeOf(answer), status }
  if (status >= 500) {
    return {
      state: 'unreachable',
      ...seen,
      groups: [],
      looseSignals: [],
      sitemaps: [],
      isAllowed: () => false,
    }
  }
  if (status < 200 || status > 299) {
    return { state: 'absent', ...seen, groups: [], looseSignals: [], sitemaps: [], isAllowed: () => true }
  }
  const isText = seen.contentType === '' || seen.contentType.startsWith('text/')
  const isBroken = !isText || isHtml(answer) || looksLikeHtml(answer.body)
  const lines = parseLines(answer.body, answer.finalUrl)
  return { state: isBroken ? 'broken' : 'ok', ...seen, ...lines, isAllowed: judge(lines.groups, origin) }
}

/** The first five are those whose answers most people read. */
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

/** They open a page because a person has just asked about it. */
export const userBots: readonly string[] = [
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'Google-Agent',
]

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

/** Crawlers read at least this much of the file (RFC 9309, 2.5), and most of them not more. */
const maxCharacters = 500 * 1024
const maxSitemaps = 100
/** Ten times what the longest files of honest sites hold; each address is compared with all of them. */
const maxRules = 5_000
const maxSignals = 100

/**
 * A group is its user-agent lines and what follows them. Only rules end the user-agent lines: a Sitemap or a
 * Content-Signal line between two of them changes nothing (RFC 9309, 2.2.4), as Google reads it too.
 */
function parseLines(
  body: string,
  base: string,
): { groups: RobotsGroup[]; looseSignals: string[]; sitemaps: string[] } {
  const groups: { agents: string[]; rules: RobotsRule[]; signals: string[] }[] = []
  const looseSignals: string[] = []
  const sitemaps = new Set<string>()
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
    }
  }
  return { groups, looseSignals, sitemaps: [...sitemaps] }
}

/** `GPTBot` of `GPTBot/1.2 (…)`. */
function tokenOf(userAgent: string): string {
  return userAgent.trim().split(/[/\s]/, 1)[0] ?? ''
}

/**
 * robots-parser judges, on a file written anew from the rules for one name, so that both agree on what a group
 * is. It is never given the whole file: it keeps all rules once for every name of their group, and a file of
 * half a megabyte then takes all memory. Rules apply to the host with and without www. and over http: sites
 * have one file for them.
 */
function judge(groups: readonly RobotsGroup[], origin: string): Robots['isAllowed'] {
  const named = new Set(groups.flatMap(({ agents }) => agents.map((agent) => agent.toLowerCase())))
  const parsers = new Map<string, ReturnType<typeof createParser>>()
  const answers = new Map<string, boolean>()
  const host = siteHost(origin)
  return (userAgent, url) => {
    const asked = URL.parse(url)
    if (asked === null || siteHost(url) !== host) return true
    const token = tokenOf(userAgent).toLowerCase()
    const name = named.has(token) ? token : '*'
    const path = `${asked.pathname}${asked.search}`
    const known = answers.get(`${name} ${path}`)
    if (known !== undefined) return known
    const parser = parsers.get(name) ?? createParser(`${origin}/robots.txt`, writeRules(groups, name))
    parsers.set(name, parser)
    const isAllowed = parser.isAllowed(`${origin}${path}`, '*') ?? true
    if (answers.size < maxAnswers) answers.set(`${name} ${path}`, isAllowed)
    return isAllowed
  }
}

/** A CommonJS module whose types promise a default export that it does not have. */
const createParser = typeof robotsParser === 'function' ? robotsParser : robotsParser.default

const maxAnswers = 5_000

function siteHost(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\./, '')
}

/**
 * A rule with wildcards is compared with a path at every place, which a file of half a megabyte of them makes
 * slow. Past the budget a prohibition is cut before its first wildcard, so that it forbids more than it says,
 * and a permission is left out. All groups of one name are one, so the most rules of a group hold for them
 * together.
 */
function writeRules(groups: readonly RobotsGroup[], name: string): string {
  const lines = new Set<string>()
  let budget = 8_192
  for (const { agents, rules } of groups) {
    if (!agents.some((agent) => agent.toLowerCase() === name)) continue
    for (const { type, path } of rules) {
      if (lines.size >= maxRules) break
      const rule = path.replace(/\*{2,}/g, '*')
      const wildcard = rule.indexOf('*')
      if (wildcard >= 0) budget -= rule.length
      if (wildcard < 0 || budget >= 0) lines.add(`${type}: ${rule}`)
      else if (type === 'disallow') lines.add(`${type}: ${rule.slice(0, wildcard) || '/'}`)
    }
  }
  return ['User-agent: *', ...lines].join('\n')
}
