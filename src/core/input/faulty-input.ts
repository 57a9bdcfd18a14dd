import { z } from 'zod'
import { type Fault, faultyRequest, type GatewayError } from '../errors.ts'
import { listed } from '../problems.ts'

/** Tells a caller which parts of a request do not fit their schemas. */

type Part = 'params' | 'query' | 'body'

/** @param errors by the part of the request that they are in. */
export function faultyInput(
  errors: Readonly<Record<Part, z.ZodError | undefined>>,
  schemas: Readonly<Record<Part, z.ZodType>>,
): GatewayError {
  const [first = { field: 'body', problem: 'does not fit' }, ...others] = parts.flatMap((part) =>
    (errors[part]?.issues.flatMap((issue) => within(issue)) ?? [])
      .filter(isOfSchema)
      .flatMap((issue): Fault[] =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({
              field: [...issue.path, key].join('.'),
              problem: `is not a ${part === 'query' ? 'query parameter' : 'field'} of this operation`,
              ...(issue.path.length === 0 ? { expected: namesOf(schemas[part], part) } : {}),
            }))
          : [{ field: issue.path.join('.') || (part === 'params' ? 'path' : part), problem: issue.message }],
      ),
  )
  // A body can hold thousands of wrong keys; the first 20 are enough for the caller.
  return faultyRequest(first, others.slice(0, 19))
}

/**
 * Of a value that may be a text or an object, zod says only that it is neither. Where an object came, the fault is in
 * one of its fields, and the caller has to know in which.
 * @param above the path of the value that the issue is within.
 */
function within(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): z.core.$ZodIssue[] {
  const path = [...above, ...issue.path]
  const inFields =
    issue.code === 'invalid_union'
      ? issue.errors.find((one) => one.length > 0 && one.every((inner) => inner.path.length > 0))
      : undefined
  return inFields?.flatMap((inner) => within(inner, path)) ?? [{ ...issue, path }]
}

/** zod also judges every whole number by its own limit (2^53 - 1), beside the limit of the field. */
function isOfSchema(issue: z.core.$ZodIssue, _: number, all: readonly z.core.$ZodIssue[]): boolean {
  const isOfZod = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int'
  const path = issue.path.join('.')
  return !isOfZod || !all.some((other) => other !== issue && other.path.join('.') === path)
}

const parts: readonly Part[] = ['params', 'query', 'body']

/** `only limit, offset or industry`. */
function namesOf(schema: z.ZodType, part: Part): string {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return names.length > 0
    ? `only ${listed(names)}`
    : `no ${part === 'query' ? 'query parameters' : 'field of this name'}`
}
