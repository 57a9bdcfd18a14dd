import { ScanFailure } from '../findings/scan-failure.ts'
import type { Capture } from '../site/capture.ts'
import { type Analyzed, analyze } from './analyze.ts'

/** What a thread is asked. */
export interface AnalysisTask {
  readonly capture: Capture
  /** Unix milliseconds. */
  readonly now: number
}

/** What it answers. A failure travels as plain data: between threads an error loses its class. */
export type AnalysisAnswer =
  | { readonly kind: 'analyzed'; readonly analyzed: Analyzed }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** Runs in a thread of `analysis-pool`. */
export default function answer({ capture, now }: AnalysisTask): AnalysisAnswer {
  try {
    return { kind: 'analyzed', analyzed: analyze(capture, now) }
  } catch (error) {
    if (error instanceof ScanFailure) return { kind: 'failed', code: error.code, message: error.message }
    throw error
  }
}

export { reading } from '../crawl/readings.ts'
