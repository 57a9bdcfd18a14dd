import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { SignatureDirectory } from '../../edge/handlers/scans/signature-directory.ts'
import type { ScanParts } from '../../edge/handlers/scans/trigger.ts'
import type { Config } from '../../platform/config/config.ts'
import { createBotSigner, directoryReply } from '../../platform/net/bot-signature.ts'
import type { Fetcher } from '../../platform/net/fetch.ts'
import { createMailer } from '../../platform/net/mail.ts'
import { parsePrivateTargets } from '../../platform/net/target.ts'
import type { Database } from '../../platform/store/database.ts'
import { Jobs } from '../../platform/store/jobs/jobs.ts'
import { renewListing } from '../../products/directory/listings.ts'
import { openBotKey } from '../../products/scan/crawl/bot-key.ts'
import { listableSite } from '../../products/scan/scans/listable-scans.ts'
import { createScans, type FollowUp } from '../../products/scan/scans/scans.ts'
import { productToken } from '../../products/scan/site/files/robots.ts'
import { AnalysisPool } from '../../products/scan/worker/analysis-pool.ts'
import { judgeCapture } from '../../products/scan/worker/judge-capture.ts'
import { sendReport } from '../../products/scan/worker/send-report.ts'
import { ScanWorker, type ScanWorkerParts } from '../../products/scan/worker/worker.ts'
import { indexCompleted } from '../../products/search/index-scan.ts'
import { keepIndexed } from '../../products/search/keep-indexed.ts'
import type { TextEngine } from '../../products/text/engine.ts'
import { createForgetting, type Forgetting } from './forgetting.ts'

export interface Scanning {
  readonly endpoints: Pick<ScanParts, 'scans' | 'submit' | 'allowedTargets'>
  readonly directory: SignatureDirectory
  readonly forgetting: Forgetting
  /** What fetches websites, for texts about them too. */
  readonly fetcher: () => Promise<Fetcher>
  /** Gives running scans back to the queue, for another gateway or the next start. */
  close(): Promise<void>
}

/** Composes what scans websites: the fetcher, the threads that judge, the queue of scans and the mailer. */
export async function createScanning({
  config,
  smtpUrl,
  version,
  database,
  clock,
  text,
  giveBack,
  followUps,
  log,
}: {
  readonly config: Config
  readonly smtpUrl: string | undefined
  readonly version: string
  readonly database: Database
  readonly clock: Clock
  readonly text: TextEngine
  readonly giveBack: ScanWorkerParts['giveBack']
  readonly followUps: readonly FollowUp[]
  readonly log: Log
}): Promise<Scanning> {
  const { queries } = database
  const { baseUrl, scans: settings, mail, dataDir } = config
  const allowedTargets = parsePrivateTargets(settings.allowedTargets)
  const privateKey = await openBotKey({ queries, clock })
  const crawler = loadOnce(async () => {
    const [{ createFetcher }, { takeCapture }] = await Promise.all([
      import('../../platform/net/fetch.ts'),
      import('../../products/scan/crawl/take-capture.ts'),
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
  const letters = join(dataDir, 'mail')
  const mailer = createMailer({ smtpUrl, folder: letters, from: mail.from })
  const pool = new AnalysisPool(log)
  const renewListings: FollowUp = async (transaction, move) => {
    const site = listableSite(move)
    if (site) await renewListing({ queries: transaction, clock }, site)
  }
  const scans = createScans({ queries, clock }, [renewListings, indexCompleted, ...followUps])
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
    async makePlaybook(analysis) {
      const { makePlaybook } = await import('../../products/scan/playbook/playbook.ts')
      return makePlaybook(analysis)
    },
    giveBack,
    concurrency: settings.atOnce,
  })
  worker.startLater()
  const stopIndexing = keepIndexed(queries, log)
  return {
    endpoints: { scans, submit: (scan) => worker.submit(scan), allowedTargets },
    directory: () => directoryReply({ privateKey, clock }, new URL(baseUrl).host),
    fetcher: async () => (await crawler.load()).fetcher,
    forgetting: createForgetting({ queries, clock }, config.retention, letters),
    async close() {
      await stopIndexing()
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
