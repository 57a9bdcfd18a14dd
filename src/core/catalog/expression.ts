import { Environment } from '@marcbachmann/cel-js'

/**
 * CEL expressions over a request. They always terminate, have no side effects, and only the operator writes
 * them. Whole numbers of the request become integers, so that no amount depends on floating-point rounding.
 */

/** What an expression can read. */
export interface ExpressionInput {
  /** The JSON of the body; null when there is none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, unknown>>
  /** Of the body, in bytes. */
  readonly length: number
}

const aboutCall = new Environment()
  .registerVariable('params', 'dyn')
  .registerVariable('length', 'int')
  .registerVariable('body', 'dyn')
const aboutTarget = new Environment().registerVariable('query', 'dyn').registerVariable('params', 'dyn')
const aboutLength = aboutTarget.clone().registerVariable('length', 'int')
const environment = aboutLength.clone().registerVariable('body', 'dyn')

/** Whether the text is a valid expression. */
export function isExpression(text: string): boolean {
  return isValid(environment, text)
}

/** Whether an expression reads the body, or its length; if not, the call need not wait for its body. */
export function readsBody(text: string): boolean {
  return compiledOf(text).readsBody
}

/** Whether an expression reads the content of the body, and not only its length. */
export function readsFields(text: string): boolean {
  return compiledOf(text).readsFields
}

/** Whether an expression reads the query. */
export function readsQuery(text: string): boolean {
  return compiledOf(text).readsQuery
}

/** Whether an expression reads the query by a computed name, or as a whole: `query[params.k]`, `query.size()`. */
export function readsAnyOfQuery(text: string): boolean {
  return compiledOf(text).readsAnyOfQuery
}

/**
 * Whether evaluating an expression can take more time than reading its input: it goes through lists, perhaps
 * one list for each entry of another, or matches a regular expression.
 */
export function isSlow(text: string): boolean {
  return compiledOf(text).isSlow
}

function isValid(variables: Environment, text: string): boolean {
  try {
    return variables.check(text).valid
  } catch {
    return false
  }
}

/** Whether the text is a valid expression whose result is true or false. */
export function isCondition(text: string): boolean {
  try {
    const { valid, type } = environment.check(text)
    return valid && (type === 'bool' || type === 'dyn')
  } catch {
    return false
  }
}

interface Compiled {
  readonly run: ReturnType<Environment['parse']>
  readonly readsBody: boolean
  readonly readsFields: boolean
  readonly readsQuery: boolean
  readonly readsAnyOfQuery: boolean
  readonly isSlow: boolean
  /** Whether it reads members of the body by name, and not only the body as a whole. */
  readonly readsMembers: boolean
}

/** A method, such as `body.size()`, is called on lists and texts too. */
const member = /\bbody\s*\.\s*\w+\b(?!\s*\()/

/** The query with a member, a written name or `"name" in` is left out. Texts are replaced by `""` before. */
const anyOfQuery = /(?<![.\w]|""\s+in\s+)query\b(?!\s*\.\s*\w+\b(?!\s*\()|\s*\[\s*""\s*\])/
const writtenText = /"[^"]*"|'[^']*'/g

const loop = /\.\s*(?:all|exists|exists_one|filter|map|matches)\s*\(|\bmatches\s*\(/

/** By text. Each is compiled once, because every call of its operation evaluates it. */
const compiled = new Map<string, Compiled>()

function compiledOf(text: string): Compiled {
  const existing = compiled.get(text)
  if (existing) return existing
  const made = {
    run: environment.parse(text),
    readsBody: !isValid(aboutTarget, text),
    readsFields: !isValid(aboutLength, text),
    readsQuery: !isValid(aboutCall, text),
    readsAnyOfQuery: anyOfQuery.test(text.replaceAll(writtenText, '""')),
    isSlow: loop.test(text),
    readsMembers: member.test(text),
  }
  compiled.set(text, made)
  return made
}

/**
 * Counts the units of a request: a whole number, rounded up. A caller chooses the numbers in its request, so a
 * negative result counts nothing: rounded up, -0.5 would be zero units.
 * @returns undefined when a field is missing or the result is not a number from 0 to 10^12.
 */
export function countUnits(text: string, input: ExpressionInput): bigint | undefined {
  const result = evaluate(text, input)
  const units =
    typeof result === 'number' && result >= 0 && result <= maxUnits ? BigInt(Math.ceil(result)) : result
  return typeof units === 'bigint' && units >= 0n && units <= BigInt(maxUnits) ? units : undefined
}

/** Whether a condition holds for a request. One that has no result does not hold. */
export function holds(text: string, input: ExpressionInput): boolean {
  return evaluate(text, input) === true
}

/**
 * @returns undefined when the request lacks a field that the expression reads, or has one of another type.
 */
function evaluate(text: string, input: ExpressionInput): unknown {
  const { run, readsMembers } = compiledOf(text)
  // CEL has no members of a list or a text; this evaluator takes them for missing, so that `has()` is false.
  if (readsMembers && !isObject(input.body)) return undefined
  try {
    return run({
      body: exact(input.body),
      query: exact(input.query),
      params: exact(input.params),
      length: BigInt(input.length),
    })
  } catch {
    return undefined
  }
}

const maxUnits = 1e12

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Makes JSON's whole numbers integers: CEL has no arithmetic between an integer and a float. */
function exact(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exact(part)]))
}
