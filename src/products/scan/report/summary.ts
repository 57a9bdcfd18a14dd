import { listOf } from '../../text/plain-text.ts'
import type { Finding } from '../findings/check.ts'
import { namedChecks } from '../findings/named-checks.ts'
import type { Action, Gate } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { shown } from '../site/addresses.ts'
import type { Depth } from '../site/capture.ts'
import { countedChecks } from './explain-area.ts'
import { stepText } from './key-findings.ts'
import { type Area, isMeasured, scoreAgent, scoredAreas } from './scoring.ts'
import { inPlainWords, termsIn } from './terms.ts'
import { verdictOf } from './verdict.ts'

export interface SummaryParts {
  readonly companyName: string
  readonly domain: string
  readonly depth: Depth
  readonly readinessScore: number
  readonly aeoScore: number
  readonly areas: readonly Area[]
  /** What keeps agents out, the lowest cap first. */
  readonly gates: readonly Gate[]
  /** The most useful first. */
  readonly actions: readonly Action[]
  /** Whether the site tells what trade it is in. */
  readonly isIndustryClear: boolean
  /** Addresses of the pages whose text was read. */
  readonly pagesRead?: readonly string[]
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
    ...verdictOf({ ...parts, coverage }),
    ...(coverage < minCoverage
      ? [`Only ${coverage} % of what applies could be measured, so the scores say little.`]
      : []),
    ...scores(parts, findings, coverage),
    ...readOf(parts.pagesRead ?? []),
    ...extremes(parts.areas),
    ...steps(parts.actions),
    ...gaps(parts.areas),
    ...(parts.isIndustryClear || parts.gates.length > 0 ? [] : [unclearIndustry]),
  ].join(' ')
}

const unclearIndustry =
  'The industry is not clear: the title, the main heading and the description of the page name none that we know.'

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
  const measured = countedChecks(findings).filter(isMeasured)
  const made = `This ${depth} scan made ${counted(measured.length, 'check')} in ${counted(areas.length, 'area')}`
  return [
    `${name} scores ${readinessScore} of 100 for AI readiness and ${aeoScore} of 100 for AEO. AEO (answer engine optimization) is how well answer engines can quote the site.`,
    coverage < minCoverage
      ? `${made}.`
      : `${made} and could measure ${coverage} % of what applies to the site.`,
  ]
}

/** Statements about "the pages" are about these alone, so their owner has to know which. */
function readOf(pages: readonly string[]): string[] {
  if (pages.length === 0) return []
  const named = pages.slice(0, 3).map((url) => shown(url, 120))
  const more = pages.length - named.length
  return [
    `${counted(pages.length, 'page')} ${pages.length === 1 ? 'was' : 'were'} read: ${listOf(more > 0 ? [...named, `${more} more`] : named)}.`,
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

/** The first three actions. The others follow in the list of actions. */
function steps(actions: readonly Action[]): string[] {
  if (actions.length === 0) return ['Nothing that was measured has to be mended.']
  const first = actions.slice(0, 3)
  return [
    first.length === 1 ? 'What to do first:' : `The first ${first.length} steps:`,
    ...first.map((action, place) => `${place + 1}. ${stepText(action)}`),
    ...wordsOf(first),
  ]
}

/** What the words of the web trade in these steps mean. */
function wordsOf(actions: readonly Action[]): string[] {
  const titles = actions.flatMap(({ title, terms = [] }) => (terms.length === 0 ? [] : [title]))
  return inPlainWords(termsIn(...titles))
}

function gaps(areas: readonly Area[]): string[] {
  const open = areas.flatMap(({ findings }) => findings.filter(isOpen))
  const unseen = areas.filter((area) => area.score === undefined && hasOpen(area))
  return [
    ...(open.length > 0 ? [`${counted(open.length, 'check')} could not be made: ${namedChecks(open)}.`] : []),
    ...(unseen.length > 0
      ? [`No score was given for ${namesOf(unseen)}. Less than half of the checks there could be made.`]
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
  const names = areas.slice(0, 3).map(({ name }) => name)
  return listOf(areas.length > 3 ? [...names, counted(areas.length - 3, 'more area')] : names)
}
