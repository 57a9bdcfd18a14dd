import { asking, fail, type Outcome, pass, warn } from '../../findings/check.ts'
import { missingPicture } from '../../findings/dead-ends/missing-picture.ts'
import { counted, listed } from '../../findings/share.ts'
import { industryOf } from '../../signals/industry/industry.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { isSameSite, pathOf, shown } from '../../site/addresses.ts'
import { isOfUnknownType, nodesOf, picturesIn, textOf, typeName } from '../../site/html/json-ld.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'
import { ownEntries } from '../entity-trust/own-entries.ts'
import { profilesSeen } from '../entity-trust/own-profiles.ts'
import { hasProperty } from './required-properties.ts'

/**
 * The checks of markup that says who runs the site. Without it engines cannot tie the facts of its pages to
 * one business.
 */
export function judgeOrganization(pages: readonly Page[], site: Site): Outcome {
  const candidates = ownEntities(site)
    .filter(({ node }) => node.isSchemaOrg)
    .map(({ page, node }) => {
      const required = node.types.includes('Person') ? ['name', 'url', 'image'] : ['name', 'url', 'logo']
      const gone = required.flatMap((name) => {
        const written = name === 'url' || name === 'name' ? [] : picturesIn(node.properties[name])
        const lost = written.flatMap((one) => missingPicture(one, page, site) ?? [])
        return lost.length < written.length ? [] : lost.slice(0, 1).map((picture) => ({ ...picture, name }))
      })
      const missing = required.filter(
        (name) => !hasProperty(node, name) || gone.some((one) => one.name === name),
      )
      return { page, node, missing, gone }
    })
  const best = candidates.reduce<(typeof candidates)[number] | undefined>(
    (fullest, one) => (fullest === undefined || one.missing.length < fullest.missing.length ? one : fullest),
    undefined,
  )
  const start = pages[0]?.url ?? ''
  if (best === undefined) {
    const isPersons = isOnePersons(site)
    const wanted = isPersons
      ? 'a Person node with name, url and image'
      : 'an Organization node with name, url and logo'
    const orPerson =
      !isPersons && mayBeOne(site)
        ? ' Where one person runs the site, add a Person node with name, url and image in its place.'
        : ''
    const [other] = pages.flatMap((page) =>
      nodesOf(page, 'Organization')
        .filter(({ isTop, properties }) => isTop && textOf(properties.name) !== '')
        .map(({ properties }) => ({ url: page.url, name: textOf(properties.name) })),
    )
    return fail(
      `No page describes who runs the site as a schema.org Organization, LocalBusiness or Person of its own${other === undefined ? '' : `: “${shown(other.name, 80)}” on ${shown(other.url)} has another name or address`}. Engines cannot tie its facts to anyone.`,
      `Add ${wanted} to the JSON-LD of ${shown(start)}.${orPerson}`,
      { url: start, value: `0 Organization or Person nodes of its own on ${counted(pages.length, 'page')}` },
    )
  }
  const type = typeName(best.node)
  const evidence = {
    url: best.page.url,
    value: shown(
      `${best.node.types.join(', ')} "${textOf(best.node.properties.name)}"${lack(best.missing)}`,
      200,
    ),
  }
  if (isOfUnknownType(best.node))
    return fail(
      `schema.org has no type ${type}, so engines do not know that this node describes a business.`,
      `In the JSON-LD of ${shown(best.page.url)}, give the ${type} node the type of your trade that schema.org has, or LocalBusiness.${best.missing.length === 0 ? '' : ` Add ${listed(best.missing)} to it.`}`,
      evidence,
    )
  if (best.missing.length === 0)
    return pass('Who runs the site is described with name, web address and picture.', evidence)
  const [gone] = best.gone
  if (gone !== undefined && best.missing.length === 1)
    return warn(
      `No file is at the address of the ${gone.name} in the ${type} node, so engines have none to show with the name.`,
      `Add ${gone.name} to the ${type} node in the JSON-LD of ${shown(best.page.url)}, in place of ${shown(gone.url, 150)}, which answers ${gone.status}.`,
      { url: best.page.url, value: `${gone.name} ${shown(gone.url, 150)} answers ${gone.status}` },
    )
  return (best.missing.length === 1 ? warn : fail)(
    `The ${type} node lacks ${listed(best.missing)}, so engines ${best.missing.every((name) => name === 'logo' || name === 'image') ? `have no ${hasProperty(best.node, 'image') ? 'logo' : 'picture'} to show with the name` : `cannot be sure ${best.node.types.includes('Person') ? 'who it is' : 'which organization it is'}`}.`,
    `Add ${listed(best.missing)} to the ${type} node in the JSON-LD of ${shown(best.page.url)}.`,
    evidence,
  )
}

/** A blog or a project is often that of one person. */
function mayBeOne(site: Site): boolean {
  return /^(?:person|publication|library|unclear)$/.test(kindOfSite(site))
}

function lack(missing: readonly string[]): string {
  return missing.length === 0 ? '' : ` without ${listed(missing)}`
}

