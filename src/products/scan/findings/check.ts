export type Outcome =
  | {
      readonly result: 'pass'
      readonly reason: string
      readonly evidence: readonly Evidence[]
    }
  | {
      readonly result: 'warn' | 'fail'
      /** What was found and why it matters to an agent or an answer engine; one or two sentences. */
      readonly reason: string
      readonly evidence: readonly Evidence[]
      /** One concrete thing to do. */
      readonly fix: string
    }
  /** The site has nothing this could apply to. */
  | { readonly result: 'na'; readonly reason: string }
  /** It would apply, and could not be measured: the answer failed, was skipped or was cut. */
  | { readonly result: 'unmeasured'; readonly reason: string }

/** What was seen and where. */
export interface Evidence {
  readonly url: string
  /** What stood there, short: a number with its unit, a header's value, a quoted piece of text. */
  readonly value: string
}

/** An outcome with its place. */
export type Finding = Outcome & {
  readonly agent: string
  readonly check: string
  readonly title: string
  readonly weight: number
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

export function notApplicable(reason: string): Outcome {
  return { result: 'na', reason }
}

export function unmeasured(reason: string): Outcome {
  return { result: 'unmeasured', reason }
}
