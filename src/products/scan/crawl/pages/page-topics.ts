import { isPlaceOnly } from '../../site/contact/contact-links.ts'
import { isPathPartOfKind, isTextOfKind } from '../../site/kinds/kind-phrases.ts'

/**
 * The topics that a scan wants to read about, by the path of a page: what the business is, what it offers and
 * costs, and how to reach it.
 */
export interface Topic {
  /** A part of the path begins with one of them. */
  readonly words: readonly string[]
  /** Or it is one of this kind's phrases in thirteen languages (`site/kinds/kind-words.ts`). */
  readonly kind?: string
  /** The page is below such a part, as an article or a product is. The newest comes first. */
  readonly isBelow?: boolean
}

export const about: Topic = {
  kind: 'about',
  words: [
    'about',
    'company',
    'who-we-are',
    'our-story',
    'ueber',
    'uber-uns',
    'über',
    'a-propos',
    'quienes',
    'chi-siamo',
    'over-ons',
  ],
}
export const pricing: Topic = {
  kind: 'pricing',
  words: [
    ...['pricing', 'prices', 'price', 'plans', 'fees', 'preise', 'tarif', 'precios', 'prezzi', 'prijzen'],
    ...[
      'kain',
      'cenas',
      'hinnakiri',
      'hinnat',
      'hinnasto',
      'priser',
      'prisliste',
      'cennik',
      'cenik',
      'cjenik',
    ],
    ...['arlista', 'araink', 'preturi', 'tarife'],
  ],
}
export const contact: Topic = {
  kind: 'contact',
  words: ['contact', 'kontakt', 'contacto', 'contatti', 'get-in-touch', 'find-us'],
}
const faq: Topic = { kind: 'faq', words: ['faq', 'questions', 'help', 'haeufige-fragen', 'preguntas'] }
export const services: Topic = {
  words: [
    'service',
    'treatments',
    'solutions',
    'what-we-do',
    'features',
    'leistungen',
    'prestations',
    'servicios',
    'servizi',
    'diensten',
    'behandeling',
    'serviços',
    'servicos',
    'hizmet',
    'tedavi',
    'uslug',
    ...['paslaug', 'pakalpojum', 'teenused', 'palvelut', 'tjanster', 'tjenester', 'ydelser', 'sluzb'],
    ...['szolgaltatas', 'servicii'],
    'услуг',
    'خدمات',
    'サービス',
    '事業',
    '診療',
    '서비스',
    '진료',
    '服务',
    '服務',
  ],
}
const goods = [
  ...['product', 'shop', 'store', 'produkt', 'produit', 'producto', 'prodott', 'produto', 'urun', 'ürün'],
  ...['tovar', 'товар', 'منتج', '商品', '製品', '상품', '제품', '产品', '產品'],
]
const product: Topic = { words: goods, isBelow: true }
const products: Topic = { words: [...goods, 'collections', 'catalog', 'katalog'] }
const articleWords = [
  'blog',
  'news',
  'article',
  'post',
  'journal',
  'insights',
  'guides',
  'magazin',
  'aktuelles',
  'actualites',
  'noticias',
]
const article: Topic = { kind: 'blog', words: articleWords, isBelow: true }
const articles: Topic = { kind: 'blog', words: articleWords }
const privacy: Topic = { kind: 'privacy', words: ['privacy', 'datenschutz', 'confidentialite', 'privacidad'] }
const terms: Topic = { kind: 'terms', words: ['terms', 'tos', 'agb', 'conditions', 'cgv', 'condiciones'] }
const legal: Topic = {
  kind: 'imprint',
  words: ['imprint', 'impressum', 'legal', 'mentions-legales', 'aviso-legal', 'trust', 'security'],
}
const team: Topic = {
  words: [
    ...['team', 'people', 'staff', 'our-team', 'doctors', 'equipe', 'equipo', 'equipa', 'squadra', 'ekip'],
    ...['komand', 'vrachi', 'команд', 'врачи', 'فريق', 'スタッフ', '팀', '의료진', '团队', '團隊'],
  ],
}
const careers: Topic = {
  kind: 'careers',
  words: ['career', 'jobs', 'join', 'vacancies', 'karriere', 'stellen', 'emplois', 'empleo'],
}
const docs: Topic = { words: ['docs', 'documentation', 'developer', 'api', 'reference', 'integrations'] }
const booking: Topic = {
  kind: 'booking',
  words: ['book', 'appointment', 'demo', 'schedule', 'termin', 'reserv', 'quote'],
}

/** The most useful first: when there is no room for all, the last ones are left out. */
export const basicTopics = [about, pricing, contact, faq, services, product, article, privacy, terms]
export const fullTopics = [
  ...[about, pricing, contact, faq, services, product, article, privacy, terms],
  ...[legal, team, careers, docs, booking, article, products, articles],
]

export interface TopicPage {
  /** Of the path, decoded and in lower case. */
  readonly parts: readonly string[]
  /** Of the first link that leads there; empty when none does. */
  readonly text: string
  readonly lastmod: string
  /** A menu links it. */
  readonly isNavigation: boolean
}

/** By the words of its link: `/access.html` is called "アクセス" in the menu. */
export function isCalled({ parts, text }: Pick<TopicPage, 'parts' | 'text'>, topic: Topic): boolean {
  const { kind, isBelow } = topic
  return kind !== undefined && isBelow !== true && parts.length <= 3 && isTextOfKind(text, kind)
}

/** By its path. */
export function isAbout({ parts }: Pick<TopicPage, 'parts'>, { words, kind, isBelow }: Topic): boolean {
  const isNamed = (part: string) =>
    words.some((word) => part.startsWith(word)) || (kind !== undefined && isPathPartOfKind(part, kind))
  const at = parts.findIndex(isNamed)
  if (at < 0) return false
  return isBelow ? at < parts.length - 1 && !isListing(parts) : at === parts.length - 1
}

/** Pages 2 to 99 of a list, and lists by tag. */
export function isListing(parts: readonly string[]): boolean {
  return parts.some((part) => ['page', 'tag', 'tags', 'category', 'author'].includes(part))
}

/** The newest article; otherwise, for contact, a page with more than the way there; then the page whose path is shorter, then the one that the menu links. */
export function isBetterFor({ isBelow, kind }: Topic, one: TopicPage, other: TopicPage): boolean {
  if (isBelow) return one.lastmod > other.lastmod
  if (kind === 'contact' && isPlace(one) !== isPlace(other)) return isPlace(other)
  if (one.parts.length !== other.parts.length) return one.parts.length < other.parts.length
  return one.isNavigation && !other.isNavigation
}

/** How to get there: the form stands on another page. */
function isPlace({ parts, text }: TopicPage): boolean {
  return isPlaceOnly({ url: `https://x/${parts.map(encodeURIComponent).join('/')}`, text })
}
