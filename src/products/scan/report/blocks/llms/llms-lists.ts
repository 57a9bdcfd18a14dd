import { isGenericLinkText } from '../../../agents/content-answerability/generic-link-texts.ts'
import { atOrigin, isListable, listedAddress } from '../../../findings/listed-address.ts'
import { isLanguageSwitch } from '../../../signals/generic-titles.ts'
import { siteLanguage } from '../../../signals/page-language.ts'
import { contentOf, ownNameOf } from '../../../signals/page-name.ts'
import { misspelledStreet, spelled } from '../../../signals/title-spelling.ts'
import { absolute, addressKey, isAction, isSameSite, shown } from '../../../site/addresses.ts'
import { depthBelowHome } from '../../../site/below-home.ts'
import { indexedPages } from '../../../site/indexable.ts'
import { isPathOfKind, noticeKinds } from '../../../site/kinds/page-kinds.ts'
import { pagesOfKind } from '../../../site/linked-pages.ts'
import type { Page, Site } from '../../../site/site.ts'
import { answeredAddresses, listedPages } from '../listed-pages.ts'

/** The lists of pages in an llms.txt: those that the block adds, and those that a file of the site has already. */
export function sections(site: Site, home: Page): string[] {
  const { main, articles, legal } = sortedPages(site, home)
  const { pages, posts, notices } = headings[siteLanguage(site) ?? ''] ?? english
  return [
    [section(pages, main, site), ...unreadLines(site, home)].join('\n'),
    ...(articles.length > 0 ? [section(posts, articles, site)] : []),
    ...(legal.length > 0 ? [section(notices, legal, site)] : []),
  ]
}

/**
 * Pages that the menu links and the scan did not read, where the sitemap has them or the site answers, by the words of
 * the menu. A home page that marks no menu has one among its links.
 */
export function unreadLines(site: Site, home: Page): string[] {
  const known = new Set(site.pages.map(({ url }) => addressKey(url)))
  const there = [...answeredAddresses(site), ...site.sitemap.urls.map(({ loc }) => loc)]
  const listed = new Map(there.map((url) => [addressKey(url), url]))
  const found = new Map<string, string>()
  const isMenuMarked = home.links.some(({ isNavigation, isInternal }) => isNavigation && isInternal)
  const language = siteLanguage(site)?.split('-')[0]
  for (const { url, text, isNavigation, isInternal } of home.links) {
    const key = addressKey(url)
    const isNamed =
      /\p{L}{2}/u.test(text) &&
      text.length <= 60 &&
      !isOfLanguages(text) &&
      (isMenuMarked || !isGenericLinkText(text, language))
    const address = listed.get(key)
    if ((isMenuMarked && !isNavigation) || !isInternal || !isNamed || known.has(key) || address === undefined)
      continue
    if (
      !isListable(url, site) ||
      isAction(url) ||
      noticeKinds.some((kind) => isPathOfKind(url, kind)) ||
      found.has(key)
    )
      continue
    found.set(
      key,
      link(text.replace(glued, ''), atOrigin(absolute(address, site.origin) ?? url, site.origin)),
    )
  }
  return [...found.values()].slice(0, 30)
}

/** "FR", "CH": what switches between languages show. "FAQ" is a name, and so are two signs of Chinese or Japanese. */
function isOfLanguages(text: string): boolean {
  return /^\P{L}*\p{Script=Latin}{1,2}\P{L}*$/u.test(text.slice(0, 60)) || isLanguageSwitch(text)
}

/** "Dental ImplantsPermanent tooth replacement": style sheets part the name of an entry from what it says. */
const glued = /(?<=\p{Ll}{3})\p{Lu}\p{Ll}.* .*$/u

const english = { pages: 'Pages', posts: 'Articles', notices: 'Legal' }

