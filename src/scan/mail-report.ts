import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Mail } from '../net/mail.ts'
import type { Analysis } from './results.ts'

export interface EndedScan {
  readonly id: string
  readonly domain: string
  /** Who asked for the report. */
  readonly email: string
  /** The report, or why there is none, in the words that the status of the scan shows. */
  readonly outcome: { readonly analysis: Analysis } | { readonly problem: string }
}

/**
 * The letter that tells how a scan ended. Findings quote the scanned site, whose author could otherwise
 * have us send their markup and links to whoever scans them: the HTML is escaped, and the only link is
 * our own. One scan has one message id, so a repeated job is not a second letter.
 */
export function scanMail({ id, domain, email, outcome }: EndedScan, baseUrl: string): Mail {
  const analysis = 'analysis' in outcome ? outcome.analysis : undefined
  const subject =
    analysis === undefined
      ? `The scan of ${domain} could not be finished`
      : `Scan of ${domain}: ${analysis.report.readinessScore} of 100 for AI readiness`
  const view = {
    subject,
    domain,
    analysis,
    problem: 'problem' in outcome ? outcome.problem : undefined,
    link: `${baseUrl.replace(/\/$/, '')}/api/insights/scan/${id}/${analysis === undefined ? 'status' : 'results'}`,
    opportunities: analysis === undefined ? [] : topOpportunities(analysis),
  }
  return {
    to: email,
    subject,
    html: htmlLetters.render('./mail-report', view),
    text: plainLetters.render('./mail-report-text', view),
    messageId: `scan-${id}`,
  }
}

const views = fileURLToPath(new URL('views', import.meta.url))
const htmlLetters = new Eta({ views, autoEscape: true, cache: true })
const plainLetters = new Eta({ views, autoEscape: false, cache: true })

function topOpportunities({ report }: Analysis): { title: string; hours: string; description: string }[] {
  return report.opportunities.slice(0, 3).map(({ title, description, estimatedTimeSavingsRange: range }) => ({
    title,
    hours: range === undefined ? '' : ` (${range})`,
    description,
  }))
}
