import { fail, notApplicable, type Outcome, pass, warn } from '../../findings/check.ts'
import { unlessMicrodata } from '../../findings/microdata.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import { andOthers, counted, judgeShare, listed, portion } from '../../findings/share.ts'
import { isSidePage } from '../../findings/side-pages.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import { depthBelowHome } from '../../site/below-home.ts'
import { nodesOf, typeName } from '../../site/html/json-ld.ts'
import { typesBelow } from '../../site/html/schema-types.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { judgeAgreement } from './agreement.ts'
import { judgeOrganization, judgeSameAs, judgeWebsite } from './identity.ts'
import { judgeOpenGraph } from './open-graph.ts'
import { judgePageTypes } from './page-type.ts'
import { hasProperty, isReference, missingProperties } from './required-properties.ts'

/**
 * The facts that a site states for machines. Engines must interpret prose, but can copy facts from markup
 * that is complete and agrees with the page. They drop broken markup silently.
 */
export const structuredData: Agent = {
  id: 'structured-data',
  name: 'Structured data',
  checks: [
    { id: 'parse-errors', title: 'All JSON-LD can be parsed', weight: 4, run: needsPages(judgeParsing) },
    {
      id: 'organization',
      title: 'The business is described',
      weight: 5,
      run: needsPages(unlessMicrodata(['Organization', 'Person'], judgeOrganization)),
    },
    {
      id: 'required-props',
      title: 'Markup has what its types require',
      weight: 4,
      run: needsPages(judgeRequired),
    },
    {
      id: 'page-type',
      title: 'Pages declare their kind',
      weight: 4,
      run: needsPages(unlessMicrodata(['Article', 'Product', 'FAQPage'], judgePageTypes)),
    },
    {
      id: 'same-as',
      title: 'The identity is linked to profiles',
      weight: 3,
      run: needsPages(unlessMicrodata(['Organization', 'Person'], judgeSameAs)),
    },
    {
      id: 'agreement',
      title: 'Markup agrees with the page',
      weight: 3,
      run: unlessShell(needsPages(judgeAgreement)),
    },
    {
      id: 'website-node',
      title: 'The website has a name in markup',
      weight: 2,
      run: needsPages(unlessMicrodata(['WebSite'], judgeWebsite)),
    },
    {
      id: 'breadcrumbs',
      title: 'Deep pages show their place',
      weight: 2,
      run: needsPages(unlessMicrodata(['BreadcrumbList'], judgeBreadcrumbs)),
    },
    { id: 'open-graph', title: 'The page has a preview', weight: 2, run: needsHome(judgeOpenGraph) },
    { id: 'richness', title: 'Markup says enough', weight: 2, run: needsPages(judgeRichness) },
  ],
}

function judgeParsing(pages: readonly Page[]): Outcome {
  const blocks = pages.reduce((sum, { jsonLd }) => sum + jsonLd.blocks, 0)
  if (blocks === 0) return notApplicable('The pages have no JSON-LD.')
  const faulty = pages.flatMap(({ url, jsonLd }) =>
    jsonLd.errors.map((error) => ({ url, value: shown(error, 200) })),
  )
  const [first] = faulty
  if (first === undefined) {
    return pass(`${counted(blocks, 'JSON-LD block')} can be parsed.`, {
      url: pages.find(({ jsonLd }) => jsonLd.blocks > 0)?.url ?? '',
      value: `${counted(blocks, 'block')} on ${counted(pages.length, 'page')}, 0 errors`,
    })
  }
  return fail(
    `${portion(faulty.length, blocks, 'JSON-LD block', 'cannot', 'cannot')} be parsed, and every fact in ${faulty.length === 1 ? 'it' : 'them'} is lost to engines.`,
    `Correct the JSON-LD of ${shown(first.url)}: ${first.value}.`,
    ...faulty.slice(0, 5),
  )
}

function judgeRequired(pages: readonly Page[]): Outcome {
  const found = pages.flatMap((page) => missingProperties(page).map((one) => ({ ...one, url: page.url })))
  const requirements = found.filter(({ missing, isUnstated }) => missing.length > 0 || !isUnstated)
  const [requirement] = requirements
  if (requirement === undefined)
    return notApplicable(
      found.length === 0
        ? 'The markup has no node of a type whose properties are required.'
        : `Engines want a price, a review or a rating in the ${found[0]?.type} node, and its page shows none that it could state.`,
    )
  const faulty = requirements.filter(({ missing }) => missing.length > 0)
  // Articles are completed by the step about the kinds of pages, so another fault is named first.
  const articles = new Set(typesBelow('Article'))
  const incomplete = [
    ...faulty.filter(({ type }) => !articles.has(type)),
    ...faulty.filter(({ type }) => articles.has(type)),
  ]
  const [first] = incomplete
  if (first === undefined) {
    return pass(
      `${portion(requirements.length, requirements.length, 'node', 'has', 'have')} what consumers require.`,
      {
        url: requirement.url,
        value: `${requirement.type} and what it requires`,
      },
    )
  }
  return fail(
    `${portion(incomplete.length, requirements.length, 'node', 'lacks', 'lack')} a property without which engines may ignore ${incomplete.length === 1 ? 'it' : 'them'}.`,
    `Add ${listed(first.missing)} to the ${first.type} node in the JSON-LD of ${shown(first.url)}.`,
    ...incomplete
      .slice(0, 5)
      .map(({ url, type, missing }) => ({ url, value: `${type} without ${listed(missing)}` })),
  )
}

