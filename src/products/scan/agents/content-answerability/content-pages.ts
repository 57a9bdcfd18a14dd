import { notApplicable, type Outcome } from '../../findings/check.ts'
import { needsPages } from '../../findings/needs.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { pathOf } from '../../site/addresses.ts'
import { yearOfDay } from '../../site/contact/contact-pages.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { formsOf, isEntry } from '../../site/html/forms.ts'
import { countWords } from '../../site/html/words.ts'
import { indexedPages } from '../../site/indexable.ts'
import { isByVisitors, isPathOfKind, noticeKinds, type PageKind } from '../../site/kinds/page-kinds.ts'
import { isUnderConstruction, noticesOf } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Limits a check to pages with content. Contact forms, menus, lists of posts and legal notices are short for
 * good reasons, and counting them would lower the score of a site for having them. What a page says that no engine shows is
 * not judged either.
 */
export function needsContent(run: (pages: readonly Page[], site: Site) => Outcome): (site: Site) => Outcome {
  return needsPages((_pages, site) => {
    const isLibrary = kindOfSite(site) === 'library'
    // A notice is known by the link to it, too: its address may be misspelled.
    const notices = noticesOf(site)
    const content = indexedPages(site).filter(
      (page) =>
        page === site.home ||
        !(
          notices.has(page) ||
          isOther(page) ||
          isByVisitors(page.url) ||
          isTrial(page) ||
          isDayNotice(page) ||
          isFarewell(page) ||
          isNoProse(page) ||
          (isLibrary && isPathOfKind(page.url, 'docs'))
        ),
    )
    return content.length === 0
      ? notApplicable(
          'Only pages such as contact, booking, lists and legal notices were read, or pages that ask not to be indexed.',
        )
      : run(content, site)
  })
}

/** What shows or tests a program, and is no text: `/examples/todos/`, `/test/`. */
function isTrial({ url, mainText }: Page): boolean {
  const parts = pathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && !/^index\.\w{2,5}$/.test(part))
  return countWords(mainText) < 100 && parts.some((part) => trial.test(part))
}

const trial = /^(?:examples?|demos?|tests?|specs?|samples?|sandbox|playground|benchmarks?|coverage)$/

/**
 * Lists of links, samples of code, a film, and pages behind a login say what they have to say in few words of their
 * own.
 */
function isNoProse(page: Page): boolean {
  const { linkWords, codeWords, links } = page.mainPart
  const words = countWords(page.mainText)
  const isFilm =
    words < 50 &&
    page.elements.some(
      ({ name, isHidden }) => !isHidden && /^(?:video|audio|iframe|embed|object)$/.test(name),
    )
  return (
    isFilm ||
    words === 0 ||
    isUnderConstruction(page) ||
    (words < 200 && fieldsOf(page) >= 4) ||
    (links >= 6 && links * 20 >= words) ||
    (words > 0 && (linkWords * 10 >= words * 6 || codeWords * 2 >= words)) ||
    formsOf(page).some(({ use }) => use === 'login' || use === 'account')
  )
}

/** `/news/20210101/`: a few sentences of one day, such as that the practice is closed. */
function isDayNotice({ url, mainText }: Page): boolean {
  return countWords(mainText) < 150 && yearOfDay(url) !== undefined
}

/** A word to a colleague who leaves is not written for those who look for a service. */
function isFarewell({ title, headings }: Page): boolean {
  return farewell.test(`${title} ${headings.find(({ level }) => level === 1)?.text ?? ''}`)
}

const farewell =
  /(?<!\p{L})(?:happy retirement|farewell|fond goodbye|in memoriam|obituary|wohlverdienten ruhestand|bonne retraite|feliz jubilación)(?!\p{L})/iu

/** A page for sending something in: what belongs to be said of it stands beside its fields. */
function fieldsOf({ elements }: Page): number {
  return elements.filter(
    (element) =>
      element.form !== undefined &&
      !element.isHidden &&
      element.region !== 'footer' &&
      element.region !== 'header' &&
      isEntry(element) &&
      !/^search$/i.test(attributeOf(element.node, 'type')),
  ).length
}

