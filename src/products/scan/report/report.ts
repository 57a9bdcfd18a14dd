import type { Opportunity, Report, ScoreBreakdown, UnscoredArea, Workflow } from '../findings/results.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import { explainArea } from './explain-area.ts'
import { capped } from './gates.ts'
import { keyFindings } from './key-findings.ts'
import { type Area, countingAreas, idOf, type ScoredArea, scoreAgent, shareOf, totalOf } from './scoring.ts'
import { type SummaryParts, summarize } from './summary.ts'
import { formatTimeSavings, hoursBasis, timeSavings } from './time-savings.ts'
import { firstStep, languageNote, verdictOf } from './verdict.ts'
import { tasksOf } from './work/tasks.ts'

export type ReportParts = Omit<SummaryParts, 'readinessScore' | 'aeoScore' | 'opportunities'> & {
  readonly workflows: readonly Workflow[]
  readonly later?: Report['later']
  /** Of the site, such as `de`; undefined where it is not known. */
  readonly language?: string | undefined
  /** In the order of their priority. */
  readonly opportunities: readonly Opportunity[]
}

/**
 * Writes the report of a scan. Every number comes from a finding and every sentence from a template over
 * findings, so two reports of the same capture are equal.
 * @throws ScanFailure when nothing could be measured: a score of 0 would be a claim about the site
 */
export function makeReport(parts: ReportParts): Report {
  const { areas, gates, actions, later, workflows, opportunities, domain, pagesRead } = parts
  const readiness = totalOf(areas, 'readiness')
  const aeo = totalOf(areas, 'aeo')
  if (readiness === undefined || aeo === undefined) {
    throw new ScanFailure(
      'NOTHING_MEASURED',
      `No part of ${domain} could be measured, so there is no score. Check that the page opens in a browser without a log-in, then scan again.`,
    )
  }
  const hours = timeSavings(opportunities)
  const readinessScore = Math.round(capped(readiness, gates))
  const aeoScore = Math.round(capped(aeo, gates))
  const { coverage } = scoreAgent(areas.flatMap(({ findings }) => findings))
  const judged = { readinessScore, aeoScore, coverage, gates, actions }
  return {
    readinessScore,
    aeoScore,
    readinessBreakdown: countingAreas(areas, 'readiness').map(breakdown),
    aeoBreakdown: countingAreas(areas, 'aeo').map(breakdown),
    unscoredAreas: areas.flatMap(unscored),
    gates: [...gates],
    verdict: [...verdictOf(judged), firstStep(actions), ...languageNote(actions, parts.language)].join(' '),
    executiveSummary: summarize({ ...parts, readinessScore, aeoScore }),
    keyFindings: keyFindings(actions),
    actions: [...actions],
    tasks: tasksOf(actions, titlesOf(areas)),
    ...(later && { later }),
    ...(pagesRead && { pagesRead: [...pagesRead] }),
    totalTimeSavingsPotential: formatTimeSavings(hours),
    ...(hours && { timeSavingsBasis: hoursBasis }),
    workflows: [...workflows],
    opportunities: [...opportunities],
  }
}

function titlesOf(areas: readonly Area[]): ReadonlyMap<string, string> {
  return new Map(areas.flatMap(({ findings }) => findings).map((one) => [idOf(one), one.title]))
}

function breakdown(area: ScoredArea): ScoreBreakdown {
  return {
    category: area.name,
    score: area.score,
    explanation: explainArea(area),
    checked: shareOf(area),
  }
}

function unscored(area: Area): UnscoredArea[] {
  if (area.score !== undefined) return []
  return [{ category: area.name, explanation: explainArea(area), checked: shareOf(area) }]
}
