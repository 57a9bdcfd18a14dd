import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Mail } from '../../../platform/net/mail.ts'
import type { Analysis, Report } from '../findings/results.ts'
import { disarm } from './disarm.ts'

export interface EndedScan {
  readonly id: string
  readonly domain: string
  /** Who asked for the report. */
  readonly email: string
  /** It was made with a key, and nobody else is shown it: the link in the e-mail opens with that key alone. */
  readonly isPrivate: boolean
  /** The report, or why there is none, in the words that the status of the scan shows. */
  readonly outcome: { readonly analysis: Analysis } | { readonly problem: string }
}

/**
 * The e-mail that tells how a scan ended. Findings quote the scanned site, whose author could otherwise
 * have us send their markup and links to whoever scans them: the HTML is escaped, and the only link is
 * our own and the site's. One scan has one message id, so a repeated job is not a second e-mail.
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

/** The parts that repeat what the site says. */
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