const headings: Readonly<Record<string, typeof english>> = {
  de: { pages: 'Seiten', posts: 'Artikel', notices: 'Rechtliches' },
  fr: { pages: 'Pages', posts: 'Articles', notices: 'Mentions légales' },
  es: { pages: 'Páginas', posts: 'Artículos', notices: 'Avisos legales' },
  it: { pages: 'Pagine', posts: 'Articoli', notices: 'Note legali' },
  nl: { pages: 'Pagina’s', posts: 'Artikelen', notices: 'Juridisch' },
  pt: { pages: 'Páginas', posts: 'Artigos', notices: 'Avisos legais' },
}

function section(heading: string, pages: readonly Page[], site: Site): string {
  return [`## ${heading}`, '', ...pages.slice(0, 30).map((page) => line(page, site))].join('\n')
}

/** The home page and what the menu leads to, then posts of a blog, then notices. */
export function sortedPages(site: Site, home: Page) {
  const seen = new Set([addressKey(home.url), contentOf(home)])
  const listed = listedPages(indexedPages(site), site).filter((page) => {
    const keys = [addressKey(page.url), contentOf(page)]
    if (page.title === '' || keys.some((key) => seen.has(key)) || !isListable(page.url, site)) return false
    for (const key of keys) seen.add(key)
    return true
  })
  // "Terms, pricing and patient information" leads to a page of prices.
  const priced = new Set(pagesOfKind(site, 'pricing'))
  const notices = new Set(
    noticeKinds.flatMap((kind) => pagesOfKind(site, kind)).filter((page) => !priced.has(page)),
  )
  const isArticle = ({ url }: Page) => isPathOfKind(url, 'blog') && depthBelowHome(url, site) > 1
  const others = listed.filter((page) => !notices.has(page))
  return {
    main: [home, ...others.filter((page) => !isArticle(page))],
    articles: others.filter(isArticle),
    legal: listed.filter((page) => notices.has(page)),
  }
}

/**
 * The title alone. What pages write of themselves for search engines was often true of another year, and nobody reads it
 * again before it is published here.
 */
export function line(page: Page, site: Site): string {
  return link(spelled(ownNameOf(page, site.pages), misspelledStreet(site)), listedAddress(page))
}

function link(name: string, url: string): string {
  return `- [${shown(name, 200).replace(/[[\]]/g, '')}](${url.replace(/[()[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)})`
}

/** Whether a text has a section that lists links in the form of the format. */
export function hasLinkedList(text: string): boolean {
  return /^##\s[^\n]*\n(?:(?!#)[^\n]*\n)*?\s{0,8}[-*+]\s+\[[^\]]+\]\([^)\s]+/m.test(text)
}

/**
 * "- Fees: https://…" as "- [Fees](https://…)", where a text names two pages of the site or more in this way. A second
 * list of the same pages would contradict the first one day.
 */
export function withLinkedLines(
  text: string,
  { registrableDomain }: Pick<Site, 'registrableDomain'>,
): string {
  const isOwn = (url: string) => isSameSite(url, `https://${registrableDomain}/`)
  const lines = text.split('\n')
  const linked = lines.map((one) => {
    const { name, url } = bareLine.exec(one)?.groups ?? {}
    return name !== undefined && url !== undefined && isOwn(url) ? `- [${name.trim()}](${url})` : one
  })
  return linked.filter((one, place) => one !== lines[place]).length < 2 ? text : linked.join('\n')
}

const bareLine =
  /^\s{0,8}(?:[-*+]\s{1,8})?(?<name>[^\s:[\]#>][^:[\]\n]{0,100}):\s{1,4}<?(?<url>https?:\/\/[^\s<>()]{3,500})>?\s{0,8}$/

/** Puts lines behind the last link of the first list of links. */
export function withLines(text: string, added: readonly string[]): string {
  if (added.length === 0) return text
  const lines = text.split('\n')
  const first = lines.findIndex((one) => listedLink.test(one))
  const behind = lines.slice(first).findIndex((one) => !listedLink.test(one))
  const end = behind < 0 ? lines.length : first + behind
  return [...lines.slice(0, end), ...added, ...lines.slice(end)].join('\n')
}

const listedLink = /^\s{0,8}[-*+]\s{1,8}\[[^\]]+\]\([^)\s]+/
