import type { Opportunity, QuickWin } from '../knowledge/industry.ts'
import { profiles } from '../knowledge/knowledge.ts'

/**
 * Finds the first step toward a recommended opportunity.
 * @throws Error when the knowledge base has none; a test rules that out.
 */
export function findQuickWin(opportunity: Opportunity): QuickWin {
  const quickWin = profiles
    .flatMap(({ quickWins }) => quickWins)
    .find((each) => each.opportunity === opportunity.id)
  if (quickWin === undefined) throw new Error(`the knowledge base has no quick win for ${opportunity.id}`)
  return quickWin
}
