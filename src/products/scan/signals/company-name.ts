import { shown } from '../site/addresses.ts'
import { creditLinesOf } from '../site/html/credit-lines.ts'
import { metaOf } from '../site/html/elements.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import type { Page, Site } from '../site/site.ts'
import { agreedName, copyrightNamesOf, withoutDocs } from './brand-name.ts'
import { isGeneric } from './generic-titles.ts'
import { isGreeting, withoutGreeting } from './greetings.ts'
import {
  accented,
  brandLinksOf,
  countSources,
  folded,
  hostLabels,
  logosOf,
  nameInLogo,
  resembles,
  sharedBeginning,
  sharedHomeHeadings,
  sharedWith,
} from './name-sources.ts'
import { ownEntities } from './own-entities.ts'

/**
 * Returns the name of the business: the name on which several places agree, else the one in its markup, in
 * og:site_name or in the title. A title is often a slogan, so a part of it is used only if it resembles the
 * domain, stands in the page's heading or logo too, or is written like a name. A copyright line may name the
 * maker of the template, so it comes after all that. The domain is the last resort. The author of the site controls this text, so it is made printable and cut.
 */
export function companyName(site: Site): string {
  return knownName(site) ?? site.capture.domain
}

/** As `companyName`, and undefined where the site says no name. */
export function knownName(site: Site): string | undefined {
  const seen = known.get(site) ?? { name: firstName(site, true) }
  known.set(site, seen)
  return seen.name
}

/** A dozen checks and blocks of one scan ask for the name, and all pages are searched to find it. */
const known = new WeakMap<Site, { readonly name: string | undefined }>()

/**
 * Returns the name for the directory. It is found like `companyName`, except that a copyright line needs another place
 * that agrees: it may name the maker of the template or the owner of the pictures.
 */
export function listedName(site: Site): string {
  return firstName(site, false) ?? site.capture.domain
}

/** The first name on which two places agree, else the first. */
function firstName(site: Site, trustsCopyright: boolean): string | undefined {
  const isTown = townRule(site)
  const isMaker = makerRule(site)
  const withoutTown = (name: string) => {
    const [, bare = '', last = ''] = /^(.+?)\s?[·|,–-]\s([^·|,–-]+)$/u.exec(name) ?? []
    return isTown(last) ? bare : name
  }
  const named = [...namesOf(site)]
    .map(withoutTown)
    .filter((name) => /[\p{L}\p{N}]/u.test(name) && !isGeneric(name) && !isTown(name) && !isMaker(name))
    .filter((name) => !isMembership(name, site))
  const signed = site.home === undefined ? [] : copyrightNames(site.home)
  const spelled = site.home === undefined ? '' : spelledDomain(site.home, site.registrableDomain)
  const all = [...named, ...signed, spelled].filter((name) => name !== '' && !isGeneric(name))
  // What the owner states for machines is the name, even where it is in other words than the title.
  const isStated = statedNames(site).some(
    (name) => /[\p{L}\p{N}]/u.test(name) && !isGeneric(name) && !isMaker(name),
  )
  const agreed = isStated
    ? undefined
    : (firmInTitle(site.home) ??
      shortTitleOfAll(site) ??
      [...new Set(all)].slice(0, 40).find((name) => countSources(name, site) >= 2))
  // A house in a village may be called as the village is, and no name is left without that.
  const [bare = ''] = titleParts(site.home?.title ?? '').filter(isTown)
  const found = agreed ?? [...(trustsCopyright ? all : [...named, spelled]), bare].find((one) => one !== '')
  const inFull = found === undefined || isStated ? found : (longerName(site, found) ?? found)
  // "41lindlegal.example" in the title, where the text says "41 Lind Legal"; "3 PROXY" in the logo, and "3proxy" in the title.
  const name =
    inFull?.toLowerCase() === site.registrableDomain && spelled !== ''
      ? spelled
      : (inFull !== undefined && site.home && joinedIn(site.home.title, inFull)) || inFull
  if (name === undefined) return undefined
  const written = shown(withoutPageWord(trimmed(name), site.registrableDomain), maxLength)
  return isStated || site.home === undefined ? written : accented(written, site.home)
}

const maxLength = 100

