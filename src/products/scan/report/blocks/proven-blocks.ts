import type { Agent } from '../../agents/agent.ts'
import type { Outcome } from '../../findings/check.ts'
import type { Work } from '../../findings/work.ts'
import type { Signals } from '../../signals/signals.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { breadcrumbBlock } from './breadcrumb-block.ts'
import { businessBlock } from './business-block.ts'
import { readFacts, type SiteFacts } from './facts/facts.ts'
import { headBlock, viewportBlock } from './head-block.ts'
import { headerBlock } from './header-block.ts'
import { mixesDomains } from './hosting/other-domain.ts'
import { atOwnHost } from './hosting/own-host.ts'
import { llmsBlock } from './llms/llms-block.ts'
import { isTooLong } from './page-parts.ts'
import { pageTypeBlock } from './page-type-block.ts'
import { pastedSite } from './pasted-site.ts'
import { robotsBlock } from './robots-block.ts'
import { sitemapBlock } from './sitemap-block.ts'

/** A block, and the checks that pass once it is pasted and did not before, as `agent/check`. */
export interface ProvenBlock extends Pick<Draft, 'block' | 'title' | 'why'> {
  readonly settles: readonly string[]
  /** The pages that it is for, where it names some. */
  readonly pages?: ReadonlySet<string>
  /** What is left to do for a check that it aims at and does not settle, by the id of the check. */
  readonly leaves: ReadonlyMap<string, Left>
}

/** A fix without what a block brings, and what it asks for in values. */
interface Left {
  readonly fix: string
  readonly work: Work | undefined
}

/**
 * Makes the blocks for a site and tries each on its capture with the checks themselves. A block is offered only if it
 * makes a check pass that did not, and makes none worse: the next scan must confirm what the report promised.
 */
export function provenBlocks(site: Site, signals: Signals, agents: readonly Agent[]): ProvenBlock[] {
  const { home } = site
  const facts = home === undefined ? undefined : readFacts(site, home)
  const drafts: readonly (Draft | undefined)[] = [
    robotsBlock(site),
    ...(home === undefined || facts === undefined || isTooLong(home)
      ? []
      : [
          pageTypeBlock(site),
          breadcrumbBlock(site, home, facts),
          headBlock(home, facts, site),
          viewportBlock(home),
          llmsBlock(site, home, facts),
        ]),
    sitemapBlock(site),
    headerBlock(site),
  ]
  const tried = (draft: Draft | undefined) =>
    draft === undefined ? [] : proven(draft, site, signals, agents)
  const [first = [], ...others] = drafts.map(tried)
  return [
    ...first,
    ...(home === undefined || facts === undefined ? [] : business(site, home, facts, tried)),
    ...others.flat(),
  ]
}

/**
 * The description of the business. A name that the page does not show for readers contradicts it, and then the owner is
 * asked for the right one.
 */
function business(
  site: Site,
  home: Page,
  facts: SiteFacts,
  tried: (draft: Draft | undefined) => ProvenBlock[],
): ProvenBlock[] {
  if (isTooLong(home)) return []
  const blocks = tried(businessBlock(site, home, facts))
  return blocks.length > 0 || facts.name === undefined
    ? blocks
    : tried(businessBlock(site, home, { ...facts, name: undefined }))
}

function proven(draft: Draft, site: Site, signals: Signals, agents: readonly Agent[]): ProvenBlock[] {
  const after = pastedSite(site, draft.pasted)
  const results = agents.flatMap(({ id, checks }) =>
    checks
      .filter((check) => draft.aims.includes(`${id}/${check.id}`))
      .map((check) => ({
        id: `${id}/${check.id}`,
        before: check.run(site, signals).result,
        after: check.run(after, signals),
      })),
  )
  const settles = results
    .filter(
      (one) =>
        one.after.result === 'pass' && one.before !== 'pass' && !(one.before === 'na' && isAgreement(one.id)),
    )
    .map(({ id }) => id)
  const isWorse = results.some(
    (one) =>
      rankOf(one.after.result) < rankOf(one.before) &&
      // Where no two places agreed on a name, a block that states it makes the check possible. It does no harm.
      !(one.id === 'entity-trust/brand-name' && one.before === 'unmeasured'),
  )
  const leaves = new Map(
    results.flatMap(({ id, after: left }) =>
      left.result === 'fail' || left.result === 'warn'
        ? [[id, { fix: left.fix, work: left.work }] as const]
        : [],
    ),
  )
  const { block, title, why } = draft
  const pages = new Set(draft.pasted.heads?.keys() ?? [])
  // It was tried as it was read, because the scan knows the pages by the host that was asked for.
  return settles.length === 0 || isWorse || mixesDomains(block.text, site)
    ? []
    : [{ block: atOwnHost(block, site), title, why, settles, leaves, pages }]
}

/** Markup that a page did not have before contradicts nothing, so the first one settles nothing here. */
function isAgreement(id: string): boolean {
  return id === 'structured-data/agreement'
}

/** A check that does not apply or cannot be made counts as passed: the block must not make it fail. */
function rankOf(result: Outcome['result']): number {
  if (result === 'fail') return 0
  return result === 'warn' ? 1 : 2
}
