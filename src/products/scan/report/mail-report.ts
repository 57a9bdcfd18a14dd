import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Mail } from '../../../platform/net/mail.ts'
import type { Analysis, Report } from '../findings/results.ts'
import { disarm } from './disarm.ts'

export interface EndedScan {
  readonly id: string
  readonly domain: string
  /** The address that asked for the report. */
  readonly email: string
  /** The scan was made with an API key, and only that key opens the link in the e-mail. */
  readonly isPrivate: boolean
  /** The report, or the problem in the words that the status of the scan shows. */
  readonly outcome: { readonly analysis: Analysis } | { readonly problem: string }
}

/**
 * Writes the e-mail about a finished scan. Findings quote the scanned site, whose author could otherwise
 * have us send markup and links to anyone who scans it. So the HTML is escaped, and the only links are ours and
 * those of the site itself. The message id comes from the scan, so a repeated job does not send a second
 * e-mail.
 */
export function scanMail({ id, domain, email, isPrivate, outcome }: EndedScan, baseUrl: string): Mail {
  const analysis = 'analysis' in outcome ? outcome.analysis : undefined
  const subject =
    analysis === undefined
      ? `The scan of ${domain} could not be finished`
      : `Scan of ${domain}: ${analysis.report.readinessScore} of 100 for AI readiness`
  const view = {
    subject,
    domain,
    analysis: analysis && { ...analysis, report: quoted(analysis.report, domain) },
    problem: 'problem' in outcome ? disarm(outcome.problem, domain) : undefined,
    isPrivate,
    link: `${baseUrl.replace(/\/$/, '')}/api/insights/scan/${id}/${analysis === undefined ? 'status' : 'results'}`,
    opportunities: analysis === undefined ? [] : topOpportunities(analysis),
  }
  return {
    to: email,
    subject,
    html: htmlMails.render('./mail-report', view),
    text: plainMails.render('./mail-report-text', view),
    messageId: `scan-${id}`,
  }
}

/** Disarms the parts that quote the site. */
function quoted(report: Report, domain: string): Report {
  return {
    ...report,
    executiveSummary: disarm(report.executiveSummary, domain),
    keyFindings: report.keyFindings.map((finding) => disarm(finding, domain)),
  }
}

const views = fileURLToPath(new URL('views', import.meta.url))
const htmlMails = new Eta({ views, autoEscape: true, cache: true })
const plainMails = new Eta({ views, autoEscape: false, cache: true })

function topOpportunities({ report }: Analysis): { title: string; hours: string; description: string }[] {
  return report.opportunities.slice(0, 3).map(({ title, description, estimatedTimeSavingsRange: range }) => ({
    title,
    hours: range === undefined ? '' : ` (${range})`,
    description,
  }))
}
