import type { z } from 'zod'
import type { Place } from './catalog-places.ts'
import { edits } from './near-names.ts'

/** Describes the faults of a catalog for the operator who edits the file. */

/** Drops the issues that only follow from another one, and picks one alternative of each union. */
export function readableIssues(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return withoutEchoes(issues.flatMap(branchOf))
}

/**
 * Of a value that may have several forms, keeps the issues of the form that was meant: among those that fit
 * the type of the value, the one with the fewest issues.
 */
function branchOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== 'Invalid input')
    return [issue]
  const [first = [], ...others] = issue.errors
  const possible = [first, ...others].filter((faults) => faults.every(({ path }) => path.length > 0))
  const [meant = first] = possible.toSorted((one, other) => one.length - other.length)
  return meant.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }))
}

/** A value of the wrong type is also judged by its length, which would only confuse. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')),
  )
  return issues.filter(
    ({ code, path }) => !(code === 'too_big' || code === 'too_small') || !mistyped.has(path.join('.')),
  )
}

export function reasonOf(issue: z.core.$ZodIssue, { holds, source }: Place): string {
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
    return `must be one of: ${issue.options.join(', ')}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  if (holds === 'nothing') return 'is missing'
  if (holds === 'empty') return 'is empty'
  if (issue.expected === 'string' && holds === 'plain') return `must be in quotes: write "${source}"`
  if (issue.expected === 'array')
    return holds === 'text' ? `must be a list: write ["${source}"]` : 'must be a list'
  if (issue.expected === 'boolean') return 'must be true or false, without quotes'
  if (issue.expected !== 'string' && holds === 'text')
    return `must be a plain ${issue.expected}, without quotes`
  return issue.message
}

/** Suggests the id that takes the fewest edits (Levenshtein) to reach, or names all when none is near. */
export function hintFor(id: string, ids: readonly string[]): string {
  const [best] = ids.map((name) => ({ name, edits: edits(id, name) })).sort((a, b) => a.edits - b.edits)
  if (best && best.edits <= id.length / 2) return `did you mean "${best.name}"?`
  return `the ids are: ${ids.join(', ')}`
}

/** A key that other operations may have says why this one may not. */
export function unknownKey(path: readonly PropertyKey[]): string {
  if (path.length === 3 && path[0] === 'operations' && path[2] === 'listing') {
    return 'only an operation with a price can be listed: a facilitator lists what it has settled a payment for'
  }
  return 'is not a known key; see pricing/README.md'
}
