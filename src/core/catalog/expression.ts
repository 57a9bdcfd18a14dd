import { Environment } from '@marcbachmann/cel-js'

/**
 * Expressions over a request, in CEL: they end, touch nothing and are written by the operator alone. Whole numbers
 * of the request are integers in them, so that no amount depends on how a float was rounded.
 */
export interface ExpressionInput {
  /** The JSON of the body; null when there is none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, unknown>>
  /** Length of the body. */
  readonly length: number
}

const aboutTarget = new Environment().registerVariable('query', 'dyn').registerVariable('params', 'dyn')
const aboutLength = aboutTarget.clone().registerVariable('length', 'int')
const environment = aboutLength.clone().registerVariable('body', 'dyn')

/** Whether the text can be evaluated at all. */
export function isExpression(text: string): boolean {
  return isValid(environment, text)
}

/** Whether an expression asks for anything of the request's body; otherwise that need not have come in. */
export function readsBody(text: string): boolean {
  return compiledOf(text).readsBody
}

/** Whether it asks for anything in the body, and not only for how long that is. */
export function readsFields(text: string): boolean {
  return compiledOf(text).readsFields
}

function isValid(known: Environment, text: string): boolean {
  try {
    return known.check(text).valid
  } catch {
    return false
  }
}

interface Compiled {
  readonly run: ReturnType<Environment['parse']>
  readonly readsBody: boolean
  readonly readsFields: boolean
}

/** By text: there are as many as the catalogue has, and each is asked about with every call. */
const compiled = new Map<string, Compiled>()

function compiledOf(text: string): Compiled {
  const known = compiled.get(text)
  if (known) return known
  const made = {
    run: environment.parse(text),
    readsBody: !isValid(aboutTarget, text),
    readsFields: !isValid(aboutLength, text),
  }
  compiled.set(text, made)
  return made
}

/**
 * How many units a request is: a whole number, rounded up.
 * @returns undefined when that cannot be worked out: a field is missing, or the result is no number of 0 to 10^12.
 */
export function countUnits(text: string, input: ExpressionInput): bigint | undefined {
  const { run } = compiledOf(text)
  let result: unknown
  try {
    result = run({
      body: exact(input.body),
      query: exact(input.query),
      params: exact(input.params),
      length: BigInt(input.length),
    })
  } catch {
    // A request that lacks what is asked for, or has something else in its place: the price is the maximum then.
    return undefined
  }
  if (typeof result === 'number' && Number.isFinite(result) && result <= maxUnits)
    result = BigInt(Math.ceil(result))
  return typeof result === 'bigint' && result >= 0n && result <= BigInt(maxUnits) ? result : undefined
}

const maxUnits = 1e12

/** JSON's whole numbers as integers; CEL has no arithmetic between an integer and a float. */
function exact(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exact(part)]))
}
