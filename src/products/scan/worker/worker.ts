import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import type { Jobs, Queue } from '../../../platform/store/jobs/jobs.ts'
import type { Analysis } from '../findings/results.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import type { PlaybookContent } from '../playbook/playbook-content.ts'
import { loadScan } from '../scans/find-scans.ts'
import { completePlaybook } from '../scans/playbooks.ts'
import type { Scan } from '../scans/scan-rows.ts'
import {
  advance,
  begin,
  type Created,
  complete,
  createScan,
  fail,
  findUnqueued,
  type Moved,
  markQueued,
  type NewScan,
  type Scans,
  takeStale,
} from '../scans/scans.ts'
import type { Capture, Depth } from '../site/capture.ts'

/**
 * Carries scans out, from the moment they are accepted to the moment their caller is told. A scan's row
 * is written first and its work is sent after that; what died in between is found and sent later, so no
 * accepted scan is lost. Once begun, a scan ends: with a result, or with an error that says what to do. Its
 * fetching has a limit here and its judging has one of its own, so that no scan fails because others are slow.
 */
export interface ScanWorker {
  /** Takes up scans: those that wait, those whose worker died, and from now on each one that is accepted. */
  start(): Promise<void>
  /** @returns `conflict` when the idempotency key stands for a scan of something else. */
  submit(scan: NewScan): Promise<Created | 'conflict'>
  /** Sends no more work. What runs is ended by closing the jobs. */
  close(): Promise<void>
}

export interface ScanParts {
  readonly scans: Scans
  readonly jobs: Jobs
  readonly log: Log
  /** @param onProgress takes the share that is done, 0 to 1. @throws ScanFailure when it is no use to try again. */
  readonly capture: (
    request: {
      readonly url: string
      readonly hasScheme: boolean
      readonly depth: Depth
      readonly domain: string
    },
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ) => Promise<Capture>
  /** May wait for its turn; has a limit of its own. */
  readonly analyze: (capture: Capture, signal: AbortSignal) => Promise<Analysis>
  /** Once a scan with an e-mail address has ended; again when it throws, and should the process die. */
  readonly afterwards: (scan: Scan, analysis: Analysis | undefined) => Promise<void>
  readonly makePlaybook: (analysis: Analysis) => PlaybookContent
  /** How many scans run here at a time. */
  readonly atOnce: number
  /** For one attempt at fetching; neither waiting nor judging counts. */
  readonly limitsMs?: Readonly<Record<Depth, number>>
  readonly retryDelaySeconds?: number
}

/** With what the analysis pool allows for judging, a scan that waits for nobody ends in 30 seconds, 2 and 5 minutes. */
const defaultLimitsMs: Readonly<Record<Depth, number>> = { light: 25_000, basic: 105_000, full: 275_000 }
/** Behind the fetching: waiting for a thread, judging, and what is written. */
const restSeconds = 600
/** How far a scan is once everything is fetched. */
const fetchedProgress = 70
/** Followers need no finer steps, and each one is a statement. */
const progressStep = 10
const sweepEveryMs = 60_000
const sweptAtOnce = 100
/** Longer than any attempt may take, and than it waits for the next. */
const staleMs = 1_200_000

const idOnly = z.object({ id: z.uuid() })
type ScanWork = z.infer<typeof idOnly>

