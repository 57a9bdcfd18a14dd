import type { BuyerRole, Industry } from '../knowledge/industry.ts'
import { knowledge, profiles } from '../knowledge/knowledge.ts'
import { presentText } from '../plain-text.ts'
import { phraseScore, phraseWeight, weighPhrases } from './words.ts'

/**
 * Finds the known buyer role that the free text of `targetRole` means. A message for the wrong role is worse than none,
 * so the text says when no role matches.
 */

export interface Target {
  readonly role: BuyerRole
  /** The title of the person, in the caller's words when they named a role. */
  readonly title: string
  /** `default`: the caller named no role; `unknown`: the named role matches no known one. */
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
    score: phraseScore(wanted, rolePhrases.get(role) ?? []),
  }))
  const leader = scored.toSorted((a, b) => b.score - a.score)[0]
  return leader !== undefined && leader.score > 0 ? leader.role : undefined
}

/** How the person is named, and from where. */
export function roleLine({ role, title, how }: Target): string {
  switch (how) {
    case 'matched':
      return title === role.title ? title : `${title} (profile used: ${role.title})`
    case 'default':
      return `${title}, the usual first contact, because no role was named`
    case 'unknown':
      return `${title} (no profile matches this title; the angle follows the usual first contact, ${role.title})`
  }
}

const rolePhrases = new Map(
  profiles
    .flatMap(({ buyers }) => buyers.roles)
    .map((role) => [role, weighPhrases([role.title, ...role.aliases], phraseWeight)] as const),
)
