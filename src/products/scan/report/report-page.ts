import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Action, Analysis } from '../findings/results.ts'
import { shown } from '../site/addresses.ts'
import { areasOfDepth, type Depth } from '../site/capture.ts'
import { viewOf } from './report-view.ts'

/**
 * Writes the report as a page for people, with every block to copy. The e-mail leads here, and its reader may never
 * have seen JSON. The page quotes a site that may be hostile: everything is escaped, nothing is a link, and the policy
 * allows no script.
 */
export function reportPage(
  { domain, url, depth, completedAt }: ScannedSite,
  analysis: Analysis,
): { readonly html: string; readonly csp: string } {
  const { report, challenges, coverage } = analysis
  const aeo = new Map(report.aeoBreakdown.map(({ category, score }) => [category, score]))
  // An area without a score has faults, too, and its steps name them.
  const unscored = (report.unscoredAreas ?? []).map((area) => ({ ...area, score: undefined }))
  const areas = [...report.readinessBreakdown, ...unscored].map(({ category, score, explanation }) => ({
    category,
    readiness: score,
    aeo: aeo.get(category),
    explanation: inShort(explanation),
    // What a site may do without is no fault, and is told apart.
    faults: challenges.flatMap((challenge) =>
      challenge.category === category && challenge.isExtra !== true
        ? faultOf(challenge, report.actions ?? [])
        : [],
    ),
  }))
  const scan = {
    // What was asked for may have led elsewhere, such as from https to http.
    url: shown(report.pagesRead?.[0] ?? url, 200),
    day: dayInWords(completedAt),
    depth,
    areas: areasOfDepth[depth],
    all: areasOfDepth.full,
  }
  const html = pages.render('./report-page', {
    domain,
    scan,
    report,
    coverage,
    areas,
    view: viewOf(analysis),
    css,
  })
  return { html, csp }
}

/** What was scanned, and when: an owner may have several reports. */
export interface ScannedSite {
  readonly domain: string
  readonly url: string
  readonly depth: Depth
  readonly completedAt: Date | null
}

/** "30 November 2026", by the clock of UTC. */
function dayInWords(day: Date | null): string {
  return day === null
    ? ''
    : day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/**
 * The page that stands at the address of a report before it is there, and where a scan has failed.
 * @param progress in per cent
 * @param message why it failed; null where it is under way
 */
export function unfinishedPage(
  domain: string,
  progress: number,
  message: string | null,
): { readonly html: string; readonly csp: string } {
  const isOver = message !== null
  return { html: pages.render('./unfinished-page', { domain, isOver, progress, message, css }), csp }
}

/** How many checks passed, and what was not measured. The faults stand in their steps, and are told once. */
function inShort(explanation: string): string {
  return explanation
    .split(/(?<=\.)\s+(?=[A-Z“0-9])/)
    .filter((sentence) =>
      /^(?:No score,|There is nothing|\d+ (?:of \d+ )?checks? |Not measured: |Would add )/.test(sentence),
    )
    .join(' ')
}

function faultOf(
  { id, title, severity }: Analysis['challenges'][number],
  actions: readonly Action[],
): string[] {
  if (severity === 'unmeasured') return []
  const step = actions.findIndex(({ settles }) => settles.includes(id)) + 1
  return [step === 0 ? `“${title}”` : `“${title}” (step ${step})`]
}

const views = fileURLToPath(new URL('views', import.meta.url))
const pages = new Eta({ views, autoEscape: true, cache: true })
const css = readFileSync(new URL('views/report-page.css', import.meta.url), 'utf8')
// The hash covers the exact text of the element.
const styleHash = createHash('sha256').update(css).digest('base64')
const csp = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
