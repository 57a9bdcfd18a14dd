import type { Clock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import type { TextEngine } from '../../text/engine.ts'
import type { Analysis } from '../findings/results.ts'
import { rephraseSummary } from '../report/rephrase.ts'
import type { Capture } from '../site/capture.ts'
import type { AnalysisPool } from './analysis-pool.ts'

/**
 * Judges a captured site in a thread, then has the text engine reword the summary. Checks that broke are
 * logged and reported as not measured; a summary that the engine could not reword safely stays as it was
 * measured.
 */
export async function judgeCapture(
  {
    pool,
    text,
    clock,
    log,
  }: { readonly pool: AnalysisPool; readonly text: TextEngine; readonly clock: Clock; readonly log: Log },
  capture: Capture,
  signal: AbortSignal,
): Promise<Analysis> {
  const { domain } = capture
  const { analysis, faults } = await pool.analyze(capture, clock.now(), signal)
  if (faults.length > 0) log.error({ domain, faults }, 'checks threw errors and count as not measured')
  const { report } = analysis
  const { text: executiveSummary, keptBecause } = await rephraseSummary(report.executiveSummary, text, signal)
  if (keptBecause !== undefined) log.warn({ domain, keptBecause }, 'a summary was not reworded')
  return { ...analysis, report: { ...report, executiveSummary } }
}
