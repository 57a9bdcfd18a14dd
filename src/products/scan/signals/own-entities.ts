import { addressKey, depthOf, isSameSite } from '../site/addresses.ts'
import { isOfUnknownType, nodesOf, textOf } from '../site/html/json-ld.ts'
import { isPathOfKind } from '../site/kinds/page-kinds.ts'
import type { JsonLdNode, Page, Site } from '../site/site.ts'

/** A node that describes who runs the site, with the page that holds it. */
export interface OwnEntity {
  readonly page: Page
  readonly node: JsonLdNode
}

/**
 * The organization that runs the site, or the person, as its markup says. Other organizations stand in markup
 * too: an employer, a publisher, an entry of a catalogue. A check that took one of them for the site would
 * compare the wrong name, profiles and telephone number.
 */
export function ownEntities(site: Site): readonly OwnEntity[] {
  const { home, pages } = site
  const known = home === undefined ? [] : [...entitiesOn(home, 'Organization'), ...ratedOn(home, site)]
  const onHome = home === undefined || known.length > 0 ? known : unknownOn(home)
  if (home !== undefined && onHome.length > 0) return [...onHome, ...ownPersons(home)]
  const elsewhere = pages
    .filter((page) => page !== home)
    .flatMap((page) => entitiesOn(page, 'Organization').filter((one) => isOfSite(one, site)))
  if (elsewhere.length > 0) return elsewhere
  return home === undefined ? [] : entitiesOn(home, 'Person')
}

function unknownOn(home: Page): OwnEntity[] {
  return home.jsonLd.nodes
    .filter((node) => node.isTop && isOfUnknownType(node))
    .map((node) => ({ page: home, node }))
}

/** A person who runs a firm under the own name: the home page bears it. */
function ownPersons(home: Page): OwnEntity[] {
  const title = home.title.toLowerCase()
  return entitiesOn(home, 'Person').filter(({ node }) => {
    const name = textOf(node.properties.name).toLowerCase()
    return name !== '' && title.includes(name)
  })
}

/** The business that a rating by itself is about, where its address is the one of the site. */
function ratedOn(home: Page, { origin }: Site): OwnEntity[] {
  if (!nodesOf(home, 'AggregateRating', 'Review').some(({ isTop }) => isTop)) return []
  return nodesOf(home, 'Organization')
    .filter(({ isTop, properties }) => !isTop && isSameSite(textOf(properties.url), origin))
    .map((node) => ({ page: home, node }))
}

/** The nodes that stand by themselves, then those that a node about the page or the site names. */
function entitiesOn(page: Page, type: 'Organization' | 'Person'): OwnEntity[] {
  const all = nodesOf(page, type)
  const top = all.filter(({ isTop }) => isTop)
  const named = nodesOf(page, ...subjects)
    .filter(({ isTop }) => isTop)
    .flatMap(({ properties }) => links.flatMap((link) => referred(properties[link])))
    .flatMap((reference) => all.filter((node) => isReferred(node, reference)))
  return [...new Set([...top, ...named])].map((node) => ({ page, node }))
}

/** Types whose nodes describe the page or the whole site. */
const subjects = [
  ...['WebSite', 'WebPage', 'ProfilePage', 'AboutPage', 'ContactPage', 'FAQPage', 'CollectionPage'],
  ...['SoftwareApplication', 'WebApplication', 'MobileApplication'],
]
const links = ['publisher', 'about', 'mainEntity', 'author', 'creator', 'provider']

function referred(value: unknown): { id: string; name: string }[] {
  const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, 10) : [value]
  return values.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return []
    const id = '@id' in one && typeof one['@id'] === 'string' ? one['@id'] : ''
    return [{ id, name: textOf(one) }]
  })
}

function isReferred({ properties }: JsonLdNode, { id, name }: { id: string; name: string }): boolean {
  if (id !== '' && properties['@id'] === id) return true
  return name !== '' && textOf(properties.name) === name
}

/**
 * A page for contact or about the firm describes the site; another one only if the node names the site. The page of one
 * dentist, which names itself, says nothing of the practice.
 */
function isOfSite({ page, node }: OwnEntity, { origin }: Site): boolean {
  const address = textOf(node.properties.url)
  const isAboutFirm = (['about', 'contact', 'imprint'] as const).some((kind) => isPathOfKind(page.url, kind))
  if (address === '') return isAboutFirm
  const isItself = !isAboutFirm && addressKey(address) === addressKey(page.url)
  return !isItself && isSameSite(address, origin) && depthOf(address) <= 1
}
