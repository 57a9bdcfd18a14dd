import { listOf, oneLine, sentence } from '../../text/plain-text.ts'
import type { Finding } from '../findings/check.ts'
import type { Gate, Opportunity } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import type { Depth } from '../site/capture.ts'
import { namedChecks } from './explain-area.ts'
import { mostCostly } from './key-findings.ts'
import { type Area, scoreAgent, scoredAreas } from './scoring.ts'
import { formatTimeSavings, hoursAreEstimates, timeSavings } from './time-savings.ts'

export interface SummaryParts {
  readonly companyName: string
  readonly domain: string
  readonly depth: Depth
  readonly readinessScore: number
  readonly aeoScore: number
  readonly areas: readonly Area[]
  /** What keeps agents out, the lowest cap first. */
  readonly gates: readonly Gate[]
  readonly opportunities: readonly Opportunity[]
}

/**
 * Writes the report in one paragraph from measured facts only. It also says what was not measured, because a
 * reader would take silence for praise.
 */
export function summarize(parts: SummaryParts): string {
  const findings = parts.areas.flatMap((area) => area.findings)
  const { coverage } = scoreAgent(findings)
  return [
    ...barriers(parts.gates),
    ...(coverage < minCoverage
      ? [`Only ${coverage} % of what applies could be measured, so the scores say little.`]
      : []),
    ...scores(parts, findings, coverage),
    ...extremes(parts.areas),
    ...fixes(parts.areas),
    ...savings(parts.opportunities),
    ...gaps(parts.areas),
  ].join(' ')
}

/** What keeps agents out comes before everything else: until it is gone, no other fix helps. */
function barriers(gates: readonly Gate[]): string[] {
  const [first] = gates
  if (first === undefined) return []
  const cap = `Until this is mended, neither score can be higher than ${first.cap} of 100.`
  return [...gates.map(({ reason }) => reason), cap]
}

/** Percent. Below it, the scores say more about what kept the scan out than about the site. */
const minCoverage = 50

function scores(
  { companyName, domain, depth, readinessScore, aeoScore, areas }: SummaryParts,
  findings: readonly Finding[],
  coverage: number,
): string[] {
  const name = companyName === domain ? domain : `${companyName} (${domain})`
  const measured = findings.filter(({ result }) => result !== 'na' && result !== 'unmeasured')
  const made = `This ${depth} scan made ${counted(measured.length, 'check')} in ${counted(areas.length, 'area')}`
  return [
    `${name} scores ${readinessScore} of 100 for AI readiness and ${aeoScore} of 100 for AEO, which is how well answer engines can use the site.`,
    coverage < minCoverage
      ? `${made}.`
      : `${made} and could measure ${coverage} % of what applies to the site.`,
  ]
}

function extremes(areas: readonly Area[]): string[] {
  const [first, ...others] = scoredAreas(areas)
  if (first === undefined) return []
  const best = others.reduce((one, other) => (other.score > one.score ? other : one), first)
  const worst = others.reduce((one, other) => (other.score < one.score ? other : one), first)
  if (best.score === worst.score) return []
  return [
    `The strongest area is ${best.name} (${best.score} of 100), the weakest is ${worst.name} (${worst.score} of 100).`,
  ]
}

const maxFixLength = 400

function fixes(areas: readonly Area[]): string[] {
  const worst = mostCostly(
    areas.flatMap(({ findings }) => findings),
    3,
  )
  if (worst.length === 0) return ['Nothing that was measured has to be mended.']
  const steps = worst.map(({ fix }) => sentence(oneLine(fix, maxFixLength)))
  return ['What to do first:', ...steps]
}

function savings(opportunities: readonly Opportunity[]): string[] {
  const [first, ...others] = opportunities
  if (first === undefined) return ['No work that could be automated was seen.']
  const hours = timeSavings(opportunities)
  const caution = hours === undefined ? [] : [hoursAreEstimates]
  if (others.length === 0) {
    const worth = hours === undefined ? '' : `, worth ${formatTimeSavings(hours)}`
    return [`The site shows one piece of work that could be automated${worth}: ${first.title}.`, ...caution]
  }
  const worth = hours === undefined ? '' : `, together worth ${formatTimeSavings(hours)}`
  return [
    `The site shows ${opportunities.length} pieces of work that could be automated${worth}; the first is ${first.title}.`,
    ...caution,
  ]
}

function gaps(areas: readonly Area[]): string[] {
  const open = areas.flatMap(({ findings }) => findings.filter(isOpen))
  const unscored = areas.filter(({ score }) => score === undefined)
  const [unseen, inapplicable] = [unscored.filter(hasOpen), unscored.filter((area) => !hasOpen(area))]
  return [
    ...(open.length > 0 ? [`${counted(open.length, 'check')} could not be made: ${namedChecks(open)}.`] : []),
    ...(unseen.length > 0
      ? [`No score was given for ${namesOf(unseen)}, where less than half of the checks could be made.`]
      : []),
    ...(inapplicable.length > 0
      ? [
          `No score was given for ${namesOf(inapplicable)}, because less than half of what is checked there applies to this site.`,
        ]
      : []),
  ]
}

function hasOpen({ findings }: Area): boolean {
  return findings.some(isOpen)
}

/** A check of weight 0 is only information and leaves no gap. */
function isOpen({ result, weight }: Finding): boolean {
  return result === 'unmeasured' && weight > 0
}

function namesOf(areas: readonly Area[]): string {
  return listOf(areas.map(({ name }) => name))
}