function isOther(page: Page): boolean {
  const { url } = page
  if (otherKinds.some((kind) => isPathOfKind(url, kind))) return true
  const parts = pathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
    .slice(-6)
    .map((part) => part.replace(/\.(?:html?|php|aspx?)$/, '').replaceAll('_', '-'))
  const [last = '', before = ''] = [...parts].reverse()
  if (
    parts.some((part) => grouping.test(part)) ||
    service.test(last) ||
    notice.test(last) ||
    thanks.test(last)
  )
    return true
  // "articles" are those of an association, too: a long text that links little is no list.
  const { links } = page.mainPart
  const words = countWords(page.mainText)
  const isText = words >= 300 && links * 50 < words
  const isList = (part: string) => !isText && (list.test(part) || isPathOfKind(`https://x/${part}`, 'blog'))
  return isList(last) || (/^(?:page-?)?\d{1,4}$/.test(last) && (isList(before) || before === 'page'))
}

const otherKinds: readonly PageKind[] = ['contact', 'booking', 'careers', ...noticeKinds]

/** Pages below these are lists too. */
const grouping =
  /^(?:authors?|autor(?:en)?|auteurs?|portfolios?|categor(?:y|ies)|product-category|tags?|topics?|collections?|archives?|kategorien?|schlagwort|rubriken?|catégories?|etiquetas?|categorias?|categorie)$/

/** Lists whose items have pages of their own. */
const list =
  /^(?:products?|shop|store|catalog(?:ue)?|produkte|produits|productos|prodotti|producten|produtos|tienda|boutique|negozio|winkel|loja|sitemap)$/

/** Notices about cookies, data protection and accessibility, beside the privacy notice. */
const notice =
  /^(?:accessibility|barrierefreiheit|accessibilite|accesibilidad|accessibilita|acessibilidade|toegankelijkheid|dostepnosc|deklaracja-dostepnosci|tillganglighet|erisilebilirlik)(?:$|-|s)|^(?:polityka-prywatnosci|integritetspolicy|personvern|politiki-aporritou|chinh-sach-bao-mat|adatvedel(?:em|mi)|adatkezelesi?|ochrana-(?:osobnich|osobnych|udaju|udajov)|zasady-ochrany|politica-(?:de-)?confidentialitate|politika-(?:privatnosti|zasebnosti|konfiden[ct]s?ial\w*|za-poveritelnost)|pravila-privatnosti|zastita-(?:privatnosti|podataka)|varstvo-(?:osebnih-)?podatkov|privatumo-politika|privatuma-politika|privaatsus\w*|polit[iy]ka-konfiden\w*|mexfilik\w*|politika-e-privatesise|kebijakan-privasi)(?:$|-)|^(?:(?:politica|politique|informativa|gestione|use-of|our|eu)-(?:de-|des-|dei-|sui-|sur-les-|les-)?)?cookies?(?:$|-)|^(?:kvkk|gdpr|rgpd|lgpd|dsgvo|avg)(?:$|-)/

/** Shown once something was sent or paid. */
const thanks =
  /^(?:thank-?you|thanks|danke(?:-.*)?|vielen-dank|merci(?:-.*)?|gracias(?:-.*)?|grazie(?:-.*)?|obrigado(?:-.*)?|bedankt|message-(?:envoye|sent)|(?:mensaje|mensagem)-enviad[oa]|messaggio-inviato|success|confirmation|confirmacion|bestaetigung|conferma|confirmacao|bevestiging)$/

/** Pages that are short by nature. */
const service =
  /^(?:(?:[a-z]{2,12}-){0,2}menus?(?:-(?:du-jour|a-la-carte|[a-z]{2,12}))?|speisekarte|getraenkekarte|mittagstisch|carta|la-carte|menukaart|cardapio|gift-?(?:cards?|vouchers?|certificates?)|vouchers?|(?:geschenk)?gutscheine?|(?:cartes|cheques|bons)-cadeaux?|carte-cadeau|tarjetas?-regalo|buono?i?-regalo|cadeaubon(?:nen)?|cart|basket|checkout|warenkorb|kasse|panier|carrito|carrello|winkelwagen|wishlist|merkliste|(?:[a-z]{2,12}-)?(?:calendar|kalender|calendrier|calendario|calendário|takvim|agenda|termine|events?|veranstaltungen|evenements|eventos|eventi|evenementen|etkinlikler)|account|my-account|dashboard|(?:appointment|order|booking)s?-(?:tracking|status)|(?:forgot|reset)-password|log-?in|sign-?(?:in|up)|register|search|suche|recherche|registro|registrarse|registrieren|registrierung|registrazione|inscription|inschrijven|aanmelden|cadastro|uye-ol|kayit|connexion|iniciar-sesion|accedi|entrar|inloggen|giris|(?:photo-|foto-|bilder-?)?(?:gallery|galerie|galer[ií]a|galleria|galeri)(?:-[a-z0-9]{1,20})?)$/
