import { agentsOf } from '../agents/agents.ts'
import type { Analysis, ListingWish } from '../findings/results.ts'
import { actionsOf } from '../report/actions.ts'
import { outOfReach } from '../report/blocks/hosting/out-of-reach.ts'
import { provenBlocks } from '../report/blocks/proven-blocks.ts'
import { snippetsFor } from '../report/blocks/snippets/snippets.ts'
import { wallBlock } from '../report/blocks/wall-block.ts'
import { challengesOf } from '../report/challenges.ts'
import { gatesOf } from '../report/gates.ts'
import { makeReport } from '../report/report.ts'
import { areasOfSite, scoreAgent } from '../report/scoring.ts'
import { findingsInCharacters } from '../report/work/characters.ts'
import { firstQuestion } from '../report/work/first-question.ts'
import { laterOf } from '../report/work/later.ts'
import { hasTextLists } from '../report/work/text-lists.ts'
import { companyName, listedName } from '../signals/company-name.ts'
import { readIndustry } from '../signals/industry/industry.ts'
import { siteLanguage } from '../signals/page-language.ts'
import { readSignals } from '../signals/signals.ts'
import { workflowsAndOpportunities } from '../signals/workflows.ts'
import { isSameSite, shown } from '../site/addresses.ts'
import type { Capture } from '../site/capture.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import { isFiller } from '../site/html/words.ts'
import { refusesListing } from '../site/indexable.ts'
import { isLibrary } from '../site/profile.ts'
import { readSite } from '../site/read-site.ts'
import type { Site } from '../site/site.ts'
import { type Run, runAgents } from './run-agents.ts'

export interface Analyzed extends Run {
  readonly analysis: Analysis
}

/**
 * Makes the analysis that a scan keeps from its capture. The same capture and the same `now` (Unix
 * milliseconds) give the same bytes, so anyone can repeat and check a score.
 * @throws ScanFailure when nothing could be measured
 */
export function analyze(capture: Capture, now: number): Analyzed {
  const site = readSite(capture, now)
  const signals = readSignals(site)
  const agents = agentsOf(capture.depth)
  const { findings, faults } = runAgents(
    site,
    signals,
    agents.map(({ agent }) => agent),
  )
  const language = siteLanguage(site)
  const areas = areasOfSite(site, findingsInCharacters(findings, language))
  const name = companyName(site)
  const gates = gatesOf(site)
  const blocks = provenBlocks(
    site,
    signals,
    agents.map(({ agent }) => agent),
  )
  const beyond = outOfReach(site)
  const actions = actionsOf({
    areas,
    gates,
    blocks,
    profile: site.profile,
    language,
    wallBlock: wallBlock(site),
    snippetFor: snippetsFor(site),
    outOfReach: beyond?.checks,
    question: firstQuestion(site),
    hasTextLists: hasTextLists(site),
  })
  const industry = readIndustry(site)
  const report = makeReport({
    companyName: name,
    domain: capture.domain,
    depth: capture.depth,
    areas,
    gates,
    actions,
    later: laterOf(areas, beyond),
    pagesRead: site.pages.map(({ url }) => url),
    language,
    isIndustryClear: industry.how !== 'unclear',
    ...workflowsAndOpportunities(site, signals),
  })
  const analysis: Analysis = {
    report,
    challenges: challengesOf(areas, actions, beyond),
    companyName: name,
    industry: industry.slug,
    description: descriptionOf(site),
    coverage: scoreAgent(findings).coverage,
    audience: isForDevelopers(site) ? 'developers' : 'owners',
    listing: listingWishOf(site),
  }
  return { analysis, findings, faults }
}

function listingWishOf(site: Site): ListingWish {
  const { home, capture } = site
  if (home === undefined) return { kind: 'unread' }
  // Its name and text are those of another site, which may have left the directory.
  if (!isSameSite(home.url, capture.domain)) return { kind: 'unwanted' }
  if (refusesListing(home.reply, home.$)) return { kind: 'unwanted' }
  return { kind: 'welcome', businessName: listedName(site) }
}

/** What the site says of itself, at most 300 characters. */
function descriptionOf({ home }: Site): string {
  if (home === undefined) return ''
  const [organization] = nodesOf(home, 'Organization')
  const descriptions = [
    home.description,
    home.$('meta[property="og:description"]').first().attr('content') ?? '',
    textOf(organization?.properties.description),
  ]
  return (
    descriptions
      .map((text) => shown(text, 300).trim())
      .find((text) => text !== '' && !isFiller(text) && !isBlank.test(text)) ?? ''
  )
}

/** What a template has in place of a description: its name. */
const isBlank = /^\W*(?:(?:meta|page|site|website|your|a|the) ){0,2}description(?: here)?\W*$/i

/** Those who run such a site read code. */
function isForDevelopers({ profile, pages, origin }: Site): boolean {
  return (
    profile.api ||
    profile.app ||
    pages.some(isLibrary) ||
    /^(?:docs?|api|developers?)\./.test(new URL(origin).hostname)
  )
}