function judgeBreadcrumbs(pages: readonly Page[], site: Site): Outcome {
  const levelOf = ({ url }: Page) => depthBelowHome(url, site) - (isInFolderOfFiles(url) ? 1 : 0)
  const deep = pages.filter((page) => levelOf(page) >= 2 && !isSidePage(page))
  const [first] = deep
  if (first === undefined)
    return notApplicable('None of the pages that were read lies two or more levels deep.')
  const without = deep.filter(
    (page) => !nodesOf(page, 'BreadcrumbList').some((node) => hasProperty(node, 'itemListElement')),
  )
  const good = deep.length - without.length
  return judgeShare(
    good,
    deep.length,
    {
      reason: `${portion(good, deep.length, 'deep page', 'has', 'have')} a BreadcrumbList that shows an engine where a page belongs.`,
      fix: `Add a BreadcrumbList to ${without[0]?.jsonLd.blocks === 0 ? 'a new script of type application/ld+json on' : 'the JSON-LD of'} ${shown(without[0]?.url ?? first.url)}.${andOthers(without.length)}`,
    },
    (without.length > 0 ? without : deep).map(({ url }) => ({
      url,
      value: without.length > 0 ? 'no BreadcrumbList' : 'BreadcrumbList',
    })),
  )
}

/** These nodes hold one list, and more properties would not add to it. */
const listTypes: ReadonlySet<string> = new Set(['BreadcrumbList', 'ItemList', 'FAQPage', 'QAPage'])

function lackedBy({ properties }: JsonLdNode): readonly string[] {
  return [
    ...('description' in properties ? [] : ['a description']),
    ...('image' in properties ? [] : ['an image']),
  ]
}

/** `/html/contact.html`: the folder holds the files of the site, and is no level of it. */
function isInFolderOfFiles(url: string): boolean {
  return /^\/(?:html?|pages?|site|web|views?|php)\/[^/]+\.(?:html?|php)$/i.test(pathOf(url))
}

function judgeRichness(pages: readonly Page[]): Outcome {
  const all = pages.flatMap((page) =>
    page.jsonLd.nodes
      .filter((node) => node.isTop && node.isSchemaOrg && node.types.length > 0 && !isReference(node))
      .filter((node) => !node.types.some((type) => listTypes.has(type)))
      .map((node) => ({ url: page.url, node, properties: countProperties(node) })),
  )
  // A name and an address are all that a WebSite has to say.
  const others = all.filter(({ node }) => !node.types.includes('WebSite'))
  const nodes = others.length > 0 ? others : all
  const [first, ...rest] = nodes
  if (first === undefined)
    return notApplicable('The pages have no schema.org node that could be rich or poor.')
  const sum = nodes.reduce((total, { properties }) => total + properties, 0)
  const poorest = rest.reduce((lowest, one) => (one.properties < lowest.properties ? one : lowest), first)
  const rounded = Math.round((sum * 10) / nodes.length) / 10
  const mean = sum < nodes.length * 5 ? Math.min(rounded, 4.9) : rounded
  const evidence = [
    {
      url: first.url,
      value: `${counted(sum, 'property', 'properties')} in ${counted(nodes.length, 'node')}${nodes.length === 1 ? '' : `, ${mean} each`}${new Set(nodes.map(({ url }) => url)).size > 1 ? ', on all pages that were read' : ''}`,
    },
    { url: poorest.url, value: `${typeName(poorest.node, 'node')} with ${poorest.properties}` },
  ]
  if (sum >= nodes.length * 5)
    return pass(`The JSON-LD nodes have ${mean} properties on average.`, ...evidence)
  return (sum >= nodes.length * 3 ? warn : fail)(
    `The JSON-LD nodes have only ${mean} ${mean === 1 ? 'property' : 'properties'} on average (5 are good), so engines learn little from them.`,
    `Say more about the ${typeName(poorest.node, 'node')} in the JSON-LD of ${shown(poorest.url)}: ${listed([...lackedBy(poorest.node), 'whatever else is true of it'])}. ${counted(nodes.length * 5 - sum, 'more property', 'more properties')} in all ${nodes.length * 5 - sum === 1 ? 'is' : 'are'} enough.`,
    ...evidence,
  )
}

function countProperties(node: JsonLdNode): number {
  return Object.keys(node.properties).filter((name) => !name.startsWith('@') && hasProperty(node, name))
    .length
}
