import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { SignatureDirectory } from '../edge/handlers/scans/signature-directory.ts'
import type { ScanParts } from '../edge/handlers/scans/trigger.ts'
import type { Config } from '../platform/config/config.ts'
import { createBotSigner, directoryReply } from '../platform/net/bot-signature.ts'
import { createMailer, MailError } from '../platform/net/mail.ts'
import { parsePrivateTargets } from '../platform/net/target.ts'
import type { Database } from '../platform/store/database.ts'
import { openJobs } from '../platform/store/jobs/jobs.ts'
import { openBotKey } from '../products/scan/crawl/bot-key.ts'
import type { Analysis } from '../products/scan/findings/results.ts'
import { makePlaybook } from '../products/scan/playbook/playbook.ts'
import { scanMail } from '../products/scan/report/mail-report.ts'
import { rephraseSummary } from '../products/scan/report/rephrase.ts'
import { forgetEvents } from '../products/scan/scans/scan-events.ts'
import type { Scan } from '../products/scan/scans/scan-rows.ts'
import { createScans } from '../products/scan/scans/scans.ts'
import type { Capture, Depth } from '../products/scan/site/capture.ts'
import { createAnalysisPool } from '../products/scan/worker/analysis-pool.ts'
import { createScanWorker } from '../products/scan/worker/worker.ts'
import type { TextEngine } from '../products/text/engine.ts'

/** Everything that scans websites: the way out to them, the judges, the queue of what is to be done, the letters. */
export interface Scanning {
  readonly endpoints: Pick<ScanParts, 'scans' | 'submit' | 'allowedTargets'>
  readonly directory: SignatureDirectory
  /** To be done now and then. */
  readonly forget: () => Promise<void>
  /** Gives back what is under way, for the next gateway or the next start. */
  close(): Promise<void>
}

/** What websites call us in robots.txt. */
const productToken = 'tollgate'
/** How long may be fetched; what is left of the worker's limit is for reading what was fetched meanwhile. */
const captureMs: Readonly<Record<Depth, number>> = { light: 20_000, basic: 80_000, full: 210_000 }

/** Whoever asks for a price right after the start does not wait for the queues; nor does a gateway that nobody asks to scan. */
const startAfterMs = 1_500
const startAgainMs = 10_000

export async function createScanning({
  config,
  version,
  database,
  clock,
  text,
  log,
}: {
  readonly config: Config
  readonly version: string
  readonly database: Database
  readonly clock: Clock
  readonly text: TextEngine
  readonly log: Log
}): Promise<Scanning> {
  const { queries } = database
  const { baseUrl, scans: settings, mail, dataDir } = config
  const allowed = parsePrivateTargets(settings.allowedTargets)
  const privateKey = await openBotKey({ queries, clock })
  const wayOut = once(async () => {
    const [{ createFetcher }, { takeCapture }] = await Promise.all([
      import('../platform/net/fetch.ts'),
      import('../products/scan/crawl/take-capture.ts'),
    ])
    const fetcher = createFetcher({
      userAgent: `${productToken}/${version} (+${baseUrl})`,
      allowed,
      // Whoever checks a signature looks for its key at our public address, over https.
      ...(baseUrl.startsWith('https:')
        ? { sign: createBotSigner({ privateKey, agentUrl: baseUrl, clock }) }
        : {}),
    })
    return { fetcher, takeCapture }
  })
  const mailer = createMailer({ smtpUrl: mail.smtpUrl, folder: join(dataDir, 'mail'), from: mail.from })
  const pool = createAnalysisPool(log)
  const scans = createScans({ queries, clock })
  const jobs = openJobs(database, log)
  const worker = createScanWorker({
    scans,
    jobs,
    log,
    async capture(request, onProgress, signal) {
      const { fetcher, takeCapture } = await wayOut.get()
      return takeCapture(
        { fetcher, clock, productToken, read: pool.reader(request.depth) },
        request,
        onProgress,
        signal,
        captureMs[request.depth],
      )
    },
    analyze: judge,
    afterwards: sendReport,
    makePlaybook,
    atOnce: settings.atOnce,
  })
  let starting: Promise<void> | undefined
  let timer = setTimeout(start, startAfterMs).unref()

  /** What is submitted meanwhile waits in the store until the queues are open. */
  function start(): void {
    clearTimeout(timer)
    starting ??= worker.start().catch((error: unknown) => {
      log.error({ err: error }, 'scans cannot be carried out by this gateway yet; it is tried again')
      starting = undefined
      timer = setTimeout(start, startAgainMs).unref()
    })
  }

  async function judge(capture: Capture, signal: AbortSignal): Promise<Analysis> {
    const { analysis, faults } = await pool.analyze(capture, clock.now(), signal)
    if (faults.length > 0) log.error({ domain: capture.domain, faults }, 'checks broke and were left out')
    const { report } = analysis
    const { text: executiveSummary, keptBecause } = await rephraseSummary(
      report.executiveSummary,
      text,
      signal,
    )
    if (keptBecause !== undefined)
      log.warn({ domain: capture.domain, keptBecause }, 'a summary is told as measured')
    return { ...analysis, report: { ...report, executiveSummary } }
  }

  async function sendReport(
    { id, domain, email, owner, errorMessage }: Scan,
    analysis: Analysis | undefined,
  ) {
    // The worker sends none of these, but one of another version may have.
    if (email === null) return
    const outcome = analysis ? { analysis } : { problem: errorMessage ?? 'The scan could not be finished.' }
    try {
      await mailer.send(scanMail({ id, domain, email, isPrivate: owner !== null, outcome }, baseUrl))
    } catch (error) {
      // Asked again, the mail server would refuse again.
      if (!(error instanceof MailError && error.isPermanent)) throw error
      log.warn({ scan: id, err: error }, 'a report was refused by the mail server')
    }
  }

  return {
    endpoints: {
      scans,
      submit(scan) {
        start()
        return worker.submit(scan)
      },
      allowedTargets: allowed,
    },
    directory: () => directoryReply({ privateKey, clock }, new URL(baseUrl).host),
    forget: () => forgetEvents({ queries, clock }),
    async close() {
      clearTimeout(timer)
      await worker.close()
      await jobs.close()
      await starting
      clearTimeout(timer)
      await pool.close()
      await (await wayOut.made())?.fetcher.close()
      mailer.close()
    },
  }
}

/** Made when it is first asked for: what fetches and reads is a third of what a start would have to load. */
function once<Made>(make: () => Promise<Made>) {
  let making: Promise<Made> | undefined
  return {
    get: () => {
      making ??= make()
      return making
    },
    made: () => making,
  }
}
