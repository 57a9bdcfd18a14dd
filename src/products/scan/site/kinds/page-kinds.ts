import { decodedPathOf } from '../addresses.ts'
import {
  isFrontOfService,
  isNoticeOfProvider,
  noticeWords,
  publishesNotices,
} from '../contact/legal-hosts.ts'
import { isPathPartOfKind, isTextOfKind, isTitle } from './kind-phrases.ts'

/**
 * The kinds of pages that a site links: a contact page, a price list, a privacy notice. Words in the address
 * and in the link's text decide: the patterns here, and the phrases of thirteen languages in `kind-words.ts`.
 */
export type PageKind = keyof typeof kinds

/** The pages that the law asks for: data protection, terms, and who answers for the site. */
export const noticeKinds = ['privacy', 'terms', 'imprint'] as const satisfies readonly PageKind[]

/** Whether a part of the path names the kind. */
export function isPathOfKind(url: string, kind: PageKind): boolean {
  const parts = decodedPathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
    .slice(0, 6)
    .map((part) => part.replace(/\.(?:html?|php|aspx?)$/, '').replaceAll('_', '-'))
  // A page below a blog is an article, whatever its title says.
  const blog = parts.findIndex((part) => kinds.blog.path.test(part))
  const before = blog === -1 ? parts : parts.slice(0, blog + 1)
  if (before.some((part) => grouping.test(part))) return false
  if (kind === 'shop' && before.some((part) => reference.test(part))) return false
  if (isNotice(kind) && before.slice(0, -1).some((part) => servicing.test(part))) return false
  if (kind === 'about' && before.some((part) => releases.test(part))) return false
  // Below "company" or "people" stand the entries of a catalogue.
  const own = kind === 'about' ? before.filter((part) => part !== 'index').slice(-1) : before
  return own.some((part) => kinds[kind].path.test(part) || isPathPartOfKind(part, kind))
}

const grouping = /^(?:tags?|categor(?:y|ies)|topics?|authors?|archives?)$/

/** Where "collections" are those of a program. */
const reference = /^(?:api|docs|documentation|reference|javadoc)$/

/** Where texts are about versions of a program. */
const releases = /^(?:releases?|release-notes|changelog|versions?|whats-new)$/

/** What a law office writes about the protection of data is an offer and not its own notice. */
const servicing =
  /^(?:(?:our-|legal-)?services?|practice-areas?|expertise|solutions?|(?:dienst)?leistungen|rechtsgebiete|prestations|competences|domaines?(?:-[a-z-]{2,30})?|servicios|areas(?:-[a-z-]{2,30})?|servizi|aree(?:-[a-z-]{2,30})?|servicos|diensten|hizmetler(?:imiz)?|faaliyet-alanlar[ıi](?:miz)?|calisma-alanlar[ıi](?:miz)?|uslugi)$/

function isNotice(kind: PageKind): boolean {
  return kind === 'privacy' || kind === 'terms' || kind === 'imprint'
}

/** What visitors wrote: comments, reviews or a guestbook. */
export function isByVisitors(url: string): boolean {
  return /\/(?:comments?|guest-?book|g(?:ä|ae)stebuch|kommentare|commentaires|livre-d-?or|comentarios|commenti|(?:(?:patient|customer|client|google)-)?(?:reviews|testimonials)|bewertungen|rezensionen|kundenstimmen|temoignages|avis(?:-clients)?|opiniones|testimonios|recensioni|depoimentos|opinie|yorumlar)(?:\.\w{2,5})?\/?$/i.test(
    decodedPathOf(url),
  )
}

interface Kind {
  /** Matches a whole part of a path. */
  readonly path: RegExp
  /** Matches the whole text of a link. */
  readonly text: RegExp
}

