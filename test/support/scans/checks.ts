import type { Agent } from '../../../src/products/scan/agents/agent.ts'
import type { Outcome } from '../../../src/products/scan/findings/check.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'

/** Runs every check of an agent on a site, as a scan does. Returns the outcomes by the id of their check. */
export function runChecks(agent: Agent, site: Site): ReadonlyMap<string, Outcome> {
  const signals = readSignals(site)
  return new Map(agent.checks.map(({ id, run }) => [id, run(site, signals)]))
}

export function runCheck(agent: Agent, id: string, site: Site): Outcome {
  const check = agent.checks.find((one) => one.id === id)
  if (check === undefined) throw new Error(`There is no check ${id} in ${agent.id}.`)
  return check.run(site, readSignals(site))
}

/** The results as "links pass", in the order of the checks. */
export function resultsOf(agent: Agent, site: Site): string[] {
  return Array.from(runChecks(agent, site), ([id, { result }]) => `${id} ${result}`)
}

/** Why an outcome is as it is; empty where it does not say. */
export function reasonOf(outcome: Outcome): string {
  return 'reason' in outcome ? outcome.reason : ''
}

/** The fix of an outcome; empty where it has none. */
export function fixOf(outcome: Outcome): string {
  return 'fix' in outcome ? outcome.fix : ''
}

/** The evidence of an outcome, as one line. */
export function quotesOf(outcome: Outcome): string {
  return 'evidence' in outcome ? outcome.evidence.map(({ value }) => value).join(' | ') : ''
}