export function createScanWorker(parts: ScanParts): ScanWorker {
  const { scans, jobs, log, limitsMs = defaultLimitsMs, retryDelaySeconds = 5 } = parts
  const scanning: Queue<ScanWork> = {
    name: 'scans',
    schema: idOnly,
    // By domain: nobody's site is fetched by two scans at a time.
    isKeyed: true,
    attempts: 3,
    retryDelaySeconds,
    limitSeconds: secondsOf(limitsMs.full) + restSeconds,
  }
  const telling: Queue<ScanWork> = {
    name: 'scan-afterwards',
    schema: idOnly,
    isKeyed: false,
    // For a mail server that is away for an hour or two.
    attempts: 8,
    retryDelaySeconds: retryDelaySeconds * 6,
    limitSeconds: 120,
  }
  // The embedded store answers in this thread, and many statements without a pause. Calls have their turn
  // between two that are sent.
  const inTurn = pLimit(1)
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined

  async function send({ id, domain, depth, priority }: SendableScan, jobId: string): Promise<void> {
    const limitSeconds = secondsOf(limitsMs[depth]) + restSeconds
    await inTurn(async () => {
      await jobs.send(scanning, { id }, { id: jobId, key: domain, priority, limitSeconds })
      await setImmediate()
    })
  }

  async function enqueue(scan: SendableScan): Promise<void> {
    await send(scan, scan.id)
    await markQueued(scans, [scan.id])
  }

  async function sweep(): Promise<void> {
    try {
      for (const scan of await findUnqueued(scans, sweptAtOnce)) await enqueue(scan)
      // Should its work still be somewhere, the second to do it finds nothing to do.
      for (const scan of await takeStale(scans, staleMs)) await send(scan, randomUUID())
    } catch (error) {
      log.warn({ err: error }, 'accepted scans could not be handed to the workers; it is tried again')
    }
  }

  async function scan({ id }: ScanWork, closing: AbortSignal): Promise<void> {
    const begun = await begin(scans, id)
    if (!begun) return await finishAgain(id)
    const { row, attempt } = begun
    const superseded = new AbortController()
    const signal = AbortSignal.any([closing, superseded.signal])
    let analysis: Analysis
    try {
      analysis = await orAborted(signal, findOut(row, attempt, superseded, signal))
    } catch (error) {
      if (superseded.signal.aborted) return
      if (closing.aborted) throw error
      if (!(error instanceof ScanFailure)) throw error
      log.info({ scan: id, reason: error.code }, 'a scan failed')
      if (await fail(scans, id, attempt, error.code, error.message)) await tell(row)
      return
    }
    if (await complete(scans, id, attempt, analysis)) await finish(row, analysis)
  }

  /** @param superseded is aborted when somebody else has taken the scan over. */
  async function findOut(
    { id, url, hasScheme, depth, domain }: Moved,
    attempt: number,
    superseded: AbortController,
    signal: AbortSignal,
  ): Promise<Analysis> {
    const step = async (status: 'fetching' | 'analyzing', progress: number, message: string) => {
      if (await advance(scans, id, attempt, { status, progress, message })) return
      superseded.abort(new Error('another worker has taken the scan over'))
      signal.throwIfAborted()
    }
    const progress = createProgress((percent) => step('fetching', percent, 'The site is being fetched.'))
    const captured = await within(limitsMs[depth], signal, (limited) =>
      parts.capture({ url, hasScheme, depth, domain }, progress.tell, limited),
    )
    await progress.written()
    await step('analyzing', fetchedProgress, 'What was fetched is being analysed.')
    return await parts.analyze(captured, signal)
  }

  /** All that follows a complete scan. The playbook comes last: whatever it does, the caller is told. */
  async function finish(scan: Addressed, analysis: Analysis): Promise<void> {
    await tell(scan)
    await completePlaybook(scans, scan.id, parts.makePlaybook(analysis))
  }

  /** The attempt before this one brought the scan to its end, and died before all that follows was done. */
  async function finishAgain(id: string): Promise<void> {
    const ended = await loadScan(scans, id)
    if (ended?.analysis) await finish(ended, ended.analysis)
    else if (ended) await tell(ended)
  }

  async function tell({ id, email }: Addressed): Promise<void> {
    if (email !== null) await jobs.send(telling, { id }, { id })
  }

  async function giveUp({ id }: ScanWork): Promise<void> {
    const message =
      'The scan could not be finished because of a fault here, not on the site. Start it again; if it fails once more, tell the operator its id.'
    await fail(scans, id, 'any', 'SCAN_FAILED', message)
    const ended = await loadScan(scans, id)
    if (ended) await tell(ended)
  }

  return {
    async start() {
      await jobs.work(scanning, { atOnce: parts.atOnce, giveUp }, ({ work, signal }) => scan(work, signal))
      await jobs.work(telling, { atOnce: 1, giveUp: async () => {} }, async ({ work }) => {
        const ended = await loadScan(scans, work.id)
        if (ended) await parts.afterwards(ended, ended.analysis ?? undefined)
      })
      const sweepOnce = () => {
        sweeping ??= sweep().finally(() => {
          sweeping = undefined
        })
      }
      sweepOnce()
      timer = setInterval(sweepOnce, sweepEveryMs)
      timer.unref()
    },
    async submit(asked) {
      const created = await createScan(scans, asked)
      if (created === 'conflict' || !created.isNew) return created
      try {
        await enqueue({ id: created.id, domain: asked.domain.toLowerCase(), ...pickOrder(asked) })
      } catch (error) {
        // It is accepted all the same: the sweep finds it.
        log.warn({ err: error, scan: created.id }, 'a scan could not be handed to the workers yet')
      }
      return created
    },
    async close() {
      clearInterval(timer)
      await sweeping
    },
  }
}

type SendableScan = Pick<Moved, 'id' | 'domain' | 'depth' | 'priority'>

const pickOrder = ({ depth, priority }: NewScan) => ({ depth, priority })

type Addressed = Pick<Moved, 'id' | 'email'>

const secondsOf = (milliseconds: number) => Math.ceil(milliseconds / 1_000)

/** @throws ScanFailure when the site is not fetched in time, whether the fetching hears of that or not. */
async function within(
  limitMs: number,
  signal: AbortSignal,
  fetching: (limited: AbortSignal) => Promise<Capture>,
): Promise<Capture> {
  const late = AbortSignal.timeout(limitMs)
  const limited = AbortSignal.any([signal, late])
  try {
    return await orAborted(limited, fetching(limited))
  } catch (cause) {
    if (signal.aborted || !late.aborted) throw cause
    const message = `The site was not fetched within ${secondsOf(limitMs)} seconds. It may answer slowly: try again later, or with a lighter scan.`
    throw new ScanFailure('SCAN_TIMEOUT', message, { cause })
  }
}

/** Writes progress one step after the other, and only the newest of those that came while one was written. */
function createProgress(write: (percent: number) => Promise<void>) {
  let newest = 0
  let written = 0
  let writing: Promise<void> | undefined

  async function writeOn(): Promise<void> {
    while (newest - written >= progressStep) {
      written = newest
      await write(written)
    }
  }

  return {
    tell(share: number): void {
      newest = Math.max(newest, Math.floor(Math.min(Math.max(share, 0), 1) * fetchedProgress))
      // What goes wrong is told by `written`, or by the abort it led to.
      writing ??= writeOn().finally(() => {
        writing = undefined
      })
      writing.catch(() => {})
    },
    async written(): Promise<void> {
      await writing
    },
  }
}

/** What becomes of the work, unless it is aborted first: then it is left to itself. */
async function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const leave = () => aborted.reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