const kinds = {
  about: {
    path: /^(?:about(?:-(?:us|me|the-[a-z]{2,20}|our-[a-z]{2,20}))?|(?:our-)?story|who-we-are|company|(?:meet-)?(?:the-|our-)?team|people|staff|(?:ueber|über|uber)-(?:uns|mich)|wer-wir-sind|(?:unser-|das-)?team|a-propos(?:-de-nous)?|à-propos|qui-sommes-nous|qui-suis-je|notre-histoire|sobre(?:-nosotros|-mi)?|qui[eé]nes-somos|nosotros|chi-siamo|over-(?:ons|mij))$/,
    text: /^(?:about(?: us| me| the \p{L}{2,20}| our \p{L}{2,20})?|(?:our )?story|who we are|company|(?:meet )?(?:the |our )?team|über (?:uns|mich)|wer wir sind|à propos(?: de nous)?|qui sommes[- ]nous ?\??|qui suis-je ?\??|sobre (?:nosotros|mí)|¿?quiénes somos\??|chi siamo|over (?:ons|mij))$/iu,
  },
  contact: {
    path: /^(?:contact(?:-us|-me)?|get-in-touch|kontakt|contacto|contatti|contactez-nous|enquiries|enquiry|inquiry)$/,
    text: /^(?:contact(?: us| me)?|get in touch|talk to us|kontakt|contacto|contatti|contactez-nous|enquiries|send an enquiry)$/i,
  },
  pricing: {
    path: /^(?:(?!(?:[a-z]{2,20}-){0,2}(?:reduc(?:e|ing)|hidden|no|cut(?:ting)?|sav(?:e|ing)|lower|your|energy|running|living|low|rising)-)(?:[a-z]{2,20}-){1,3}(?:costs?|prices|fees|pricing)|pricing|prices?|price-list|plans|plans-and-pricing|pricing-plans|fees|fees-and-insurance|rates|tariffs|preise|preisliste|tarifs?|precios|prezzi)$/,
    text: /^(?:(?:our |see |view )?(?:pricing|prices?|plans|fees|rates)|price list|plans (?:and|&) pricing|fees (?:and|&) \p{L}{2,20}|preise|tarifs?|precios|prezzi)$/iu,
  },
  faq: {
    path: /^(?:faqs?|frequently-asked-questions|questions|haeufige-fragen|häufige-fragen|fragen|fragen-und-antworten|foire-aux-questions|questions-frequentes|preguntas-frecuentes|domande-frequenti)$/,
    text: /^(?:faqs?|(?:frequently asked |common )?questions(?: (?:and|&) answers)?|häufige fragen|fragen und antworten|preguntas frecuentes|questions fréquentes|foire aux questions|domande frequenti)$/i,
  },
  blog: {
    path: /^(?:blog|news|newsroom|articles?|posts?|insights|stories|magazine|journal|updates|changelog|aktuelles|actualites|noticias|blogs|articoli|articulos|artigos|artikelen|artikel|makale(?:ler)?|haber(?:ler)?|notizie|nieuws|stati|novosti)$/,
    text: /^(?:(?:our |the |read the )?(?:blog|news|newsroom|articles|insights|stories|magazine|journal)|changelog|aktuelles|actualités|noticias)$/i,
  },
  careers: {
    path: /^(?:careers?|jobs?|join-us|join-our-team|work-with-us|vacancies|open-positions|openings|karriere|stellenangebote|emplois|empleo|recrutement)$/,
    text: /^(?:careers?(?: at .{2,40})?|jobs|join (?:us|our team)|work (?:with|for) us|vacancies|open (?:positions|roles)|we.re hiring|karriere|stellenangebote|empleo|recrutement)$/i,
  },
  privacy: {
    path: /^(?:privacy(?:-(?:policy|notice|statement|centre|center))?|datenschutz(?:erklaerung|erklärung)?|data-protection|politique-de-confidentialite|confidentialite|privacidad|informativa-privacy|tietosuoja(?:seloste|lauseke|kaytanto)?|integritetspolicy|personvern(?:erklaering)?|privatlivspolitik)$/,
    text: /^(?:(?:our )?privacy(?: (?:policy|notice|statement))?|data protection|datenschutz(?:erklärung)?|politique de confidentialité|confidentialité|(?:política de )?privacidad)$/i,
  },
  terms: {
    path: /^(?:terms(?:-(?:of-(?:service|use|sale)|and-conditions|conditions|service))?|tos|conditions|legal|legal-notice|terms-conditions|agb|nutzungsbedingungen|cgv|cgu|mentions-legales|aviso-legal|terminos|licen[cs]e|eula|end-user-licen[cs]e(?:-agreement)?|copying|tokusho(?:ho|hou)?|tokutei(?:shotorihiki(?:ho|hou)?)?)$/,
    text: /^(?:(?:full |software )?licen[cs]e(?: terms)?|eula|end[- ]user licen[cs]e(?: agreement)?|terms(?: (?:of (?:service|use|sale)|(?:and|&) conditions))?|conditions of \p{L}{2,12}|legal(?: notice)?|agb|nutzungsbedingungen|cgv|cgu|mentions légales|aviso legal|términos.{0,30})$/iu,
  },
  imprint: {
    path: /^(?:imprint|impressum|legal-notice|mentions-legales|aviso-legal|note-legali|tokusho(?:ho|hou)?|tokutei(?:shotorihiki(?:ho|hou)?)?)$/,
    text: /^(?:imprint|impressum|legal notice|mentions légales|aviso legal|note legali)$/i,
  },
  trust: {
    path: /^(?:trust|trust-cent(?:er|re)|security|responsible-disclosure|vulnerability-disclosure|compliance)$/,
    text: /^(?:trust(?: (?:center|centre))?|security|trust (?:and|&) security|responsible disclosure|compliance)$/i,
  },
  booking: {
    path: /^(?:book|booking|bookings|book-(?:now|online|a-[a-z]{2,20}|an-[a-z]{2,20})|appointments?|request-(?:an-)?appointment|scheduling|reservations?|reserve|termin|terminbuchung|rendez-vous|prenota|reservas)$/,
    text: /^(?:book(?: (?:now|online|a .{2,20}|an .{2,20}|your .{2,20}))?|(?:make|request|schedule) (?:an? )?(?:appointment|reservation|visit)|appointments?|reservations?|schedule (?:online|now|a .{2,20})|termin (?:buchen|vereinbaren)|prendre rendez-vous)$/i,
  },
  docs: {
    path: /^(?:docs|documentation|developers?|api|api-(?:docs|reference)|reference|integrations?|apps|connectors?)$/,
    text: /^(?:(?:read the )?docs|documentation|(?:for )?developers?|(?:our )?api(?: (?:docs|reference|documentation))?|integrations?|connectors?)$/i,
  },
  help: {
    path: /^(?:help|help-?cent(?:er|re)|quick-?start|getting-started|user-guide|support|support-cent(?:er|re)|knowledge-?base|kb|hilfe|aide|ayuda)$/,
    text: /^(?:help|help ?(?:center|centre|desk)|quick ?start(?: guide)?|getting started|(?:customer )?support|knowledge ?base|hilfe|aide|ayuda)$/i,
  },
  proof: {
    path: /^(?:testimonials?|reviews?|case-stud(?:y|ies)|customers?|customer-stories|success-stories|references|referenzen|kundenstimmen|temoignages|testimonios)$/,
    text: /^(?:testimonials?|(?:our |patient |client |customer )?reviews|case stud(?:y|ies)|customer stories|success stories|our (?:work|clients|customers)|referenzen|kundenstimmen|témoignages|testimonios)$/i,
  },
  shop: {
    path: /^(?:shop|store|products?|catalog(?:ue)?|collections|cart|basket|checkout|warenkorb|panier|carrito|tienda|boutique)$/,
    text: /^(?:(?:our |online |visit the )?(?:shop|store)|shop (?:now|all|online)|(?:all |our )?products|catalog(?:ue)?|(?:view |your )?(?:cart|basket|bag)|warenkorb|panier|carrito|tienda|boutique)$/i,
  },
} satisfies Record<string, Kind>

