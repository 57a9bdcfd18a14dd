import { type Evidence, type Outcome, unmeasured } from '../../findings/check.ts'
import { shown } from '../../site/addresses.ts'

/** Returns `unmeasured` for a signal that is unknown, with the page that would have shown it and why it was not read. */
export function notRead(what: string, evidence: readonly Evidence[]): Outcome {
  const [page] = evidence
  return unmeasured(
    `It is not known ${what}: ${page?.value ?? 'the pages that would show it were not read'}.`,
  )
}

export function quoted(evidence: readonly Evidence[]): Evidence[] {
  return evidence.slice(0, 5).map(({ url, value }) => ({ url, value: shown(value) }))
}