/** Whether a name is that of whoever made the site: "Webdesign: Lindweb" in the imprint, and the author in the head. */
function makerRule(site: Site): (name: string) => boolean {
  const { pages, home } = site
  const credits = pages.flatMap((page) => creditLinesOf(page)).map((line) => folded(line).trim())
  const title = folded(home?.title ?? '')
  // What the owner states in so many words stays, also where the owner made the site.
  const stated = new Set(
    [
      ...ownEntities(site).map(({ node }) => textOf(node.properties.name)),
      home === undefined ? '' : metaOf(home, 'og:site_name'),
    ].map(folded),
  )
  return (name) => {
    const wanted = folded(name)
    return (
      wanted !== '' &&
      !stated.has(wanted) &&
      !title.includes(wanted) &&
      credits.some(
        (line) =>
          line === wanted || (line.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(line.slice(wanted.length))),
      )
    )
  }
}

/** Whether a name is that of a society whose logo the home page shows, because a member runs the site. */
function isMembership(name: string, { home, origin }: Site): boolean {
  const own = folded(`${home?.title ?? ''} ${new URL(origin).hostname}`)
  return (
    society.test(name) &&
    !folded(name)
      .split(' ')
      .some((word) => word.length >= 4 && own.includes(word))
  )
}

const society =
  /(?<!\p{L})(?:academy|association|society|chamber|federation|council|board|(?:\p{L}+)?(?:verband|kammer|gesellschaft|akademie)|ordre|soci[ée]t[ée]|asociaci[oó]n|sociedad|federaci[oó]n|colegio|società|associazione|ordine|associação|sociedade|vereniging|asociacija|draugija|rūmai|stowarzyszenie|towarzystwo)(?!\p{L})/iu

/** Whether a name is the town of an address, "66111 Saarbrücken": it stands in the title and in the footer, too. */
function townRule({ pages }: Site): (name: string) => boolean {
  const towns = new Set(
    pages
      .slice(0, 5)
      .flatMap(({ text }) => [
        ...text.slice(0, 100_000).matchAll(codeAndTown),
        ...text.slice(0, 100_000).matchAll(townAndState),
      ])
      .flatMap(({ groups: { town } = {} }) => (town === undefined ? [] : [folded(town)])),
  )
  return (name) => towns.has(folded(name))
}

/** Not of a year: "2026 Lind Bakery" stands behind a copyright sign. */
const codeAndTown =
  /(?<![\p{L}\d])(?!(?:19|20)\d\d )\d{4,6} (?<town>\p{Lu}\p{L}{2,30}(?:[ -]\p{Lu}\p{L}{2,30})?)(?![\p{L}-])/gu

/** "São Paulo - SP", as addresses in Brazil have it. */
const townAndState =
  /(?<![\p{L}-])(?<town>\p{Lu}\p{L}{2,30}(?: (?:d[aeo]s? )?\p{Lu}\p{L}{2,30}){0,2}) ?[-–/] ?(?:A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)(?![\p{L}-])/gu

/** "Lind School" of "Lind School Home", where the domain is that of "Lind School". */
function withoutPageWord(name: string, domain: string): string {
  const bare = name.replace(/\s(?:home|index|main|start(?:seite)?)$/i, '')
  return lettersOf(bare) === wordOf(domain) ? bare : name
}

/**
 * "Ada Lind Osteopath", where the title and a main heading agree on it and the logo says "Ada Lind" alone: the trade
 * belongs to the name. One word more, or two, that begin in capitals. "Ulm Eye Clinic" of ulmeyeclinic.example, where the
 * title says "Ulm": the heading has more of the domain.
 */
function longerName({ home, registrableDomain }: Site, name: string): string | undefined {
  if (home === undefined) return undefined
  const label = folded(registrableDomain.split('.')[0] ?? '')
  const heading = headings(home).find(
    (one) =>
      folded(one).startsWith(`${folded(name)} `) &&
      isWrittenLikeName(one) &&
      sharedWith(one, label) > sharedWith(name, label),
  )
  if (heading !== undefined) return heading
  const main = new Set(headings(home).map(folded))
  return titleParts(home.title).find((part) => {
    const more = folded(part).startsWith(`${folded(name)} `) ? part.slice(name.length).trim() : ''
    return main.has(folded(part)) && /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?$/u.test(more) && !isGeneric(more)
  })
}

