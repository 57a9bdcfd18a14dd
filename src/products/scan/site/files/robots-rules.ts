/**
 * Decides what the rules of a robots.txt let a crawler read (RFC 9309, 2.2): the longest rule that matches
 * wins, and of two that are equally long the one that allows. The package `robots-parser` is no help here. It
 * stores every rule once for each name of its group, so a file of 500 KiB fills the memory; to use it safely,
 * we would have to write a file anew for every crawler and have it parsed again.
 */
export interface RobotsGroup {
  /** As they are written, without a version. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
  /** Whole lines: `Content-Signal: search=yes, ai-train=no`. */
  readonly signals: readonly string[]
}

export interface RobotsRule {
  readonly type: 'allow' | 'disallow'
  readonly path: string
}

/** Ten times as many as the longest files of honest sites hold; each address is compared with all of them. */
export const maxRules = 5_000

/**
 * Rules apply to the host with and without `www.` and over http, because sites have one file for them.
 * @returns a function of a product token (or a user agent beginning with one) and an address. It allows
 * addresses of other hosts, which this file does not rule.
 */
export function createJudge(
  groups: readonly RobotsGroup[],
  origin: string,
): (userAgent: string, url: string) => boolean {
  const named = new Set(groups.flatMap(({ agents }) => agents.map((agent) => agent.toLowerCase())))
  const rulesByName = new Map<string, readonly Rule[]>()
  const verdicts = new Map<string, boolean>()
  const host = siteHost(origin)
  return (userAgent, url) => {
    const address = URL.parse(url)
    if (address === null || siteHost(url) !== host) return true
    const token = tokenOf(userAgent).toLowerCase()
    const name = named.has(token) ? token : '*'
    const path = normalize(`${address.pathname}${address.search}`)
    const key = `${name} ${path}`
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const rules = rulesByName.get(name) ?? rulesFor(groups, name)
    rulesByName.set(name, rules)
    const isAllowed = rules.find(({ pattern }) => matches(pattern, path))?.isAllow ?? true
    if (verdicts.size < maxVerdicts) verdicts.set(key, isAllowed)
    return isAllowed
  }
}

const maxVerdicts = 5_000

/** `GPTBot` of `GPTBot/1.2 (…)`. */
export function tokenOf(userAgent: string): string {
  return userAgent.trim().split(/[/\s]/, 1)[0] ?? ''
}

function siteHost(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\./, '')
}

interface Rule {
  readonly isAllow: boolean
  /** Normalized; `*` stands for any characters and a `$` at the end for the end of the path. */
  readonly pattern: string
}

/** A rule with wildcards is compared with a path at every place, so a file made of them would take seconds. */
const maxWildcardCharacters = 8_192

/**
 * The rules for one name, those that win first. Groups of the same name count as one group, so `maxRules`
 * holds for them together. Past the budget for wildcards a prohibition is cut before its first one, so it
 * forbids more than it says, and a permission is left out.
 */
function rulesFor(groups: readonly RobotsGroup[], name: string): Rule[] {
  const rules = new Map<string, Rule>()
  let budget = maxWildcardCharacters
  for (const group of groups) {
    if (!group.agents.some((agent) => agent.toLowerCase() === name)) continue
    for (const { type, path } of group.rules) {
      if (rules.size >= maxRules) break
      const whole = path.replace(/\*{2,}/g, '*')
      const wildcard = whole.indexOf('*')
      if (wildcard >= 0) budget -= whole.length
      const isOverBudget = wildcard >= 0 && budget < 0
      if (isOverBudget && type === 'allow') continue
      const kept = isOverBudget ? whole.slice(0, wildcard) || '/' : whole
      rules.set(`${type} ${kept}`, { isAllow: type === 'allow', pattern: normalize(kept) })
    }
  }
  // A rule without a path says nothing: `Disallow:` forbids nothing.
  return [...rules.values()]
    .filter(({ pattern }) => pattern !== '')
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow))
}

/** Whether the path begins as the pattern says; with `$` at its end, whether it ends there as well. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [start = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(start)) return false
  const end = isWhole ? pieces.pop() : undefined
  let at = start.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return end === undefined ? at === path.length : path.length - end.length >= at && path.endsWith(end)
}

/**
 * One spelling for rules and paths (RFC 9309, 2.2.2): `ü` and `%c3%bc` become `%C3%BC`, and `%61` becomes `a`.
 * Otherwise a crawler could read `/private` although `/%70rivate` is forbidden.
 */
function normalize(text: string): string {
  return encodeURI(text.toWellFormed())
    .replace(/%25/g, '%')
    .replace(/%[\da-f]{2}/gi, (escaped) => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
    })
}
