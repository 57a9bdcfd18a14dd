import { areasOfDepth, type Depth } from '../site/capture.ts'
import { accessibilityActionability } from './accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from './agent.ts'
import { agentFiles } from './agent-files/agent-files.ts'
import { agentProtocols } from './agent-protocols/agent-protocols.ts'
import { contentAnswerability } from './content-answerability/content-answerability.ts'
import { coreSnapshot } from './core-snapshot/core-snapshot.ts'
import { crawlAccess } from './crawl-access/crawl-access.ts'
import { entityTrust } from './entity-trust/entity-trust.ts'
import { freshnessIndex } from './freshness-index/freshness-index.ts'
import { renderPerformance } from './render-performance/render-performance.ts'
import { securitySafety } from './security-safety/security-safety.ts'
import { structuredData } from './structured-data/structured-data.ts'
import { workflowAutomation } from './workflow-automation/workflow-automation.ts'

/**
 * An agent and its weights in the two scores. This table is the only list of agents: an agent missing from
 * it does not run, and one without weights does not compile.
 */
export interface WeighedAgent {
  readonly agent: Agent
  readonly weights: Weights
}

interface TableRow extends WeighedAgent {
  /** In place of `weights.readiness`, for a site that offers an API or an application. */
  readonly ofSoftware: number
}

/**
 * Whole numbers; over all twelve agents they add up to 100 for each score. With 0 the agent does not count.
 */
export interface Weights {
  readonly readiness: number
  readonly aeo: number
}

export const weighedAgents: readonly TableRow[] = [
  { agent: coreSnapshot, weights: { readiness: 10, aeo: 10 }, ofSoftware: 10 },
  { agent: crawlAccess, weights: { readiness: 10, aeo: 20 }, ofSoftware: 10 },
  { agent: structuredData, weights: { readiness: 10, aeo: 20 }, ofSoftware: 8 },
  { agent: contentAnswerability, weights: { readiness: 5, aeo: 20 }, ofSoftware: 5 },
  { agent: agentFiles, weights: { readiness: 10, aeo: 5 }, ofSoftware: 16 },
  { agent: agentProtocols, weights: { readiness: 15, aeo: 0 }, ofSoftware: 30 },
  { agent: entityTrust, weights: { readiness: 5, aeo: 12 }, ofSoftware: 3 },
  { agent: freshnessIndex, weights: { readiness: 5, aeo: 8 }, ofSoftware: 3 },
  { agent: renderPerformance, weights: { readiness: 10, aeo: 5 }, ofSoftware: 5 },
  { agent: accessibilityActionability, weights: { readiness: 10, aeo: 0 }, ofSoftware: 4 },
  { agent: workflowAutomation, weights: { readiness: 5, aeo: 0 }, ofSoftware: 2 },
  { agent: securitySafety, weights: { readiness: 5, aeo: 0 }, ofSoftware: 4 },
]

export function agentsOf(depth: Depth): readonly WeighedAgent[] {
  return weighedAgents.slice(0, areasOfDepth[depth])
}

/**
 * The same agents, as they weigh for a site with an API or an application. It is there to be used by programs, so
 * what it publishes for them weighs more, and opening hours and testimonials weigh less.
 */
export function agentsForSoftware(depth: Depth): readonly WeighedAgent[] {
  return weighedAgents.slice(0, areasOfDepth[depth]).map(({ agent, weights, ofSoftware }) => ({
    agent,
    weights: { ...weights, readiness: ofSoftware },
  }))
}