/** "Lind Dental" of "Lind Dental :": such signs part a name from a slogan, and would be pasted with it. */
function trimmed(name: string): string {
  return name.replace(/^[\s:;,|·•»–—-]+|[\s:;,|·•«–—-]+$/gu, '')
}

/** What the owner calls the site in its markup and for previews. */
export function statedNames(site: Site): string[] {
  const { home, registrableDomain } = site
  const marked = ownEntities(site).map(({ node }) => textOf(node.properties.name))
  if (home === undefined) return marked
  // "lindhomes" is the domain, which a system fills in; the page says "Lind Homes".
  const isDomain = (name: string) =>
    (name === registrableDomain.split('.')[0] && spelledDomain(home, registrableDomain) !== '') ||
    (name.toLowerCase() === registrableDomain && hasNameInTitle(site, registrableDomain))
  return [...marked, metaOf(home, 'og:site_name')]
    .map((name) => withoutYear(name, home))
    .filter((name) => !isDomain(name) && !isOutlier(name, site))
}

/** "Lind Fair" of "Lind Fair 2019", where the title has it without the year: the preview is that of an earlier event. */
function withoutYear(name: string, { title }: Page): string {
  const [, bare] = /^(.{3,80}?)\s(?:19|20)\d{2}$/.exec(name) ?? []
  return bare !== undefined && !title.includes(name) && title.includes(bare) ? bare : name
}

/** "Lind Bakery | lind-bakery.example": the name stands beside the domain, and most pages show it. */
function hasNameInTitle({ home, pages }: Site, domain: string): boolean {
  if (home === undefined) return false
  return [home.title, metaOf(home, 'og:title')]
    .flatMap(titleParts)
    .filter((part) => part.toLowerCase() !== domain && part.includes(' '))
    .some((part) => isOnMostPages(part, { pages }))
}

function isOnMostPages(part: string, { pages }: Pick<Site, 'pages'>): boolean {
  const showing = pages.filter(({ text }) => folded(text.slice(0, 100_000)).includes(folded(part))).length
  return showing >= Math.min(2, pages.length) && showing * 10 >= pages.length * 6
}

/** Whether a name adds words to that in the title, and no page shows it: "Lind Dental Hospital" beside the title "Lind Dental". */
function isOutlier(name: string, { home, pages }: Site): boolean {
  const part = titleParts(home?.title ?? '').find(
    (one) => one.includes(' ') && name.toLowerCase().startsWith(`${one.toLowerCase()} `),
  )
  if (part === undefined) return false
  const wanted = name.toLowerCase()
  return !pages.some(
    ({ title, text }) => title.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted),
  )
}

function copyrightNames(home: Page): string[] {
  return copyrightNamesOf(home)
    .map((name) => name.replace(/^by /i, ''))
    .filter((name) => !isSlogan(name) && /[\p{L}\p{N}]/u.test(name))
}

function* namesOf(site: Site): Generator<string> {
  const { home } = site
  if (home) yield agreedName(home, site) ?? ''
  if (home && statedNames(site).length === 0)
    yield titleParts(metaOf(home, 'og:title')).find((part) => isOnMostPages(part, site)) ?? ''
  yield* statedNames(site)
  if (home === undefined) return
  yield* sharedHomeHeadings(site).filter((name) => !isSlogan(name))
  yield titlePart(home.title, site.registrableDomain)
  yield* hostLabels(site).map((label) => titlePart(home.title, `${label}.`))
  yield partOfAllTitles(home, site.pages)
  yield* [sharedBeginning(site)].filter((name) => !isSlogan(name))
  yield repeatedPart(home.title)
  for (const { properties } of nodesOf(home, 'WebSite')) yield textOf(properties.name)
  yield metaOf(home, 'application-name')
  yield metaOf(home, 'apple-mobile-web-app-title')
  yield* namesInTitle(home, site.pages)
  yield* [...logosOf(home), ...headings(home)].filter(
    (name) => titlePart(name, site.registrableDomain) === name,
  )
  yield* homeLogos(home).filter((name) => !isSlogan(name) && !isGeneric(name) && isWrittenLikeName(name))
  yield* headings(home).filter((name) => !isSlogan(name) && doctoral.test(name))
  yield lastTitle(home)
  yield titleOfAll(site)
  yield* brandLinksOf(home).filter((name) => !isSlogan(name))
}

