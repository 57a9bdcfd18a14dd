import pTimeout from 'p-timeout'
import type { Log } from '../../../core/log.ts'
import type { TakenUnits } from '../../../core/taken-units.ts'
import type { Analysis } from '../findings/results.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import type { PlaybookContent } from '../playbook/playbook-content.ts'
import { loadScan } from '../scans/find-scans.ts'
import { completePlaybook } from '../scans/playbooks.ts'
import type { ScanRecord } from '../scans/scan-rows.ts'
import { advance, begin, complete, fail, type Scans } from '../scans/scans.ts'
import type { Capture, Depth } from '../site/capture.ts'
import { ProgressWriter } from './progress.ts'
import type { ScanWork } from './scan-queues.ts'

export interface ScanRunParts {
  readonly scans: Scans
  readonly log: Log
  /**
   * Fetches the site. `onProgress` takes the share that is done, 0 to 1.
   * @throws ScanFailure when another attempt would fail as well.
   */
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
  /** May wait for a thread, and limits the time it takes after that. */
  readonly analyze: (capture: Capture, signal: AbortSignal) => Promise<Analysis>
  readonly makePlaybook: (analysis: Analysis) => Promise<PlaybookContent>
  /** Has the report of an ended scan sent, if the scan has an e-mail address. */
  readonly queueReport: (scan: Pick<ScanRecord, 'id' | 'email'>) => Promise<void>
  /** Gives units back to the quota that the call of a scan took them from. */
  readonly giveBack: (units: readonly TakenUnits[]) => Promise<void>
  /** For fetching alone, so that no scan fails because others are slow. */
  readonly limitsMs: Readonly<Record<Depth, number>>
}

/** How far a scan is once everything is fetched, in percent. */
const fetchedPercent = 70

/**
 * Makes one attempt at a scan. It resolves when the scan has ended or another worker has it, and throws when a
 * further attempt may succeed.
 */
export async function runScan(
  parts: ScanRunParts,
  { id, units }: ScanWork,
  closing: AbortSignal,
): Promise<void> {
  const { scans, log, queueReport } = parts
  const startedAt = scans.clock.now()
  const begun = await begin(scans, id)
  if (!begun) return await finishEnded(parts, id)
  const outcome = await fetchAndAnalyze(parts, begun, closing)
  switch (outcome.kind) {
    case 'taken over':
      return
    case 'failed': {
      const { code, message, isUnreached } = outcome.failure
      log.info({ scan: id, reason: code }, 'a scan failed')
      const isFree = isUnreached && units.length > 0 && scans.clock.now() - startedAt <= freeMs
      const told = isFree ? `${message} ${notCounted}` : message
      if (!(await fail(scans, id, begun.attempt, code, told))) return
      if (isFree) await giveBack(parts, id, units)
      await queueReport(begun)
      return
    }
    case 'analyzed':
      if (await complete(scans, id, begun.attempt, outcome.analysis))
        await finish(parts, begun, outcome.analysis)
  }
}

/**
 * A scan that ends so soon for want of an address or a connection has cost next to nothing. Later it may have
 * held a place in the queue for a minute, and a server that never answers could have that for free forever.
 */
const freeMs = 10_000
const notCounted = 'It does not count against your scans.'

/**
 * Follows the one statement that ends the scan, so that no unit is given back twice. If the process dies in
 * between, the unit stays counted.
 */
async function giveBack(
  { log, giveBack }: ScanRunParts,
  id: string,
  units: ScanWork['units'],
): Promise<void> {
  try {
    await giveBack(units)
  } catch (error) {
    log.error(
      { err: error, scan: id },
      'the quota unit of a scan that reached no site could not be given back',
    )
  }
}

type Outcome =
  | { readonly kind: 'analyzed'; readonly analysis: Analysis }
  | { readonly kind: 'failed'; readonly failure: ScanFailure }
  | { readonly kind: 'taken over' }

/** @throws what a further attempt may mend: a fault of ours, or the reason of `closing`. */
async function fetchAndAnalyze(
  parts: ScanRunParts,
  { id, url, hasScheme, depth, domain, attempt }: ScanRecord,
  closing: AbortSignal,
): Promise<Outcome> {
  const takenOver = new AbortController()
  const signal = AbortSignal.any([closing, takenOver.signal])
  const step = async (status: 'fetching' | 'analyzing', progress: number, message: string) => {
    if (await advance(parts.scans, id, attempt, { status, progress, message })) return
    takenOver.abort(new Error('another worker has taken the scan over'))
    signal.throwIfAborted()
  }
  const progress = new ProgressWriter(fetchedPercent, (percent) =>
    step('fetching', percent, 'The site is being fetched.'),
  )
  const work = async () => {
    const capture = await within(parts.limitsMs[depth], signal, (limited) =>
      parts.capture({ url, hasScheme, depth, domain }, (share) => progress.report(share), limited),
    )
    await progress.written()
    await step('analyzing', fetchedPercent, 'The site is being analyzed.')
    return await parts.analyze(capture, signal)
  }
  try {
    const analysis = await pTimeout(work(), { milliseconds: Number.POSITIVE_INFINITY, signal })
    return { kind: 'analyzed', analysis }
  } catch (error) {
    if (takenOver.signal.aborted) return { kind: 'taken over' }
    if (closing.aborted || !(error instanceof ScanFailure)) throw error
    return { kind: 'failed', failure: error }
  }
}

/** @throws ScanFailure when the site is not fetched in time, even if `fetching` ignores its signal. */
async function within(
  limitMs: number,
  signal: AbortSignal,
  fetching: (limited: AbortSignal) => Promise<Capture>,
): Promise<Capture> {
  const late = new AbortController()
  return await pTimeout(fetching(AbortSignal.any([signal, late.signal])), {
    milliseconds: limitMs,
    signal,
    fallback() {
      const seconds = Math.ceil(limitMs / 1_000)
      const message = `The site was not fetched within ${seconds} seconds. It may answer slowly: try again later, or with a lighter scan.`
      const failure = new ScanFailure('SCAN_TIMEOUT', message)
      late.abort(failure)
      throw failure
    },
  })
}

/** Does what follows a complete scan. The playbook comes last, so that no fault of it delays the report. */
async function finish(
  { scans, queueReport, makePlaybook }: ScanRunParts,
  scan: Pick<ScanRecord, 'id' | 'email'>,
  analysis: Analysis,
): Promise<void> {
  await queueReport(scan)
  await completePlaybook(scans, scan.id, await makePlaybook(analysis))
}

/** An earlier attempt ended the scan and its process died before it did what follows. */
async function finishEnded(parts: ScanRunParts, id: string): Promise<void> {
  const ended = await loadScan(parts.scans, id)
  if (ended?.analysis) await finish(parts, ended, ended.analysis)
  else if (ended) await parts.queueReport(ended)
}
