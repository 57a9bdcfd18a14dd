import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Mail } from '../../../platform/net/mail.ts'
import type { Analysis, Message, Report } from '../findings/results.ts'
import { registrableDomain } from '../site/addresses.ts'
import type { Depth } from '../site/capture.ts'
import { wrongFactsAsk } from './blocks/facts/asked-once.ts'
import { disarm } from './disarm.ts'
import { reportPage } from './report-page.ts'
import { type ReportView, type Step, viewOf } from './report-view.ts'

export interface EndedScan {
  readonly id: string
  readonly domain: string
  readonly url: string
  readonly depth: Depth
  readonly completedAt: Date | null
  /** The address that asked for the report. */
  readonly email: string
  /** The scan was made with an API key, which a browser cannot send. So the report goes with the e-mail. */
  readonly isPrivate: boolean
  /** The report, or the problem in the words that the status of the scan shows. */
  readonly outcome: { readonly analysis: Analysis } | { readonly problem: string }
}

/**
 * Writes the e-mail about a finished scan. Anyone can have any site scanned and address the report to a stranger, so
 * the author of the site must not write to that stranger in our name:
 *
 * - The subject and everything above the link to the results is ours. It names the site by its registrable domain
 *   alone, because the labels before it can hold any words.
 * - What quotes the site comes last, under a line that says so. It is disarmed, and in HTML escaped.
 * - The only link is ours. The attached report has none, and no script.
 *
 * The message id comes from the scan, so a repeated job does not send a second e-mail.
 */
export function scanMail(scan: EndedScan, baseUrl: string): Mail {
  const { id, domain, email, isPrivate, outcome } = scan
  const analysis = 'analysis' in outcome ? outcome.analysis : undefined
  const site = siteName(domain)
  const subject =
    analysis === undefined
      ? `The scan of ${site} could not be finished`
      : `Scan of ${site}: ${analysis.report.readinessScore} of 100 for AI readiness`
  const view = {
    subject,
    site: disarm(site),
    address: disarm(domain),
    analysis: analysis && { ...analysis, report: disarmed(analysis.report) },
    view: analysis && disarmedView(viewOf(analysis)),
    problem: 'problem' in outcome ? disarm(outcome.problem) : undefined,
    isPrivate,
    link: `${baseUrl.replace(/\/$/, '')}/api/insights/scan/${id}/${analysis === undefined ? 'status' : 'results'}`,
  }
  return {
    to: email,
    subject,
    html: htmlMails.render('./mail-report', view),
    text: plainMails.render('./mail-report-text', view),
    ...(isPrivate &&
      analysis !== undefined && {
        attachedPage: { name: 'report.html', html: reportPage(scan, analysis).html },
      }),
    messageId: `scan-${id}`,
  }
}

/**
 * The site in our own words: `example.com` of `shop.example.com`. An internationalized name stays in its ASCII form
 * (`xn--…`), because its letters can look like those of another name. A long name can be a message to the reader, so
 * it is left out.
 */
function siteName(domain: string): string {
  const name = registrableDomain(`http://${domain}/`)
  return /^[a-z0-9.-]+$/.test(name) && name.length <= maxNameLength ? name : 'a website'
}

const maxNameLength = 32

/** The parts that quote the site. */
function disarmed(report: Report): Report {
  return {
    ...report,
    executiveSummary: disarm(report.executiveSummary),
    keyFindings: report.keyFindings.map((finding) => disarm(finding)),
  }
}

/** The e-mail names the messages and does not hold them: their addresses must not be broken, and must not be links. */
function disarmedView({
  verdict,
  barriers,
  steps,
  tasks,
  pagesRead,
  small,
  later,
  gaps,
  appendix,
}: ReportView) {
  return {
    verdict: disarm(verdict),
    small: disarm(small),
    later: disarm(later),
    barriers: barriers.map((text) => disarm(text)),
    steps: steps.map(disarmedStep),
    tasks: tasks.map(({ title, gain, who, titleWords: words, above, steps: own, handedOn }) => ({
      title: disarm(title),
      gain,
      who,
      words,
      numbers: [...above, ...own.map(({ number }) => number)],
      asks: asksOf(handedOn?.message),
    })),
    pagesRead: pagesRead.map((url) => disarm(url)),
    gaps,
    appendix: appendix && {
      basis: appendix.basis,
      work: appendix.work.map(({ title, description, hours }) => ({
        title: disarm(title),
        description: disarm(description),
        hours: hours === '' ? '' : ` (${hours})`,
      })),
    },
  }
}

function disarmedStep(step: Step) {
  const { title, why, who, seen, gain, words, block, conflicts, message, sentWith, how } = step
  return {
    title: disarm(title),
    why: disarm(why),
    seen: disarm(seen),
    who,
    gain,
    words,
    hasBlock: block !== undefined,
    hasMessage: message !== undefined,
    sentWith,
    asks: asksOf(message),
    // What a message of several steps needs stands with it, in the report.
    conflicts: sentWith === undefined ? conflicts.map((text) => disarm(text)) : [],
    how: sentWith === undefined ? how.map((text) => disarm(text)) : [],
  }
}

/** What is wrong in the lines can only be said where they stand. */
function asksOf(message: Message | undefined): string[] {
  return (message?.asks ?? []).filter((text) => text !== wrongFactsAsk).map((text) => disarm(text))
}

const views = fileURLToPath(new URL('views', import.meta.url))
const htmlMails = new Eta({ views, autoEscape: true, cache: true })
const plainMails = new Eta({ views, autoEscape: false, cache: true })
