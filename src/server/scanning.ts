import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { SignatureDirectory } from '../edge/handlers/scans/signature-directory.ts'
import type { ScanParts } from '../edge/handlers/scans/trigger.ts'
import type { Config } from '../platform/config/config.ts'
import { createBotSigner, directoryReply } from '../platform/net/bot-signature.ts'
import { createMailer } from '../platform/net/mail.ts'
import { parsePrivateTargets } from '../platform/net/target.ts'
import type { Database } from '../platform/store/database.ts'
import { Jobs } from '../platform/store/jobs/jobs.ts'
import { openBotKey } from '../products/scan/crawl/bot-key.ts'
import { makePlaybook } from '../products/scan/playbook/playbook.ts'
import { forgetEvents } from '../products/scan/scans/scan-events.ts'
import { createScans } from '../products/scan/scans/scans.ts'
import { AnalysisPool } from '../products/scan/worker/analysis-pool.ts'
import { judgeCapture } from '../products/scan/worker/judge-capture.ts'
import { sendReport } from '../products/scan/worker/send-report.ts'
import { ScanWorker, type ScanWorkerParts } from '../products/scan/worker/worker.ts'
import type { TextEngine } from '../products/text/engine.ts'

export interface Scanning {
  readonly endpoints: Pick<ScanParts, 'scans' | 'submit' | 'allowedTargets'>
  readonly directory: SignatureDirectory
  /** Deletes old events; to be called now and then. */
  readonly forget: () => Promise<void>
  /** Gives running scans back to the queue, for another gateway or the next start. */
  close(): Promise<void>
}

/** The name by which robots.txt files address our scans. */
const productToken = 'tollgate'

/** Composes what scans websites: the fetcher, the threads that judge, the queue of scans and the mailer. */
export async function createScanning({
  config,
  smtpUrl,
  version,
  database,
  clock,
  text,
  giveBack,
  log,
}: {
  readonly config: Config
  readonly smtpUrl: string | undefined
  readonly version: string
  readonly database: Database
  readonly clock: Clock
  readonly text: TextEngine
  readonly giveBack: ScanWorkerParts['giveBack']
  readonly log: Log
}): Promise<Scanning> {
  const { queries } = database
  const { baseUrl, scans: settings, mail, dataDir } = config
  const allowedTargets = parsePrivateTargets(settings.allowedTargets)
  const privateKey = await openBotKey({ queries, clock })
  const crawler = loadOnce(async () => {
    const [{ createFetcher }, { takeCapture }] = await Promise.all([
      import('../platform/net/fetch.ts'),
      import('../products/scan/crawl/take-capture.ts'),
    ])
    const fetcher = createFetcher({
      userAgent: `${productToken}/${version} (+${baseUrl})`,
      allowed: allowedTargets,
      // A website that checks a signature fetches its key from our public address, which has to be https.
      ...(baseUrl.startsWith('https:')
        ? { sign: createBotSigner({ privateKey, agentUrl: baseUrl, clock }) }
        : {}),
    })
    return { fetcher, takeCapture }
  })
  const mailer = createMailer({ smtpUrl, folder: join(dataDir, 'mail'), from: mail.from })
  const pool = new AnalysisPool(log)
  const scans = createScans({ queries, clock })
  const jobs = new Jobs(database, log)
  const worker = new ScanWorker({
    scans,
    jobs,
    log,
    async capture(request, onProgress, signal) {
      const { fetcher, takeCapture } = await crawler.load()
      const parts = { fetcher, clock, productToken, read: pool.reader(request.depth) }
      return await takeCapture(parts, request, onProgress, signal)
    },
    analyze: (capture, signal) => judgeCapture({ pool, text, clock, log }, capture, signal),
    sendReport: (scan) => sendReport({ mailer, baseUrl, log }, scan),
    makePlaybook,
    giveBack,
    concurrency: settings.atOnce,
  })
  worker.startLater()
  return {
    endpoints: { scans, submit: (scan) => worker.submit(scan), allowedTargets },
    directory: () => directoryReply({ privateKey, clock }, new URL(baseUrl).host),
    forget: () => forgetEvents({ queries, clock }),
    async close() {
      await worker.close()
      await jobs.close()
      await pool.close()
      await (await crawler.loaded())?.fetcher.close()
      mailer.close()
    },
  }
}

/**
 * Loads with the first scan: fetching and reading pages is a third of all the code that a start would load.
 */
function loadOnce<Loaded>(load: () => Promise<Loaded>) {
  let loading: Promise<Loaded> | undefined
  return {
    load: () => {
      loading ??= load()
      return loading
    },
    loaded: () => loading,
  }
}
