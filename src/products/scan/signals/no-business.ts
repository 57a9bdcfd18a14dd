import { nodesOf } from '../site/html/json-ld.ts'
import { linksToKind } from '../site/linked-pages.ts'
import { isPathOfKind } from '../site/page-kinds.ts'
import { isLibrary } from '../site/profile.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * Whether a site plainly sells nothing: the documentation of a library, a blog or magazine, an association, a parish, a
 * public school, a person's own page. An agent does not look for prices there. A shop or a price list on the site says otherwise.
 */
export function isNoBusiness(site: Site): boolean {
  const { home, pages, profile } = site
  if (home === undefined || profile.shop || sells(site)) return false
  if (pages.some(isLibrary) && !profile.api && !profile.app) return true
  return (
    isBlog(home) ||
    nodesOf(home, ...types).some(({ isTop }) => isTop) ||
    isAssociation(home) ||
    isPersonal(home)
  )
}

function sells(site: Site): boolean {
  return (['pricing', 'booking', 'shop'] as const).some((kind) => linksToKind(site, kind).length > 0)
}

const types = ['Blog', 'NGO', 'GovernmentOrganization', 'PlaceOfWorship']

/** Most links of the home page lead to articles. */
function isBlog(home: Page): boolean {
  const internal = new Set(home.links.filter(({ isInternal }) => isInternal).map(({ url }) => url))
  const articles = [...internal].filter((url) => isPathOfKind(url, 'blog'))
  return articles.length >= 5 && articles.length * 2 > internal.size
}

/** By what it calls itself: in the title, the main heading, the description or the last lines. */
function isAssociation(home: Page): boolean {
  const headings = home.headings.filter(({ level }) => level === 1).map(({ text }) => text)
  return association.test(
    [home.title, ...headings, home.description, home.text.slice(-300)].join(' | ').slice(0, 2_000),
  )
}

const association =
  /(?<!\p{L})(?:(?:online )?magazine|webzine|rivista online|associazione|onlus|parrocchia|e\.\s?v\.|gemeinnützig\p{L}*|kirchengemeinde|pfarrei|non-?profit|registered charity|501\(c\)\(3\)|parish|public school|school district|association loi|paroisse|asociación sin ánimo|parroquia|vereniging|stichting|parochie|z\.\s?s\.|spolek|stowarzyszenie|derneği|topluluğu|благотворительн\p{L}*|приход|جمعية خيرية|trường (?:thcs|thpt|tiểu học|mầm non))(?!\p{L})/iu

/** A page about oneself or one's own projects. */
function isPersonal(home: Page): boolean {
  const headings = home.headings.filter(({ level }) => level === 1).map(({ text }) => text)
  return personal.test([home.title, ...headings, home.description].join(' | ').slice(0, 2_000))
}

const personal =
  /(?<!\p{L})(?:(?:side )?projects (?:of|by) \p{Lu}|(?:my|a) personal (?:web ?site|home ?page|page|blog|site)|personal (?:home ?page|blog|web ?site) of|digital garden|meine private (?:home|web)|private homepage|page personnelle de|página personal de|pagina personale di)/u