/** The part of the home page's title that most other titles have, too: a slogan stands on the home page alone. */
function partOfAllTitles(home: Page, pages: readonly Page[]): string {
  const others = pages.filter((page) => page !== home).map(({ title }) => new Set(titleParts(title)))
  return (
    titleParts(home.title).find((part) => {
      const count = others.filter((parts) => parts.has(part)).length
      return count >= 3 && count * 2 > others.length
    }) ?? ''
  )
}

/** The one title of all pages, where they are several: it says nothing of the page. */
function titleOfAll({ home, pages }: Site): string {
  const titles = new Set(pages.map(({ title }) => title))
  const parts = titleParts(home?.title ?? '')
  return pages.length >= 2 && titles.size === 1 && parts.length === 1 ? (parts[0] ?? '') : ''
}

/** It is the name, whatever the domain spells in another script: nothing else can be meant. */
function shortTitleOfAll(site: Site): string | undefined {
  const title = titleOfAll(site)
  const isName = site.pages.length >= 3 && title.length <= 30 && !/[.!?。！？]/u.test(title)
  return isName && title !== '' && !isGeneric(title) ? title : undefined
}

/** "Example" of "Example – Example": a template writes the name of the site behind that of the page. */
function repeatedPart(title: string): string {
  const parts = titleParts(title)
  return parts.find((part, at) => parts.indexOf(part) !== at) ?? ''
}

/** "Timmerman Vink" in the text of timmermanvink.nl: the domain, with the spaces and capitals of a name. */
function spelledDomain({ text }: Page, domain: string): string {
  const label = (domain.split('.')[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '')
  if (label.length < 6 || label.length > 40) return ''
  const spelled = new RegExp(`(?<![\\p{L}\\p{N}])${[...label].join('[ -]?')}(?![\\p{L}\\p{N}])`, 'giu')
  const found = Array.from(text.slice(0, 100_000).matchAll(spelled), ([one]) => one)
  return found.find((one) => /^(?:\p{Lu}|\d+ \p{Lu})/u.test(one) && one.includes(' ')) ?? ''
}

/** "3proxy" of the title "3proxy tiny proxy server" for "3 PROXY", whose parts a logo sets apart. */
function joinedIn(title: string, name: string): string | undefined {
  if (!/^\d+ \S+$/.test(name) || title.toLowerCase().includes(name.toLowerCase())) return undefined
  return title.split(/[\s:,|–—-]+/u).find((word) => word.toLowerCase() === lettersOf(name))
}

/**
 * A title of one word is a name. So is the part of a Chinese, Japanese or Korean title that ends as names of
 * firms and schools do, else its last part: there are no capitals by which to tell a name.
 */
function lastTitle(home: Page): string {
  const parts = titleParts(home.title)
  const [only = ''] = parts
  if (parts.length === 1 && /^[\p{L}\p{M}\p{N}]{4,40}$/u.test(only)) return only
  const unspaced = parts.filter(
    (part) => part.length <= 20 && /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u.test(part),
  )
  return unspaced.find((part) => firm.test(part)) ?? unspaced.at(-1) ?? ''
}

/** A part of the title that bears a legal form is the name of a firm, whatever the footer has in Latin letters. */
function firmInTitle(home: Page | undefined): string | undefined {
  return home && titleParts(home.title).find((part) => legalForm.test(part))
}

const legalForm =
  /^(?:株式会社|有限会社|合同会社|㈱|주식회사|㈜)\s?\p{L}|\p{L}\s?(?:株式会社|有限会社|合同会社|㈱|주식회사|㈜|有限公司)$/u

const firm =
  /株式会社|有限会社|(?:学院|學院|学園|大学|大學|学校|學校|医院|醫院|病院|クリニック|歯科|牙科|诊所|診所|事務所|協会|協會|协会|神社|公司|회사|병원|의원|치과|학원|학교|교회|협회)$/

/** "Example Ltd" of "Home | Example Ltd": the part that resembles the domain most; of equal ones the last. */
function titlePart(title: string, domain: string): string {
  const parts = titleParts(title)
  const label = wordOf(domain)
  const fitting = [...parts].reverse().filter((part) => resembles(part, label))
  return fitting.toSorted((a, b) => sharedWith(b, label) - sharedWith(a, label))[0] ?? ''
}

/** "lindbakery" of lind-bakery.example. */
function wordOf(domain: string): string {
  return lettersOf(domain.split('.')[0] ?? '')
}

function lettersOf(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '')
}

