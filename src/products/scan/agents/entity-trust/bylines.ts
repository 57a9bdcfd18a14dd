import { normalized } from '../../signals/brand-name.ts'
import { companyName } from '../../signals/company-name.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Whether readers see who wrote a page: the name that its markup gives, a line "By Anna Lind", or an element for the
 * author. "Back by Popular Demand" and "Powered by Google Cloud" have the form of such a line and name no person.
 */
export function hasByline(page: Page, author: string, site: Site): boolean {
  if (author.length >= 3 && !isAccount(author) && isShown(page, author, site)) return true
  const start = page.mainText.slice(0, 1_500)
  return (
    page.lines
      .slice(0, maxLines)
      .some((line) => line.length <= maxCharacters && start.includes(line) && isByline(line)) ||
    page.elements.some(isForAuthor)
  )
}

/** The name of the site stands in every header and many sentences, so only a line that signs with it counts. */
function isShown(page: Page, author: string, site: Site): boolean {
  const name = author.toLowerCase()
  if (!isSiteName(author, site)) return page.text.toLowerCase().includes(name)
  return page.lines
    .slice(0, maxLines)
    .map((line) => line.toLowerCase().slice(0, maxCharacters))
    .some((line) => {
      if (isSignature(line, name)) return true
      const start = line.slice(0, Math.max(0, line.indexOf(name)))
      const sign = signsWith.exec(start)
      const before = sign === null ? '' : start.slice(0, sign.index).trim()
      return sign !== null && (isOpen(before) || writes.test(before))
    })
}

/** "Anna Lind 18 July 2026 10 minutes", "8 July 2026 · Editors Lind Ltd": a line that has the name beside a date. */
function isSignature(line: string, name: string): boolean {
  const at = line.indexOf(name)
  if (at < 0 || line.length > name.length + 90) return false
  const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
  const hasDate = [before, after].some((part) => /(?<!\d)(?:19|20)\d{2}(?!\d)/.test(part))
  const isApart =
    /(?:^|[·•|,]\s?(?:\p{L}{2,12}:?\s)?|\d\s)$/u.test(before) && /^\s?(?:$|[·•|,\d])/.test(after)
  return hasDate && isApart && !/©|\(c\)|copyright/i.test(line)
}

function isSiteName(author: string, site: Site): boolean {
  const [own, name] = [author, companyName(site)].map(normalized)
  return ` ${name} `.includes(` ${own} `) || own === site.registrableDomain.split('.')[0]
}

const signsWith =
  /(?:^|[\s·•|,])(?:(?:by|von|par|por|di|da|door|av|от)\s+(?:the\s)?|(?:author|autor(?:in)?|auteur|autore|auteure|yazar|автор|作者|著者|글쓴이)\s?[:：]\s?)$/u

/** What a program calls the account that published: no reader learns from it who wrote. */
export function isAccount(author: string): boolean {
  return /^(?:admin(?:istrator)?|root|web-?master|authors?|user(?:name)?|editor|test|default|guest|anonymous|管理员|管理員|管理者|관리자|админ)\d{0,3}$/iu.test(
    author.trim(),
  )
}

const maxLines = 2_000
const maxCharacters = 200

function isByline(line: string): boolean {
  return [...line.matchAll(signed)].some(({ index, 1: name = '', 2: rest = '' }) => {
    if (!isPersonal(name) || !endsName.test(rest)) return false
    const before = line.slice(0, index).trim()
    return isOpen(before) || writes.test(before)
  })
}

/** A name stands behind the word, in its line or behind a separator. Particles of names are small: "Mia van Dam". */
const signed =
  /(?<!\p{L})(?:(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]a|[Dd]oor|[Aa]v)|(?:[Aa]uthors?|[Aa]utor(?:in|en|a|es)?|[Aa]ut(?:eur|rice)e?s?|[Aa]utore|[Tt]exto?|[Yy]azar|[Аа]втор)\s?:)\s((?:(?:Dr|Prof|Dipl)\.(?:\s?\p{L}{2,4}\.)*\s)*\p{Lu}[\p{L}.'’-]{0,30}(?:\s(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|al|bin|el|zu|y|e))*(?:\s\p{Lu}[\p{L}.'’-]{0,30}){1,3})(?=(.{0,40}))/gu

/** Behind the name the line ends, or something else begins: a date, a comma, "in", "on". */
const endsName =
  /^\s?(?:$|[\p{P}\p{S}\d]|(?:on|in|and|und|et|y|e|en|am|le|el|il|op|for|für|posted|published|updated|at|um|à)(?!\p{L}))/u

/** Nothing, or nothing but a date or a separator before the word. */
function isOpen(before: string): boolean {
  return before === '' || /[\p{P}\p{S}\d]$/u.test(before)
}

/** What is written by a person, or the act of writing. A photo, a site and a walk have other makers. */
const writes =
  /(?<!\p{L})(?:(?:posted|published|written|authored|penned|words|text|story|article|post|essay|column|opinion|interview|review|report|blog|guide|geschrieben|verfasst|veröffentlicht|beitrag|artikel|text|ein (?:beitrag|artikel|text|interview)|publié|écrit|rédigé|article|texte|publicado|escrito|artículo|texto|pubblicato|scritto|articolo|testo|geschreven|geplaatst|gepubliceerd|artigo|skrevet|skriven)(?:,? (?:on|am|le|el|il|op|em)?\s?[\p{L}\d.,: -]{0,30})?|(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}{0,7})$/iu

/** Firms, places and common phrases have capitals, too. Words that are also names, such as Park and April, are not listed. */
function isPersonal(name: string): boolean {
  const parts = name.split(/\s+/)
  return (
    !articles.test(parts[0] ?? '') &&
    !parts.some((part) => others.has(part.toLowerCase().replace(/[.,]$/, '')))
  )
}

const articles =
  /^(?:The|Our|Your|My|This|That|These|All|Any|New|La|Le|Les|L|Los|Las|Il|Der|Die|Das|Dem|Den|Unser\p{L}*|Unsere|Nuestr\p{L}*|Notre|Het|De)$/u

const others: ReadonlySet<string> = new Set(
  (
    'york popular demand default hand design team staff editors editorial redaktion rédaction redacción redazione ' +
    'google amazon microsoft apple meta openai github cloud web creative commons ' +
    'inc ltd llc gmbh ag kg co corp company companies group gruppe groupe foundation stiftung university universität institute institut ' +
    'college school club verein association society committee council department ministry agency agentur agence studio studios lab labs media press news magazine ' +
    'services systems software solutions technologies partners consulting ventures bank hotel restaurant museum ' +
    'city francisco angeles vegas united kingdom states january february july september october november december ' +
    'januar februar märz mai juni juli oktober dezember monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
)

function isForAuthor({ node, isHidden, region }: PageElement): boolean {
  return (
    !isHidden &&
    region !== 'nav' &&
    node.name !== 'link' &&
    node.name !== 'meta' &&
    (/\bauthor\b|\bbyline\b/i.test(
      `${attributeOf(node, 'rel')} ${attributeOf(node, 'itemprop')} ${attributeOf(node, 'class').slice(0, 300)}`,
    ) ||
      (node.name === 'a' &&
        /\/(?:authors?|autor(?:en)?|auteurs?|autore)\/[^/]/i.test(attributeOf(node, 'href')))) &&
    textWithin([node]).length >= 3 &&
    !isAccount(textWithin([node]))
  )
}