export const pageKinds = Object.keys(kinds).filter((name): name is PageKind => name in kinds)

/** Whether a link leads to a page of the kind, by its address or by its words. */
export function isLinkOfKind(link: KindOfLink, kind: PageKind): boolean {
  if (link.isInternal && isPathOfKind(link.url, kind)) return true
  if (link.isInternal && kind !== 'blog' && isBelowBlog(link.url)) return false
  if (link.isInternal && isNotice(kind) && isBelowServices(link.url)) return false
  const text = link.text.replace(/[\s→›»>]+$/, '')
  if (!link.isInternal && isNotice(kind)) {
    if (isNoticeOfProvider(link.url) || isFrontOfService(link.url)) return false
    if ((publishesNotices(link.url) || noticeWords.test(text)) && isPathOfKind(link.url, kind)) return true
  }
  return (
    (text.length <= 50 && !isTitle(text, kind) && kinds[kind].text.test(text)) || isTextOfKind(text, kind)
  )
}

/** An article, whatever its title says. */
function isBelowBlog(url: string): boolean {
  const parts = decodedPathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  const place = parts.findIndex((part) => kinds.blog.path.test(part))
  return place !== -1 && place < parts.length - 1
}

function isBelowServices(url: string): boolean {
  const parts = decodedPathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
  return parts.slice(0, -1).some((part) => servicing.test(part))
}

interface KindOfLink {
  readonly url: string
  readonly text: string
  /** To a host of the same registrable domain. */
  readonly isInternal: boolean
}
