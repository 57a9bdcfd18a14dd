import { freeGarbage } from '../../../platform/threads/freeing.ts'
import { reading as read } from '../crawl/readings.ts'
import { ScanFailure } from '../findings/scan-failure.ts'
import type { Capture } from '../site/capture.ts'
import type { Analyzed } from './analyze.ts'

export interface AnalysisTask {
  readonly capture: Capture
  /** Unix milliseconds. */
  readonly now: number
}

/** A failure travels as plain data, because an error loses its class between threads. */
export type AnalysisResult =
  | { readonly kind: 'analyzed'; readonly analyzed: Analyzed }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/**
 * What a thread of `analysis-pool` runs to judge a capture. A thread that only reads pages does not load the checks,
 * because the letter frequencies that tell languages take 90 MB and a third of a second.
 */
export default async function analyzeTask({ capture, now }: AnalysisTask): Promise<AnalysisResult> {
  const { analyze } = await import('./analyze.ts')
  try {
    return { kind: 'analyzed', analyzed: analyze(capture, now) }
  } catch (error) {
    if (error instanceof ScanFailure) return { kind: 'failed', code: error.code, message: error.message }
    throw error
  } finally {
    freeGarbage()
  }
}

/** What a thread runs to read pages while a scan is fetching. */
export function reading(...task: Parameters<typeof read>): ReturnType<typeof read> {
  try {
    return read(...task)
  } finally {
    freeGarbage()
  }
}
