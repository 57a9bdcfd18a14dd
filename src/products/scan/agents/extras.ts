import type { Profile, Site } from '../site/site.ts'

/**
 * Checks of things that a site may do without. They add to the score as far as the thing is there and good, and
 * are advice of no weight where it is missing. If they cost points, a site would lose by publishing an llms.txt,
 * because the check of its sections would begin to apply.
 *
 * Some kinds of sites are expected to have the thing; there the check counts as any other.
 */
export function isExtra(id: string, { profile }: Site): boolean {
  const isExpected = expectedOf.get(id)
  return isExpected !== undefined && !isExpected(profile)
}

const always = () => false
const unlessApi = ({ api }: Profile) => api

const expectedOf: ReadonlyMap<string, (profile: Profile) => boolean> = new Map([
  ['crawl-access/signal-syntax', always],
  ['structured-data/richness', always],
  ['content-answerability/readability', always],
  ['agent-files/md-negotiation', unlessApi],
  ['agent-files/llms-links', always],
  ['agent-files/llms-coverage', always],
  ['agent-files/llms-structure', always],
  ['agent-files/md-twin', unlessApi],
  ['agent-files/md-parity', always],
  ['agent-files/md-links', always],
  ['agent-files/llms-size', always],
  ['agent-files/llms-advertised', always],
  ['agent-files/md-alternate', always],
  ['agent-files/llms-full', always],
  ['agent-protocols/link-header', always],
  ['agent-protocols/openapi', unlessApi],
  ['agent-protocols/mcp', unlessApi],
  ['agent-protocols/api-catalog', unlessApi],
  ['agent-protocols/a2a', always],
  ['agent-protocols/skills', always],
  ['agent-protocols/ai-catalog', always],
  ['agent-protocols/ai-catalog-announced', always],
  ['agent-protocols/signature-directory', always],
  ['agent-protocols/webmcp', always],
  ['agent-protocols/oauth-meta', always],
  ['freshness-index/lastmod', always],
  ['freshness-index/feed', always],
  ['workflow-automation/integrations', unlessApi],
  ['workflow-automation/newsletter', always],
  ['workflow-automation/crm-tags', always],
  ['workflow-automation/hiring', always],
])

export const extraIds: readonly string[] = [...expectedOf.keys()]
