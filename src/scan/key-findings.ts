import { oneLine } from '../text/plain-text.ts'
import type { Finding } from './check.ts'
import { type Miss, worstFirst } from './scoring.ts'

/**
 * What a reader should know first: the most costly findings of all agents, each with the place where
 * anyone can see it.
 */
export function keyFindings(findings: readonly Finding[]): string[] {
  return mostCostly(findings, most).map((finding) => oneLine(withPlace(finding), maxLength))
}

const most = 8
const maxLength = 700

/**
 * The worst findings. Several agents look at the same fault from their side (one line of robots.txt, one
 * missing block of markup); it is told once, by the one it costs most.
 */
export function mostCostly(findings: readonly Finding[], count: number): Miss[] {
  const told = new Set<string>()
  const chosen: Miss[] = []
  for (const finding of worstFirst(findings)) {
    if (chosen.length === count) break
    const keys = faultsOf(finding)
    if (keys.some((key) => told.has(key))) continue
    for (const key of keys) told.add(key)
    chosen.push(finding)
  }
  return chosen
}

/** What makes two findings the same fault: the place it is seen at, or a cause that the checks share. */
function faultsOf({ agent, check, evidence }: Miss): string[] {
  const [first] = evidence
  const id = `${agent}/${check}`
  const cause = sharedCauses.findIndex((checks) => checks.includes(id))
  return [
    ...(first === undefined ? [] : [`${first.url} ${first.value}`]),
    ...(cause === -1 ? [] : [`cause ${cause}`]),
  ]
}

/** Checks that one repair settles. */
const sharedCauses: readonly (readonly string[])[] = [
  ['core-snapshot/ssr-text', 'render-performance/js-shell'],
  ['core-snapshot/search-bots', 'crawl-access/search-tier'],
  ['core-snapshot/jsonld-any', 'structured-data/organization'],
  ['core-snapshot/contact-path', 'workflow-automation/lead-capture'],
  ['security-safety/security-txt', 'entity-trust/accountability'],
]

/** What was found, with the first piece of evidence: "… (https://example.com/: 3 H1 headings)." */
export function withPlace({ reason, evidence }: Miss): string {
  const [first] = evidence
  if (first === undefined) return reason
  return `${reason.replace(/[.\s]{1,3}$/, '')} (${first.url}: ${first.value}).`
}
