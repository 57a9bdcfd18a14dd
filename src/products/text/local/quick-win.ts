import type { Opportunity, QuickWin } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'

/**
 * The first step towards an opportunity. It has to belong to what was recommended: a first step
 * towards something else would leave the reader with advice and no beginning.
 * @throws Error if the knowledge base lacks one, which its own test rules out.
 */
export function quickWin(opportunity: Opportunity): QuickWin {
  const win = Object.values(knowledge)
    .flatMap(({ quickWins }) => quickWins)
    .find((each) => each.opportunity === opportunity.id)
  if (win === undefined) throw new Error(`no quick win is known for ${opportunity.id}`)
  return win
}
