import { oneLine } from '../../text/plain-text.ts'
import type { Evidence, Finding } from '../findings/check.ts'
import type { Challenge } from '../findings/results.ts'
import { severityOf } from './challenges.ts'
import { type Issue, worstFirst } from './scoring.ts'

/**
 * Returns the most costly findings of all agents, as sentences that each name a place where the fault can be
 * seen.
 */
export function keyFindings(findings: readonly Finding[]): string[] {
  return mostCostly(findings, maxFindings).map((finding) => oneLine(withPlace(finding), maxLength))
}

const maxFindings = 8
const maxLength = 700

/**
 * Returns the most costly findings. Several agents may report one fault, such as a line of robots.txt or a
 * missing certificate. It appears once, as the finding that leads its cause.
 */
export function mostCostly(findings: readonly Finding[], count: number): Issue[] {
  const worst = worstFirst(findings)
  const byId = new Map(worst.map((finding) => [idOf(finding), finding]))
  const leaders = leadersOf(
    worst.map((finding) => ({ ...finding, id: idOf(finding), severity: severityOf(finding) })),
  )
  const places = new Set<string>()
  const chosen = new Set<Issue>()
  for (const finding of worst) {
    if (chosen.size === count) break
    const leader = byId.get(leaders.get(idOf(finding)) ?? '') ?? finding
    const [first] = leader.evidence
    const place = first === undefined ? idOf(leader) : `${first.url} ${first.value}`
    if (places.has(place)) continue
    places.add(place)
    chosen.add(leader)
  }
  return [...chosen]
}

function idOf({ agent, check }: Finding): string {
  return `${agent}/${check}`
}

/** The fields that a finding shares with the challenge made of it. */
interface Fault {
  /** Agent and check: `core-snapshot/reach`. */
  readonly id: string
  readonly severity: Challenge['severity']
  readonly evidence: readonly Evidence[]
}

/** Finds faults that have the same cause. Returns the id of the leading fault for each of them. */
export function leadersOf(faults: readonly Fault[]): ReadonlyMap<string, string> {
  const leaders = new Map<string, string>()
  for (const { leads, others } of sharedCauses) {
    const lead = leads.flatMap((symptom) => faults.filter((fault) => isSymptom(symptom, fault)))[0]
    if (lead === undefined) continue
    const seen = faults.filter((fault) => [...leads, ...others].some((symptom) => isSymptom(symptom, fault)))
    for (const { id } of seen) if (!leaders.has(id)) leaders.set(id, lead.id)
  }
  return leaders
}

function isSymptom(symptom: Symptom, fault: Fault): boolean {
  return fault.severity !== 'unmeasured' && fault.id === symptom.id && (symptom.when?.(fault) ?? true)
}

interface SharedCause {
  /** The first of these that was found leads; the one with the clearest fix comes first. */
  readonly leads: readonly Symptom[]
  /** Faults that the same fix removes. */
  readonly others: readonly Symptom[]
}

/** A check that reports the cause, if the fault fits `when`. */
interface Symptom {
  readonly id: string
  readonly when?: (fault: Fault) => boolean
}

const sharedCauses: readonly SharedCause[] = [
  {
    // The site has no https. On a site with https the same checks report other faults.
    leads: [{ id: 'core-snapshot/reach', when: hasQuote(/^status 200 .{0,100} at http:/) }],
    others: [
      { id: 'crawl-access/canonical', when: hasQuote(/http:/) },
      { id: 'security-safety/https-redirect' },
      { id: 'security-safety/hsts' },
    ],
  },
  {
    // The page is an empty shell or has hardly a word, so every check of the text fails.
    leads: [
      { id: 'render-performance/js-shell', when: isSevere },
      { id: 'core-snapshot/ssr-text', when: isSevere },
    ],
    others: [
      { id: 'render-performance/js-shell' },
      { id: 'content-answerability/depth' },
      { id: 'content-answerability/answer-first' },
    ],
  },
  {
    // A wall stands before the pages.
    leads: [{ id: 'crawl-access/bot-wall' }, { id: 'crawl-access/challenge' }],
    others: [{ id: 'core-snapshot/reach', when: hasQuote(/^status (?!200 )/) }],
  },
  { leads: [{ id: 'crawl-access/search-tier' }, { id: 'core-snapshot/search-bots' }], others: [] },
  { leads: [{ id: 'core-snapshot/jsonld-any' }, { id: 'structured-data/organization' }], others: [] },
  { leads: [{ id: 'workflow-automation/lead-capture' }, { id: 'core-snapshot/contact-path' }], others: [] },
  { leads: [{ id: 'security-safety/security-txt' }, { id: 'entity-trust/accountability' }], others: [] },
]

/** The check failed with a large weight; a warning is not enough. */
function isSevere({ severity }: Fault): boolean {
  return severity === 'high'
}

function hasQuote(value: RegExp): (fault: Fault) => boolean {
  return ({ evidence }) => evidence.some((seen) => value.test(seen.value))
}

/** Adds the first piece of evidence to the reason: "… (https://example.com/: 3 H1 headings)." */
export function withPlace({ reason, evidence }: Issue): string {
  const [first] = evidence
  if (first === undefined) return reason
  return `${reason.replace(/[.\s]{1,3}$/, '')} (${first.url}: ${first.value}).`
}
