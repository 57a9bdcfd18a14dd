import type { Log } from '../../../core/log.ts'
import type { Dependency } from '../../../core/outages.ts'
import { MailError, type Mailer } from '../../../platform/net/mail.ts'
import type { Scan } from '../scans/scan-rows.ts'

const mailServer: Dependency = {
  name: 'the mail server',
  means: 'reports are sent later, up to eight times',
}

/**
 * Sends the report of an ended scan, or why there is none, to the address that the caller named.
 * @throws MailError when the mail server may take the letter later.
 */
export async function sendReport(
  {
    mailer,
    baseUrl,
    log,
  }: { readonly mailer: Pick<Mailer, 'send'>; readonly baseUrl: string; readonly log: Log },
  scan: Scan,
): Promise<void> {
  const { id, email, owner, analysis, errorMessage } = scan
  // This version sends no such job, but another version may have.
  if (email === null) return
  const { scanMail } = await import('../report/mail-report.ts')
  const outcome = analysis ? { analysis } : { problem: errorMessage ?? 'The scan could not be finished.' }
  try {
    await mailer.send(scanMail({ ...scan, email, isPrivate: owner !== null, outcome }, baseUrl))
    log.outages.works(mailServer)
  } catch (error) {
    if (error instanceof MailError && error.isOutage) log.outages.failed(mailServer, error)
    if (!(error instanceof MailError && error.isPermanent)) throw error
    log.warn({ scan: id, err: error }, 'a report was refused by the mail server')
  }
}
