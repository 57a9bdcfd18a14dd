import { decodedPathOf } from '../../site/addresses.ts'
import { attributeOf, metaOf, spokenText } from '../../site/html/elements.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import { folded } from '../../site/kinds/kind-phrases.ts'
import { once } from '../../site/once.ts'
import type { Page, Site } from '../../site/site.ts'
import { copyrightNamesOf } from '../brand-name.ts'
import { namesTrade, readIndustry } from '../industry/industry.ts'
import { hasOrderButton } from '../offer-signals.ts'
import { offerWords } from '../offers/offer-words.ts'

/**
 * Whether the site says that it belongs to a business. Most of the web sells nothing: notes, manuals, lectures, clubs,
 * conferences, newspapers. A report that took each of them for a business would ask a student for reviews and prices.
 *
 * What a check rewards is no sign: prices, booking, an address, a telephone number, an imprint, markup of a business or of
 * an offer. A site that publishes one of them would be asked for all the rest and lose points by it.
 */
export function isBusiness(site: Site): boolean {
  const { home, pages, profile } = site
  if (home === undefined || profile.shop || profile.app) return true
  if (home.links.some(({ url }) => checkout.test(url))) return true
  return (
    isTrade(site, home) ||
    sellsApp(home) ||
    isCompany(home) ||
    namesOffer(home, pages) ||
    pages.some(hasOrderButton)
  )
}

/** A page of one product at a service that takes the payment. */
const checkout =
  /^https?:\/\/(?:[\w-]+\.gumroad\.com\/l\/|gumroad\.com\/l\/|buy\.stripe\.com\/|payhip\.com\/b\/|[\w-]+\.lemonsqueezy\.com\/(?:buy|checkout)\/|sellfy\.com\/p\/|[\w-]+\.sellfy\.store\/p\/|square\.link\/u\/|pay\.hotmart\.com\/|buy\.paddle\.com\/|[\w-]+\.onfastspring\.com\/|[\w-]+\.itch\.io\/[\w-]+\/purchase)/i

/** An app in a store, which is paid for by subscription or once. */
function sellsApp({ links, text }: Page): boolean {
  return links.some(({ url }) => isAppStore(url)) && paidApp.test(text.slice(0, 100_000))
}

/** Where applications for telephones are had. */
export function isAppStore(url: string): boolean {
  return appStore.test(url)
}

const appStore = /^https?:\/\/(?:apps\.apple\.com|itunes\.apple\.com|play\.google\.com\/store\/apps)\//i
const paidApp =
  /(?<!\p{L})(?:(?:your|our|a|the|monthly|yearly|annual|paid|premium|pro) subscriptions?|subscriptions? plans?|in-app purchases?|lifetime (?:licen[cs]e|purchase|access)|one-time purchase|(?:ihr|dein|im)e? abonnement|abonnement (?:mensuel|annuel)|suscripción (?:mensual|anual)|abbonamento (?:mensile|annuale)|assinatura (?:mensal|anual))(?!\p{L})/iu

/** Industries that consist of businesses. Schools and software do not: courses of students and notes belong there, too. */
function isTrade(site: Site, home: Page): boolean {
  const { slug, how } = readIndustry(site)
  // Markup alone is no sign, and it hides none of the words beside it.
  if (slug === 'other') return how !== 'unclear' && namesTrade(home)
  return how !== 'unclear' && !(['education', 'technology'] as const).some((one) => one === slug)
}

/** By the legal form in its own name, or by its number with the tax office or the register. Elsewhere stand the names of hosts, printers and customers. */
function isCompany(home: Page): boolean {
  const end = home.text.slice(-2_000)
  if (vatNumber.test(end) || registerNumber.test(end)) return true
  const names = [
    home.title,
    metaOf(home, 'og:site_name'),
    ...home.headings.filter(({ level }) => level === 1).map(({ text }) => text),
    ...nodesOf(home, 'Organization').flatMap(({ isTop, properties }) =>
      isTop ? [textOf(properties.name), textOf(properties.legalName)] : [],
    ),
    ...copyrightNamesOf(home),
  ]
  return names.some((name) => companyForm.test(name.slice(0, 300)))
}

