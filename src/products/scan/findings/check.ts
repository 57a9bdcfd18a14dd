import type { Work } from './work.ts'

export type Outcome =
  | {
      readonly result: 'pass'
      readonly reason: string
      readonly evidence: readonly Evidence[]
    }
  | {
      readonly result: 'warn' | 'fail'
      /** What the check found and why it matters to an agent or an answer engine: one or two sentences. */
      readonly reason: string
      readonly evidence: readonly Evidence[]
      /** One concrete thing to do. */
      readonly fix: string
      readonly work?: Work
    }
  /** The check does not apply: the site has nothing of its kind. */
  | { readonly result: 'na'; readonly reason: string }
  /** The check applies but could not be made: the request failed, was skipped or its reply was cut off. */
  | { readonly result: 'unmeasured'; readonly reason: string }

/** A quote from the site with its place. A verdict without one could not be checked by the site's owner. */
export interface Evidence {
  readonly url: string
  /** Short: a number with its unit, a header's value, a quoted piece of text. */
  readonly value: string
}

/** An outcome with the check that it comes from. */
export type Finding = Outcome & {
  readonly agent: string
  readonly check: string
  readonly title: string
  readonly weight: number
  /**
   * The site may do without what the check looks for: it adds to the score as far as it is there, and costs
   * nothing where it is missing.
   */
  readonly isExtra?: boolean
}

export function pass(reason: string, ...evidence: Evidence[]): Outcome {
  return { result: 'pass', reason, evidence }
}

export function warn(reason: string, fix: string, ...evidence: Evidence[]): Outcome {
  return { result: 'warn', reason, fix, evidence }
}

export function fail(reason: string, fix: string, ...evidence: Evidence[]): Outcome {
  return { result: 'fail', reason, fix, evidence }
}

/** Adds to a fault what its fix asks for in values. */
export function asking(outcome: Outcome, work: Work): Outcome {
  return outcome.result === 'warn' || outcome.result === 'fail' ? { ...outcome, work } : outcome
}

export function notApplicable(reason: string): Outcome {
  return { result: 'na', reason }
}

export function unmeasured(reason: string): Outcome {
  return { result: 'unmeasured', reason }
}
