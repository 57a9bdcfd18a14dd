import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Analysis } from '../findings/results.ts'
import { viewOf } from './report-view.ts'

/**
 * Writes the report as a page for people, with every block to copy. The e-mail leads here, and its reader may never
 * have seen JSON. The page quotes a site that may be hostile: everything is escaped, nothing is a link, and the policy
 * allows no script.
 */
export function reportPage(
  domain: string,
  analysis: Analysis,
): { readonly html: string; readonly csp: string } {
  const { report, coverage } = analysis
  const aeo = new Map(report.aeoBreakdown.map(({ category, score }) => [category, score]))
  const areas = report.readinessBreakdown.map(({ category, score, explanation }) => ({
    category,
    readiness: score,
    aeo: aeo.get(category),
    explanation,
  }))
  const html = pages.render('./report-page', { domain, report, coverage, areas, view: viewOf(analysis), css })
  return { html, csp }
}

const views = fileURLToPath(new URL('views', import.meta.url))
const pages = new Eta({ views, autoEscape: true, cache: true })
const css = readFileSync(new URL('views/report-page.css', import.meta.url), 'utf8')
// The hash covers the exact text of the element.
const styleHash = createHash('sha256').update(css).digest('base64')
const csp = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
