import { capitalized } from '../../../text/plain-text.ts'
import { asking, type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { isRefusal } from '../../findings/document.ts'
import { counted, listed } from '../../findings/share.ts'
import { cutPage } from '../../findings/unread-places.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { addressKey, shown } from '../../site/addresses.ts'
import { homeAddress } from '../../site/below-home.ts'
import type { SiteReply } from '../../site/capture.ts'
import { atBottomOf } from '../../site/contact/footers.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { around, type Element, isElement } from '../../site/html/visible-text.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import { linksToKind, noticesOf, pagesOfKind, replyAt } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import { fillIn, leftOpenOn } from './left-open.ts'
import { deadLink, legalDialog, legalSection } from './legal-sections.ts'

/** Judges whether a page about privacy and one with terms or a legal notice can be read. */
export function judgeLegal(pages: readonly Page[], site: Site): Outcome {
  const legalPages = [
    { name: 'privacy', ...legalPage(site, 'privacy') },
    { name: 'terms', ...legalPage(site, 'terms') },
  ]
  const evidence = legalPages.flatMap(({ evidence: quote, alsoBroken = [] }) => [quote, ...alsoBroken])
  const missing = legalPages.filter(({ state }) => state !== 'open' && state !== 'unread')
  const cut = missing.some(({ state }) => state === 'missing') ? cutPage(site) : undefined
  if (cut) return unmeasured(`It is not known whether such pages are linked: ${cut.reason}.`)
  if (missing.length > 0) {
    const faults = missing.map(({ name, state }) =>
      state === 'broken'
        ? `the page about ${name} does not open`
        : state === 'unfinished'
          ? `the page about ${name === 'terms' ? 'terms or who is responsible' : name} still has a text of its template`
          : state === 'nowhere'
            ? `a link about ${name} leads nowhere`
            : `no page about ${name} is linked`,
    )
    const found = fail(
      `${capitalized(listed(faults))}; ${counted(pages.length, 'page')} ${pages.length === 1 ? 'was' : 'were'} read. ${missing.length > 1 ? 'Cautious agents look for both: a page about privacy, and one with terms or a legal notice' : 'Cautious agents look for such a page'}.${missing.some(({ name }) => name === 'privacy') && asksForFacts(pages) ? ' Many countries require a privacy notice where a form takes names or addresses.' : ''}`,
      legalFix(missing, site),
      ...evidence,
    )
    // What the template left open is filled in on the page; nothing is written anew.
    if (missing.every(({ state }) => state === 'unfinished')) return asking(found, { kind: 'left-open-text' })
    return asking(found, {
      kind: 'notices',
      isPrivacyAsked: missing.some(({ name }) => name === 'privacy'),
      count: missing.length,
    })
  }
  const unread = legalPages.find(({ state }) => state === 'unread')
  if (unread)
    return unmeasured(
      `The page about ${unread.name}, ${shown(unread.evidence.url)}, is linked and was not read.`,
    )
  return pass('The pages about privacy and terms open.', ...evidence)
}

/** Addresses of notices that are linked and show no page, which this check asks for. */
export function deadNotices(site: Site): readonly string[] {
  return (['privacy', 'terms'] as const).flatMap((kind) => {
    const { state, evidence, alsoBroken = [] } = legalPage(site, kind)
    return state === 'broken' ? [evidence, ...alsoBroken].map(({ url }) => url) : []
  })
}

/** A page that is linked and does not open is there already, or was. */
function legalFix(missing: readonly (LegalPage & { readonly name: string })[], site: Site): string {
  const left = missing.filter(({ state }) => state === 'unfinished')
  const broken = missing
    .filter(({ state }) => state === 'broken')
    .flatMap(({ evidence, alsoBroken = [] }) => [evidence, ...alsoBroken].map(({ url }) => shown(url)))
  const absent = missing.filter(({ state }) => state === 'missing' || state === 'nowhere')
  const publish = `Publish ${listed(absent.map(({ name }) => (name === 'privacy' ? 'a privacy notice' : 'terms or a legal notice')))} and link ${absent.length === 1 ? 'it' : 'them'} ${atBottomOf(site)}.${absent.some(({ state }) => state === 'nowhere') ? ' Give each link of that name an address, in the forms, too.' : ''}`
  const open =
    broken.length === 1
      ? `Let ${listed(broken)} open, or lead its link to the page that took its place.`
      : `Let ${listed(broken)} open, or lead their links to the pages that took their place.`
  // One page may hold both notices.
  const finish = [...new Set(left.map(({ evidence }) => fillIn(evidence)))]
  return [...(absent.length > 0 ? [publish] : []), ...(broken.length > 0 ? [open] : []), ...finish].join(' ')
}

interface LegalPage {
  readonly state: 'open' | 'unfinished' | 'broken' | 'unread' | 'missing' | 'nowhere'
  readonly evidence: Evidence
  /** The same notice in other languages. */
  readonly alsoBroken?: readonly Evidence[]
}

function asksForFacts(pages: readonly Page[]): boolean {
  return pages.some((page) =>
    formsOf(page).some(({ use }) => /^(?:lead|unfinished|booking|application)$/.test(use)),
  )
}

function legalPage(site: Site, kind: 'privacy' | 'terms'): LegalPage {
  const [page] = pagesOfKind(site, kind)
  const left = page && leftOpenOn(page)
  if (left) return { state: 'unfinished', evidence: left }
  if (page) return { state: 'open', evidence: { url: page.url, value: 'status 200' } }
  const part = (kind === 'privacy' ? privacyPart(site) : undefined) ?? clauses(site, kind)
  if (part) return { state: 'open', evidence: part }
  const section =
    legalSection(site, kind) ??
    legalDialog(site, kind) ??
    (kind === 'terms' && kindOfSite(site) === 'library' ? licence(site) : undefined)
  if (section) return { state: 'open', evidence: section }
  // An article about privacy on another site is no notice of this one.
  const links = linksToKind(site, kind).filter(
    ({ isInternal, text }) =>
      isInternal || !/^(?:artikel|article|beitrag|artículo|articolo|news)(?!\p{L})/iu.test(text),
  )
  const answers = links.flatMap(({ url }) => {
    const answer = replyAt(site, url)
    return answer === undefined || isRefusal(answer.status) ? [] : [answer]
  })
  const open = answers.find(({ status }) => status === 200)
  const [answer, ...others] = new Map(answers.map((one) => [addressKey(one.url), one])).values()
  const brokenAt = ({ url, status }: SiteReply) => ({ url, value: `status ${status}` })
  if (open) return { state: 'open', evidence: { url: open.url, value: 'status 200' } }
  if (answer) return { state: 'broken', evidence: brokenAt(answer), alsoBroken: others.map(brokenAt) }
  const [link] = links
  if (link) return { state: 'unread', evidence: { url: link.url, value: 'linked, and not read' } }
  const dead = deadLink(site, kind)
  if (dead) return { state: 'nowhere', evidence: dead }
  return {
    state: 'missing',
    evidence: {
      url: homeAddress(site),
      value: `no link about ${kind} on ${counted(site.pages.length, 'page')}`,
    },
  }
}

/** A notice whose title is no heading: "ALLGEMEINE GESCHÄFTSBEDINGUNGEN (AGB) 1. Geltungsbereich". */
function clauses({ pages }: Site, kind: 'privacy' | 'terms'): Evidence | undefined {
  for (const { url, text, elements } of pages) {
    if (kind === 'terms') {
      const label = elements.find(
        ({ name, node, isHidden }) =>
          /^(?:strong|b)$/.test(name) && !isHidden && isTextOfKind(spokenText(node, 50), 'imprint'),
      )
      if (label && ofImprint.test(text.slice(0, 200_000)))
        return { url, value: `"${shown(spokenText(label.node, 50), 80)}" in bold` }
    }
    const [title] = (kind === 'privacy' ? privacyClauses : termsClauses).exec(text.slice(0, 200_000)) ?? []
    if (title !== undefined) return { url, value: `"${shown(title, 80)}"` }
  }
  return undefined
}

/** What stands below "Impressum". */
const ofImprint =
  /registergericht|vertretungsberechtigt|inhaltlich verantwortlich|verantwortlich für den inhalt|haftungs(?:hinweis|ausschluss)|ust-?id|company (?:number|no)|registered (?:office|in)/iu

const firstClause = String.raw`(?:\s?\([^()]{2,12}\))?[\s:]{1,3}(?:1[.)]|§ ?1)\s\p{L}`
const privacyClauses = new RegExp(
  `(?:datenschutz(?:erklärung|hinweise|richtlinie)|privacy (?:policy|notice|statement)|politique de confidentialité|política de privacidad|política de privacidade|informativa (?:sulla )?privacy|privacyverklaring)${firstClause}`,
  'iu',
)
const termsClauses = new RegExp(
  `(?:geschäftsbedingungen|nutzungsbedingungen|terms (?:and conditions|of (?:service|use))|conditions générales(?: de vente)?|condiciones generales|condizioni generali|condições gerais|algemene voorwaarden)${firstClause}`,
  'iu',
)

/** The terms of a program, as its repository holds them. */
function licence({ pages }: Site): Evidence | undefined {
  for (const { url, links } of pages) {
    const link = links.find((one) => /\/(?:un)?(?:licen[cs]e|copying)(?:\.\w{2,4})?$/i.test(one.url))
    if (link) return { url, value: `link to ${shown(link.url)}` }
  }
  return undefined
}

/** A legal notice, or the page with the form, often has the privacy notice as one of its parts. */
function privacyPart(site: Site): Evidence | undefined {
  const notices = noticesOf(site)
  for (const page of site.pages.filter((one) => notices.has(one) || formsOf(one).length > 0)) {
    const heading = page.headings.find(
      ({ level, text }) =>
        level > 1 &&
        text.length <= 100 &&
        (isTextOfKind(text, 'privacy') ||
          lawOnPrivacy.test(text) ||
          (notices.has(page) && namesPrivacy(text))) &&
        !announces(page, text),
    )
    if (heading) return { url: page.url, value: `heading "${shown(heading.text, 80)}"` }
  }
  return undefined
}

/** "Données personnelles et mesure d’audience". A longer list names fields of law. */
function namesPrivacy(heading: string): boolean {
  const subjects = heading.split(/\s+(?:et|und|and|y|e|en|och|og|i|ja|a|и|&|\+)\s+|\s*[·•|/,]\s*/u)
  return subjects.length <= 2 && subjects.some((subject) => isTextOfKind(subject, 'privacy'))
}

/** The heading leads to another page, or is the title of an article: "Lunch and learn: the GDPR". */
function announces({ elements }: Page, heading: string): boolean {
  const places = elements.filter(
    ({ name, node }) => /^h[2-6]$/.test(name) && spokenText(node, 50) === heading,
  )
  return (
    places.length > 0 &&
    places.every(({ node }) => {
      const outer = around(node)
      return (
        outer.some(({ name }) => name === 'article') ||
        [...outer, ...elementsWithin(node)].some(
          (one) => one.name === 'a' && /^[^#]/.test(attributeOf(one, 'href')),
        )
      )
    })
  )
}

function elementsWithin(node: Element): readonly Element[] {
  return node.children.filter(isElement).flatMap((child) => [child, ...elementsWithin(child)])
}

/** Laws on the protection of data, by the short names that notices bear. */
const lawOnPrivacy = /(?<!\p{L})(?:RGPD|DSGVO|DS-GVO|GDPR|LGPD|KVKK|RODO)(?!\p{L})/u