/** Without those that foundations, clubs and newspapers may have as well, such as gGmbH. */
const companyForm =
  /(?<![\p{L}\p{N}])(?:GmbH|OHG|e\.\s?K\.|Ltd|L\.?L\.?C|Inc|P\.?L\.?C|S\.?A\.?R\.?L|EURL|SASU|S\.?R\.?L|[Ss]rl|[Ss]arl|S\.\s?r\.\s?l|S\.\s?p\.\s?A|LTDA|Ltda|Lda|B\.V|A\.Ş|Ltd\. Şti|ООО|ТОО|sp\. z o\.\s?o|s\.r\.o|Kft|ApS|Oyj?|Α\.Ε|Ε\.Π\.Ε|Ι\.Κ\.Ε|בע["״]מ|ذ\.م\.م)(?![\p{L}\p{N}])|株式会社|有限会社|合同会社|주식회사|有限公司|CÔNG TY/u

const vatNumber =
  /(?<!\p{L})(?:p\.?\s?iva|partita iva|ust\.?-?id(?:nr|entifikationsnummer)?|vat (?:no|number|reg(?:istration)?)|btw(?:-?nummer|-?nr)?|moms(?:reg)?(?:nr|nummer)?|tva intracommunautaire)[\s.:°º]{1,6}(?:n[°º.]?\s)?(?:[a-z]{2}\s?)?\d{3}/iu

/** Of companies, by the name of the number in Belgium, France, Poland, Russia, Australia, Spain, the Netherlands, Brazil and Turkey. */
const registerNumber =
  /(?<![\p{L}\p{N}])(?:BCE|KBO|Y-tunnus|SIRE[NT]|RCS(?: \p{Lu}[\p{L}-]{2,20})?|NIP|REGON|ОГРН(?:ИП)?|ИНН|ABN|CIF|K[Vv]K(?:-?(?:nr|nummer))?|CNPJ|[Vv]ergi (?:[Nn]o|[Nn]umarası)|(?:MERSİS|Mersis)(?: [Nn]o)?)[\s.:°º]{1,6}(?:[Nn][°º.]?\s)?(?:[A-Z]{1,2}[\s-]?)?\d[\d.\s]{6}/u

/** By the headings of the home page, and the texts and addresses of its links and of all menus: "Our services", `/produkte.html`, "サービス内容". */
function namesOffer({ links, headings, elements }: Page, pages: readonly Page[]): boolean {
  const menus = pages.flatMap((page) => page.links.filter(({ isNavigation }) => isNavigation))
  const texts = [
    ...[...links, ...menus]
      .filter(({ isInternal }) => isInternal)
      .flatMap(({ text, url }) => [text, lastPartOf(url)]),
    ...headings.map(({ text }) => text),
    // What unfolds a part of the menu leads nowhere itself.
    ...elements
      .filter(({ name, node, region }) => region === 'nav' && isToggle(name, attributeOf(node, 'href')))
      .slice(0, 100)
      .map(({ node }) => spokenText(node, 20)),
  ]
  return texts.some((text) => text.length <= 60 && partsOf(text).some((part) => phrases().has(folded(part))))
}

function isToggle(name: string, href: string): boolean {
  return name === 'button' || (name === 'a' && /^(?:#|javascript:.*)?$/i.test(href.trim().slice(0, 40)))
}

/** "Services & prices": each part of it. */
function partsOf(text: string): readonly string[] {
  return [text, ...text.split(/\s(?:[&+|/–-]|and|und|et|y|e|en|och|i|ve)\s/u)]
}

function lastPartOf(url: string): string {
  const [last = ''] = decodedPathOf(url)
    .split('/')
    .filter((part) => part !== '')
    .slice(-1)
  return last.replace(/\.(?:html?|php|aspx?)$/i, '').replaceAll(/[-_]/g, ' ')
}

const phrases = once(() => new Set(Object.values(offerWords).flatMap((line) => line.split('|').map(folded))))