export function judgeSameAs(pages: readonly Page[], site: Site): Outcome {
  const { origin } = site
  const own = ownEntities(site).map(({ node }) => node)
  const ids = new Set(own.map(({ properties }) => properties['@id']).filter((id) => typeof id === 'string'))
  // The same node may say more on another page.
  const same = pages
    .flatMap((page) => nodesOf(page, 'Organization', 'Person'))
    .filter((node) => !own.includes(node) && ids.has(textOf(node.properties['@id'])))
  const nodes = [...own, ...same]
  const works = pages.flatMap((page) =>
    nodesOf(page, 'WebSite', 'SoftwareApplication', 'WebApplication', 'MobileApplication').filter(
      ({ isTop }) => isTop,
    ),
  )
  const profiles = new Set([...nodes, ...works].flatMap((node) => profilesOf(node, origin)))
  const url = pages[0]?.url ?? origin
  const isOne = isOnePersons(site)
  const holder = nodes.find((node) => profilesOf(node, origin).length > 0)
  const target = holder
    ? `the ${typeName(holder)} node`
    : nodes[0] !== undefined
      ? `the ${typeName(nodes[0])} node`
      : `${isOne ? 'a Person' : 'an Organization'} node`
  const misplaced = pageProfiles(pages, origin)
  if (profiles.size === 0 && misplaced !== undefined) {
    return warn(
      `The profiles elsewhere stand in sameAs of the ${misplaced.type} node, which describes the page. Engines look for them at ${target}, which tells who you are.`,
      `Move sameAs from the ${misplaced.type} node into ${target} in the JSON-LD of ${shown(misplaced.url)}.`,
      ...misplaced.profiles
        .slice(0, 5)
        .map((profile) => ({ url: misplaced.url, value: `sameAs ${shown(profile)} on ${misplaced.type}` })),
    )
  }
  const evidence = [...profiles].slice(0, 5).map((profile) => ({ url, value: `sameAs ${shown(profile)}` }))
  if (profiles.size >= 2) return pass(`The markup links ${profiles.size} profiles elsewhere.`, ...evidence)
  const linked = site.home === undefined ? [] : [...ownEntries(site, site.home), ...profilesSeen(site)]
  const seen = linked
    .filter(({ url: address }) => !profiles.has(address))
    .slice(0, 4)
    .map((entry) => ({ url: entry.page, value: `linked: ${shown(entry.url, 150)}` }))
  const wanted =
    profiles.size === 1
      ? 'Add the full address of one more of your profiles elsewhere, or of several'
      : 'List two or more full addresses of your profiles elsewhere'
  const fix = `${wanted}, such as ${elsewhereOf(site)}. They go as sameAs into ${target} in the JSON-LD of ${shown(url)}.`
  if (profiles.size === 1) {
    const found = warn(
      'The markup links one profile elsewhere; with a second one engines can confirm who you are.',
      fix,
      ...evidence,
      ...seen,
    )
    return asking(found, { kind: 'one-more-profile' })
  }
  return fail(
    `The markup links no profile elsewhere, so engines cannot confirm who you are.${linked.length === 0 ? '' : ' The pages link what would do.'}`,
    fix,
    {
      url,
      value:
        nodes.length === 0
          ? 'no Organization or Person in the JSON-LD'
          : `no address of a profile in sameAs of ${counted(nodes.length, 'node')}${pages.length > 1 ? ` on ${pages.length} pages` : ''}`,
    },
    ...seen,
  )
}

/** A kennel keeps no repositories. */
function elsewhereOf(site: Site): string {
  const kind = kindOfSite(site)
  if (kind === 'business') return 'networks, maps or a trade register'
  return kind === 'library' || industryOf(site) === 'technology'
    ? 'networks, repositories or directories'
    : 'networks or directories'
}

/** The sameAs of a node that describes a page, as some programs write it. */
function pageProfiles(
  pages: readonly Page[],
  origin: string,
): { readonly url: string; readonly type: string; readonly profiles: readonly string[] } | undefined {
  for (const page of pages) {
    for (const node of nodesOf(page, 'WebPage', 'ProfilePage', 'AboutPage', 'ContactPage')) {
      const profiles = node.isTop ? profilesOf(node, origin) : []
      if (profiles.length > 0) return { url: page.url, type: typeName(node, 'WebPage'), profiles }
    }
  }
  return undefined
}

/** Absolute addresses in sameAs that lead to other sites. */
function profilesOf({ properties }: JsonLdNode, origin: string): string[] {
  return [properties.sameAs]
    .flat()
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter(
      (value) =>
        /^https?:\/\/\S+$/i.test(value) &&
        !isSameSite(value, origin) &&
        !isFile(value) &&
        !isInvitation(value),
    )
}

export function judgeWebsite(pages: readonly Page[]): Outcome {
  const nodes = pages.flatMap((page) => nodesOf(page, 'WebSite').map((node) => ({ page, node })))
  const whole = nodes.find(({ node }) => hasProperty(node, 'name') && hasProperty(node, 'url'))
  if (whole !== undefined) {
    return pass('A WebSite node gives the name and address of the site.', {
      url: whole.page.url,
      value: `WebSite "${shown(textOf(whole.node.properties.name))}"`,
    })
  }
  const url = nodes[0]?.page.url ?? pages[0]?.url ?? ''
  return fail(
    `${nodes.length === 0 ? 'No WebSite node names the site' : 'No WebSite node has both name and url'}, so an engine may show it under another name.`,
    `Add a WebSite node with name and url to ${pages[0]?.jsonLd.blocks === 0 ? 'a new script of type application/ld+json on' : 'the JSON-LD of'} ${shown(pages[0]?.url ?? '')}.`,
    {
      url,
      value:
        nodes.length === 0
          ? `no WebSite node on ${counted(pages.length, 'page')}`
          : `${counted(nodes.length, 'WebSite node')}, none with name and url`,
    },
  )
}

/** A link that lets one join a chat shows nothing of the site to those who have not joined. */
function isInvitation(url: string): boolean {
  return /^https?:\/\/(?:chat\.whatsapp\.com|wa\.me|api\.whatsapp\.com|t\.me\/(?:\+|joinchat)|discord\.gg|m\.me|line\.me|open\.kakao\.com|join\.slack\.com)(?:[/?]|$)/i.test(
    url,
  )
}

/** A picture or a document is no profile. */
function isFile(url: string): boolean {
  return /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|mp4|docx?)$/i.test(pathOf(url))
}
