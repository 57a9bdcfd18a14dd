import { metaOf } from '../../site/html/elements.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import { isLinkOfKind, isPathOfKind } from '../../site/kinds/page-kinds.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import { isLibrary } from '../../site/profile.ts'
import type { Page, Site } from '../../site/site.ts'
import { isBusiness } from './business-signs.ts'
import { isClassed, magazine, type NamedKind, namedKinds, personal, unofficial } from './kind-names.ts'

/**
 * What kind of site it is, for all checks: a parish has no customers and a magazine no prices, and a check that asks
 * for them would tell its owner that the report was made for somebody else.
 */
export type SiteKind = NamedKind | 'business' | 'publication' | 'library' | 'person' | 'unclear'

const known = new WeakMap<Site, SiteKind>()

/** A site that says nothing of what it is stays `unclear`, and is not asked for what only a business has. */
export function kindOfSite(site: Site): SiteKind {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const kind = read(site)
  known.set(site, kind)
  return kind
}

/** How a sentence calls what the site belongs to: "who runs the association". */
export function nounOf(kind: SiteKind): string {
  return nouns[kind]
}

const nouns: Readonly<Record<SiteKind, string>> = {
  business: 'business',
  association: 'association',
  faith: 'community',
  public: 'institution',
  research: 'group',
  event: 'event',
  publication: 'publication',
  library: 'project',
  person: 'site',
  unclear: 'site',
}

export const siteNouns: readonly string[] = [...new Set(Object.values(nouns))]

/** Whether one writes to a person, a project or organizers there and not to an organization with an address. */
export function isPrivate(kind: SiteKind): boolean {
  return /^(?:person|library|publication|event|unclear)$/.test(kind)
}

/** The first words of a sentence that says why the site is not asked for what a business has. */
export function whyNoBusiness(site: Site): string {
  return kindOfSite(site) === 'unclear'
    ? 'On the pages that were read, the site shows no sign of a business that is known here, such as services, goods or a company'
    : 'The site is not that of a business'
}

/** A shop says that it sells, whatever it calls itself. */
function read(site: Site): SiteKind {
  const { home, pages, profile } = site
  if (home === undefined || profile.shop) return 'business'
  if (isPersonal(home)) return 'person'
  if (isUnofficial(home)) return 'unclear'
  if (isBlog(home) || isMagazine(home)) return 'publication'
  if (documentsLibrary(home, pages) && !profile.api && !profile.app) return 'library'
  return namedKind(site, home) ?? (isBusiness(site) ? 'business' : 'unclear')
}

/** By its home page, or by a page of the documentation that it links. An article on how to install something is neither. */
function documentsLibrary(home: Page, pages: readonly Page[]): boolean {
  if (isLibrary(home)) return true
  return home.links.some((link) => isLinkOfKind(link, 'docs')) && pages.some(isLibrary)
}

/** Most links of the home page lead to articles. */
function isBlog(home: Page): boolean {
  const internal = new Set(home.links.filter(({ isInternal }) => isInternal).map(({ url }) => url))
  const articles = [...internal].filter((url) => isPathOfKind(url, 'blog'))
  return articles.length >= 5 && articles.length * 2 > internal.size
}

function isMagazine(home: Page): boolean {
  return (
    nodesOf(home, 'Blog').some(({ isTop }) => isTop) ||
    /(?:^|[.-])(?:magazine|zine|blog)(?=[.-])/.test(new URL(home.url).hostname) ||
    magazine.test([home.title, ...mainHeadings(home), home.description].join(' | ').slice(0, 2_000))
  )
}

/** By its markup, by its host, by the name it gives itself, or by what it says of itself in so many words. */
function namedKind(site: Site, home: Page): NamedKind | undefined {
  const names = [home.title, ...mainHeadings(home), metaOf(home, 'og:site_name'), ...ownNames(home)]
  const name = names.join(' | ').slice(0, 2_000)
  const statement = `${name} | ${home.description} | ${home.text.slice(-300)}`.slice(0, 4_000)
  const host = new URL(site.origin).hostname
  const links = site.pages.flatMap((page) => page.links.map(({ text }) => text)).slice(0, 2_000)
  const told = [home, ...pagesOfKind(site, 'about')]
    .map(({ mainText }) => mainText.slice(0, 5_000))
    .join(' | ')
  return namedKinds.find(
    (kind) =>
      nodesOf(home, ...kind.types).some(({ isTop }) => isTop) ||
      isClassed(host, kind) ||
      kind.names.test(name) ||
      kind.statements?.test(statement) === true ||
      kind.saying?.test(told) === true ||
      links.some((text) => text.length <= 40 && kind.links?.test(text) === true),
  )?.kind
}

function mainHeadings(home: Page): readonly string[] {
  return home.headings.filter(({ level }) => level === 1).map(({ text }) => text)
}

function ownNames(home: Page): readonly string[] {
  return nodesOf(home, 'Organization', 'WebSite')
    .filter(({ isTop }) => isTop)
    .map(({ properties }) => textOf(properties.name))
}

/** A page about oneself or one's own projects. */
function isPersonal(home: Page): boolean {
  return personal.test(statementOf(home))
}

function isUnofficial(home: Page): boolean {
  const names = [home.title, ...mainHeadings(home)].join(' | ').slice(0, 2_000)
  return unofficial.name.test(names) || unofficial.statement.test(home.description)
}

/** What the page calls itself, and says of itself to search engines. */
function statementOf(home: Page): string {
  return [home.title, ...mainHeadings(home), home.description].join(' | ').slice(0, 2_000)
}
