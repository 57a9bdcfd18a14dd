import { absolute, addressKey } from '../site/addresses.ts'
import { metaOf } from '../site/html/elements.ts'
import { around, textWithin } from '../site/html/visible-text.ts'
import type { Page, Site } from '../site/site.ts'
import { normalized, placesOf, withoutAccents } from './brand-name.ts'
import { isFileName, withoutGreeting } from './greetings.ts'

/**
 * Where a site says its name. A single place may hold a slogan, a phrase for search engines or the name of a file; a
 * name that two of them share is one. Without that, a report would call the site by its slogan and advise to write
 * it everywhere.
 */
export function countSources(name: string, site: Site): number {
  const wanted = normalized(name)
  const { home } = site
  if (wanted === '' || home === undefined) return 0
  const holds = (names: readonly string[]) => names.some((one) => normalized(one) === wanted)
  const places = placesOf(home, site).filter(({ names, hasName }) => holds(names) || hasName(wanted))
  const isInTitles = !places.some(({ label }) => label === 'the title') && holds([sharedBeginning(site)])
  const further = [
    isInTitles,
    holds([...logosOf(home), ...brandLinksOf(home)]),
    holds(namesInPreview(home)),
    domainLabels(site).some((label) => isSpelledAs(name, label)),
  ]
  return places.length + further.filter(Boolean).length
}

/** The parts of og:title, where that is not the title again. */
function namesInPreview(home: Page): string[] {
  const title = metaOf(home, 'og:title')
  return title === home.title ? [] : title.slice(0, 300).split(/\s[-–—|·•]\s|\s?[|｜]\s?/)
}

/** "Lind Bakery" of `alt="Lind Bakery logo"`, where the picture stands in the header or leads to the home page. */
export function logosOf({ $ }: Page): string[] {
  const images = $('header img[alt], a[href="/"] img[alt], img[alt$="logo" i], img[alt^="logo" i]')
    .slice(0, 10)
    .toArray()
  return images.flatMap(({ attribs }) => nameInLogo(attribs.alt ?? '', attribs.src))
}

/** The name in the alternative text of a logo; none where it is the name of the file. */
export function nameInLogo(alt: string, src = ''): string[] {
  if (isFileName(alt, src)) return []
  const name = alt
    .replace(/^(?:logo(?:type)?|ロゴ|로고|логотип)(?:\s(?:of|von|de|di|der|du|van))?(?!\p{L})[\s:–—-]*/iu, '')
    .replace(/(?:\s*\blogo(?:type)?|\s*のロゴ|ロゴ|\s*로고|\s+логотип)$/iu, '')
  return name.trim() === '' ? [] : [withoutGreeting(name)]
}

/** The words of the link that leads home from the header: "Lind Bakery" beside the logo. */
export function brandLinksOf({ $ }: Page): string[] {
  const links = $(
    'header a[class*="brand" i], nav a[class*="brand" i], header a[class*="logo" i], nav a[class*="logo" i], header a[href="/"], nav a[href="/"], header [class~="logo"], nav [class~="logo"]',
  )
    .slice(0, 8)
    .toArray()
  return links.map((link) => textWithin([link])).filter((text) => text.length >= 2 && text.length <= 60)
}

/**
 * The heading that leads home, where every page has the same one: the name of the site, as themes of blogs write it. The
 * title of the home page may be that of its newest article.
 */
export function sharedHomeHeadings({ pages, home }: Site): readonly string[] {
  if (home === undefined || pages.length < 3) return []
  const of = (page: Page) =>
    page
      .$('h1')
      .toArray()
      .slice(0, 3)
      .filter((heading) =>
        page
          .$(heading)
          .find('a[href]')
          .toArray()
          .concat(around(heading))
          .some(({ name, attribs }) => {
            const target = name === 'a' ? absolute(attribs.href ?? '', page.url) : undefined
            return target !== undefined && addressKey(target) === addressKey(home.url)
          }),
      )
      .map((heading) => textWithin([heading]).replace(/(?<=[\p{L}\p{N}]{3})\.$/u, ''))
      .filter((text) => text.length >= 2 && text.length <= 60)
  const others = pages.filter((page) => page !== home).map((page) => new Set(of(page)))
  return of(home).filter((name) => others.every((names) => names.has(name)))
}

