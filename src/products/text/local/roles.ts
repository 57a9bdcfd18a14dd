import type { BuyerRole, Industry } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { presentText } from '../plain-text.ts'
import { phraseScore, phraseWeight } from './words.ts'

/**
 * Maps the free text of `targetRole` to someone whose worries are known. Titles come in endless forms,
 * and a message written for the wrong chair is worse than none, so a miss is reported and not hidden.
 */

export interface Target {
  readonly role: BuyerRole
  /** What to call the person: the caller's own words when they named a role. */
  readonly title: string
  /** `default`: nobody was named; `unknown`: the name fits no known role. */
  readonly how: 'matched' | 'default' | 'unknown'
}

export function findRole(industry: Industry, targetRole: string | undefined): Target {
  const [usual] = industry.buyers.roles
  const wanted = presentText(targetRole, 80)
  if (wanted === undefined) return { role: usual, title: usual.title, how: 'default' }
  const role = bestMatch(wanted, industry.buyers.roles) ?? bestMatch(wanted, knowledge.other.buyers.roles)
  return role === undefined
    ? { role: usual, title: wanted, how: 'unknown' }
    : { role, title: wanted, how: 'matched' }
}

function bestMatch(wanted: string, roles: readonly BuyerRole[]): BuyerRole | undefined {
  const scored = roles.map((role) => ({
    role,
    score: phraseScore(wanted, [role.title, ...role.aliases], phraseWeight),
  }))
  const leader = scored.toSorted((a, b) => b.score - a.score)[0]
  return leader !== undefined && leader.score > 0 ? leader.role : undefined
}
