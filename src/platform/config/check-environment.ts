import type { z } from 'zod'
import { type Environment, environmentSchema, type RawEnvironment, type SettingName } from './env.ts'
import { contradictions, missingInProduction, type SettingFault } from './faults.ts'
import { findLookalikes, type Lookalike } from './near-names.ts'

/**
 * Finds all faults of an environment in one pass. A malformed setting must not hide that another one is
 * missing: the operator would have to restart once per fault.
 */
export interface CheckedEnvironment {
  /** A malformed setting has its default here, or none. */
  readonly env: Environment
  /** The environment without what counts as unset. */
  readonly given: RawEnvironment
  /** Sentences that name the settings and never their values; empty when the environment can be used. */
  readonly faults: readonly string[]
  /** Variables that resemble a setting that is not set, and that no fault names. */
  readonly lookalikes: readonly Lookalike[]
  readonly isMalformed: (name: SettingName) => boolean
}

/** @param isTestAccount recognizes published test keys and their addresses, which production refuses. */
export function checkEnvironment(
  environment: RawEnvironment,
  isTestAccount: (keyOrAddress: string) => boolean,
): CheckedEnvironment {
  const given = withoutUnset(environment)
  const parsed = environmentSchema.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const malformed = new Set(issues.map(({ path: [name] }) => String(name)))
  const isMalformed = (name: SettingName) => malformed.has(name)
  const wellFormed = Object.entries(given).filter(([name]) => !malformed.has(name))
  // No setting is required by the schema, so this cannot fail.
  const env = parsed.success ? parsed.data : environmentSchema.parse(Object.fromEntries(wellFormed))

  const settings = {
    env,
    isSet: (name: SettingName) => given[name] !== undefined,
    isMalformed,
    // `prod` is malformed, and its writer wants to know what production misses.
    isProduction: env.NODE_ENV === 'production' || /^prod/i.test(given.NODE_ENV ?? ''),
    facilitators: given.FACILITATOR_URL?.split(',').map((part) => part.trim()) ?? [],
  }
  const faults = [
    ...contradictions(settings),
    ...(settings.isProduction ? missingInProduction(settings, isTestAccount) : []),
  ]
  const lookalikes = findLookalikes(Object.keys(given), Object.keys(environmentSchema.shape))
  const isNamed = ({ setting }: Lookalike) => faults.some((fault) => isMissing(fault, setting))
  return {
    env,
    given,
    faults: [
      ...new Set(issues.map(describeIssue)),
      ...faults.map((fault) => describeFault(fault, lookalikes)),
    ],
    lookalikes: lookalikes.filter((lookalike) => !isNamed(lookalike)),
    isMalformed,
  }
}

/** What the operator reads of a variable that resembles a setting. */
export function describeLookalike({ given, setting }: Lookalike): string {
  return `${given} is not a setting and has no effect; did you mean ${setting}?`
}

/**
 * Compose files write unset settings as empty values. In the environment of a login shell, MAIL names the
 * user's mailbox.
 */
function withoutUnset(environment: RawEnvironment): RawEnvironment {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => value !== '' && !(name === 'MAIL' && value?.startsWith('/')),
    ),
  )
}

/** A missing setting may be there under a misspelt name. */
function describeFault(fault: SettingFault, lookalikes: readonly Lookalike[]): string {
  const meant = lookalikes.filter(({ setting }) => isMissing(fault, setting))
  return [
    fault.message,
    ...meant.map(({ given, setting }) => `${given} is set; did you mean ${setting}?`),
  ].join('. ')
}

function isMissing({ missing }: SettingFault, setting: string): boolean {
  return missing.some((name) => name === setting)
}

/** A fault in a list names the place of the faulty member. */
function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const [name, index] = path
  return typeof index === 'number'
    ? `${String(name)}, number ${index + 1}: ${message}`
    : `${String(name)}: ${message}`
}