function titleParts(title: string): string[] {
  return title
    .slice(0, 300)
    .split(/ [-|–—·•»~] |\s?::?\s|[|｜]/)
    .filter((part) => !isGreeting(part))
    .map((part) => withoutDocs(withoutGreeting(trimmed(part))))
    .filter((part) => part !== '' && !isSlogan(part) && !isGeneric(part))
}

/** The parts of the title that the heading, the logo or another title repeats, then those written like a name. */
function namesInTitle(home: Page, pages: readonly Page[]): string[] {
  const parts = titleParts(home.title)
  const shownNames = new Set([...headings(home), ...logosOf(home)].map(folded))
  const repeated = new Set(
    pages.filter((page) => page.title !== home.title).flatMap(({ title }) => titleParts(title).map(folded)),
  )
  return [
    ...parts.filter((part) => shownNames.has(folded(part))),
    ...parts.filter((part) => isWrittenLikeName(part) && repeated.has(folded(part))),
    ...parts.filter(isWrittenLikeName),
  ]
}

function headings({ $ }: Page): string[] {
  return $('h1')
    .slice(0, 5)
    .toArray()
    .map((element) => $(element).text().slice(0, 300).replace(/\s+/g, ' '))
    .filter((text) => !isGreeting(text))
    .map((text) => withoutGreeting(text))
}

/** "Ada M. Lind, D.D.S., P.A.": dentists and doctors in North America call their practice so. */
const doctoral = /,\s(?:DDS|DMD|D\.D\.S\.|D\.M\.D\.)/

/** The alternative texts of pictures that are called a logo or lead to the home page. */
function homeLogos({ $ }: Page): string[] {
  const images = $(
    'a[href="/"] img[alt], a[href="./"] img[alt], a[href^="index."] img[alt], a[href="#top"] img[alt], img[alt][src*="logo" i], img[alt][class*="logo" i]',
  )
  return images
    .slice(0, 3)
    .toArray()
    .flatMap(({ attribs }) => nameInLogo(attribs.alt ?? '', attribs.src))
}

/** "Bright Smile Dental", and not "Fine bicycles for everyone": up to five words that all begin in capitals. */
function isWrittenLikeName(part: string): boolean {
  const words = part.replace(academicTitles, '').trim().split(' ')
  return (
    words.length <= 5 &&
    words.every((word) =>
      /^(?:[\p{Lu}\p{N}&]|(?:and|of|the|und|de|la|e|y|et|en|di|da|do|du|des|del|van|von|der)$)/u.test(word),
    )
  )
}

/** "Dr. med. Anna Berg" is a name. */
const academicTitles = /(?:\b(?:prof|dr|med|dent|vet|phil|rer|nat|jur|dipl|ing|mag|univ)\.[ -]?)+/gi

/** "Ada Lind DMD, MD", "Ada Lind, D.D.S., P.A."; "Erie, PA" is a town. */
const degrees = /,?\s(?:DDS|DMD|D\.D\.S\.|D\.M\.D\.)(?:,\s(?:MD|M\.D\.|PA|P\.A\.|PC|P\.C\.|MS|PhD))*/g

/** "Austin TX plumber, 24/7" is a slogan: a name is short and has no comma except before its legal form. */
function isSlogan(text: string): boolean {
  if (text.length > 60 || /[!?、。！？]|\d\/\d/.test(text)) return true
  return /,(?!\s(?:inc|llc|ltd|llp|co|corp|plc|gmbh|s\.?a)\b)/i.test(text.replaceAll(degrees, ''))
}
