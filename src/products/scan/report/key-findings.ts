import { oneLine } from '../../text/plain-text.ts'
import type { Evidence, Finding } from '../findings/check.ts'
import type { Challenge } from '../findings/results.ts'
import { severityOf } from './challenges.ts'
import { type Issue, worstFirst } from './scoring.ts'

/**
 * What a reader should know first: the most costly findings of all agents, each with the place where
 * anyone can see it.
 */
export function keyFindings(findings: readonly Finding[]): string[] {
  return mostCostly(findings, maxFindings).map((finding) => oneLine(withPlace(finding), maxLength))
}

const maxFindings = 8
const maxLength = 700

/**
 * The worst findings. Several agents look at the same fault from their side (one line of robots.txt, one
 * missing certificate); it is told once, where it costs most, in the words of the check that stands for all.
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

/** What a finding and the challenge that is made of it have in common. */
interface Fault {
  /** Agent and check. */
  readonly id: string
  readonly severity: Challenge['severity']
  readonly evidence: readonly Evidence[]
}

/** For each of these faults that has the same cause as others: the id of the one that stands for all. */
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
  /** The first of these that was found stands for the others; the one with the clearest fix comes first. */
  readonly leads: readonly Symptom[]
  /** What the fix of that one settles too. */
  readonly others: readonly Symptom[]
}

/** A check that sees the cause, when what it found is due to that. */
interface Symptom {
  readonly id: string
  readonly when?: (fault: Fault) => boolean
}

const sharedCauses: readonly SharedCause[] = [
  {
    // The site has no https. Reached over https, the same checks see different faults.
    leads: [{ id: 'core-snapshot/reach', when: hasQuote(/^status 200 .{0,100} at http:/) }],
    others: [
      { id: 'crawl-access/canonical', when: hasQuote(/http:/) },
      { id: 'security-safety/https-redirect' },
      { id: 'security-safety/hsts' },
    ],
  },
  {
    // An empty shell, or hardly a word: whatever looks at the text finds none.
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
    // A wall before the pages.
    leads: [{ id: 'crawl-access/bot-wall' }, { id: 'crawl-access/challenge' }],
    others: [{ id: 'core-snapshot/reach', when: hasQuote(/^status (?!200 )/) }],
  },
  { leads: [{ id: 'crawl-access/search-tier' }, { id: 'core-snapshot/search-bots' }], others: [] },
  { leads: [{ id: 'core-snapshot/jsonld-any' }, { id: 'structured-data/organization' }], others: [] },
  { leads: [{ id: 'workflow-automation/lead-capture' }, { id: 'core-snapshot/contact-path' }], others: [] },
  { leads: [{ id: 'security-safety/security-txt' }, { id: 'entity-trust/accountability' }], others: [] },
]

/** Failed, and not only in part. */
function isSevere({ severity }: Fault): boolean {
  return severity === 'high'
}

function hasQuote(value: RegExp): (fault: Fault) => boolean {
  return ({ evidence }) => evidence.some((seen) => value.test(seen.value))
}

/** What was found, with the first piece of evidence: "… (https://example.com/: 3 H1 headings)." */
export function withPlace({ reason, evidence }: Issue): string {
  const [first] = evidence
  if (first === undefined) return reason
  return `${reason.replace(/[.\s]{1,3}$/, '')} (${first.url}: ${first.value}).`
}