/** "田中和紙" of "田中和紙 商品一覧" and others: with what at least three titles, and all, begin. It ends where a word does. */
export function sharedBeginning({ pages }: Site): string {
  const titles = [...new Set(pages.map(({ title }) => withoutGreeting(title.slice(0, 200))))].filter(Boolean)
  const [first = '', ...others] = titles
  if (others.length < 2) return ''
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  const shared = first.slice(0, length)
  const isWhole = titles.every((title) => !/^[\p{L}\p{N}]/u.test(title.slice(length)))
  const words = isWhole ? shared : shared.replace(/[^\s|｜–—:：-]*$/u, '')
  return words.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})）.!]+$/gu, '').trim()
}

/** The own words of the address: "c4lab" and "ntu" of c4lab.bime.ntu.edu.tw. */
function domainLabels(site: Site): readonly string[] {
  return [site.registrableDomain.split('.')[0] ?? '', ...hostLabels(site)]
}

/**
 * "c4lab" of c4lab.bime.ntu.edu.tw: a part of a university or a town has a host below its domain, and the name may be
 * in that. Hosts such as `www` or `docs` say what is served there, and are left out.
 */
export function hostLabels({ origin, registrableDomain }: Site): readonly string[] {
  const { hostname } = new URL(origin)
  const below = hostname.slice(0, -registrableDomain.length - 1)
  if (!hostname.endsWith(`.${registrableDomain}`)) return []
  return below.split('.').filter((label) => label.length >= 3 && !servingHosts.has(label))
}

const servingHosts: ReadonlySet<string> = new Set(
  'www web docs doc blog news shop store app apps dev staging test beta mobile support help wiki mail portal home site sites pages'.split(
    ' ',
  ),
)

/** Whether a name of a few words and a domain are made of the same words. */
function isSpelledAs(name: string, label: string): boolean {
  return name.split(/\s+/).length <= 6 && resembles(name, folded(label).replace(/[^\p{L}\p{N}]/gu, ''))
}

/** How many letters of the label the words of a part make up. */
export function sharedWith(part: string, label: string): number {
  return folded(part)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && label.includes(word))
    .join('').length
}

/** Whether the words that both share make up at least half of each. */
export function resembles(part: string, label: string): boolean {
  const words = folded(part)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const shared = sharedWith(part, label)
  const own = words.join('')
  if (own.length > 2 && label.length > 2 && (own === label || own.includes(label))) return true
  return shared * 2 >= label.length && shared * 2 >= own.length && shared > 2
}

/** As domains are spelled: lower case, without accents, "ä" as "ae". */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter] ?? ''}e`)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
}

/** "Löhr-Physiotherapie" where the title has "Loehr-Physiotherapie" and the page writes the name with its umlaut alone. */
function withUmlauts(name: string, text: string): string | undefined {
  if (!/[aou]e/i.test(name) || text.includes(name)) return undefined
  const pattern = name
    .slice(0, 100)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/([AOUaou])e/g, (both, letter: string) => `(?:${both}|${umlauts[letter] ?? letter})`)
  const [found] = new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'u').exec(text) ?? []
  return found
}

const umlauts: Readonly<Record<string, string>> = { A: 'Ä', O: 'Ö', U: 'Ü', a: 'ä', o: 'ö', u: 'ü' }

/** "Café Lind" where the title has "Cafe Lind" and the page writes the name with its accents; else the name itself. */
export function accented(name: string, { text }: Page): string {
  if (name !== withoutAccents(name)) return name
  const start = text.slice(0, 50_000).normalize('NFC')
  // Each letter becomes one letter, so that a place in one text is the same place in the other.
  const letters = withoutAccents(start).toLowerCase()
  const wanted = name.toLowerCase()
  const spellings = new Map<string, number>()
  if (wanted.length < 4 || letters.length !== start.length) return name
  for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) {
    const found = start.slice(at, at + name.length)
    const isWhole = !/[\p{L}\p{N}]/u.test(`${start[at - 1] ?? ' '}${start[at + name.length] ?? ' '}`)
    if (isWhole && withoutAccents(found) === name) spellings.set(found, (spellings.get(found) ?? 0) + 1)
  }
  const umlauted = withUmlauts(name, start)
  if (umlauted !== undefined) return umlauted
  const plain = spellings.get(name) ?? 0
  return [...spellings].find(([found, count]) => found !== name && count > plain)?.[0] ?? name
}
