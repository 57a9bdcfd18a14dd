import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { documentsOf, isRefusal } from '../../findings/document.ts'
import { unlessMicrodata } from '../../findings/microdata.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { counted, listed } from '../../findings/share.ts'
import { unlessShell } from '../../findings/shell.ts'
import { findForm, findOwnMail } from '../../signals/contact/contact-finders.ts'
import type { Signals } from '../../signals/signals.ts'
import { kindOfSite, whyNoBusiness } from '../../signals/site-kind/site-kind.ts'
import { shown } from '../../site/addresses.ts'
import { homeAddress, rootNote } from '../../site/below-home.ts'
import { atBottomOf } from '../../site/contact/footers.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { sectionsOfKind } from '../../site/html/page-sections.ts'
import { templateTextIn } from '../../site/html/template-text.ts'
import { around, type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kind-phrases.ts'
import { linksToKind, noticesOf, pagesOfKind, replyAt } from '../../site/linked-pages.ts'
import type { PageKind } from '../../site/page-kinds.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Agent, bySignals, byWords, kindLanguages } from '../agent.ts'
import { judgeAbout } from './about-page.ts'
import { judgeAuthorship, judgeCitations } from './authorship.ts'
import { judgeBrandName } from './brand-name.ts'
import { judgeContactFacts } from './contact-facts.ts'
import { deadLink, legalDialog, legalSection } from './legal-sections.ts'
import { judgeProfiles } from './social-profiles.ts'
import { statedOwner } from './stated-owner.ts'

/** Whether engines can tell who runs the site and find others who confirm it. */
export const entityTrust: Agent = {
  id: 'entity-trust',
  name: 'Entity and trust',
  checks: [
    {
      id: 'brand-name',
      title: 'One name everywhere',
      weight: 4,
      run: (site, signals) => unlessShell(needsHome((home) => judgeBrandName(home, site, signals)))(site),
    },
    {
      id: 'nap',
      title: 'Contact facts stand in the markup as on the pages',
      weight: 4,
      run: bySignals((signals, site) =>
        unlessMicrodata(['Organization', 'PostalAddress', 'ContactPoint'], (pages) =>
          judgeContactFacts(pages, site, signals),
        )(site.pages, site),
      ),
    },
    {
      id: 'about',
      title: 'A page tells who stands behind it',
      weight: 3,
      run: byWords(kindLanguages, unlessShell(needsPages(judgeAbout))),
    },
    {
      id: 'authorship',
      title: 'Articles name their authors',
      weight: 3,
      run: unlessShell(needsPages(judgeAuthorship)),
    },
    {
      id: 'profiles',
      title: 'Profiles and sameAs are equal',
      // The score counts profiles as structured-data/same-as. To link one more must not cost points.
      weight: 0,
      run: (site) => unlessShell(needsHome((home) => judgeProfiles(home, site)))(site),
    },
    {
      id: 'legal',
      title: 'Privacy and terms can be read',
      weight: 2,
      run: byWords(kindLanguages, unlessShell(needsPages(judgeLegal))),
    },
    {
      id: 'proof',
      title: 'Others vouch for it',
      weight: 2,
      run: byWords(kindLanguages, bySignals(judgeProof)),
    },
    {
      id: 'citations',
      title: 'Articles link their sources',
      weight: 1,
      run: unlessShell(needsPages(judgeCitations)),
    },
    {
      id: 'accountability',
      title: 'Problems have an address',
      weight: 1,
      run: byWords(kindLanguages, bySignals(judgeAccountability)),
    },
  ],
}

function judgeLegal(pages: readonly Page[], site: Site): Outcome {
  const legalPages = [
    { name: 'privacy', ...legalPage(site, 'privacy') },
    { name: 'terms', ...legalPage(site, 'terms') },
  ]
  const evidence = legalPages.map(({ evidence: quote }) => quote)
  const missing = legalPages.filter(({ state }) => state !== 'open' && state !== 'unread')
  if (missing.length > 0) {
    const faults = missing.map(({ name, state }) =>
      state === 'broken'
        ? `the page about ${name} does not open`
        : state === 'nowhere'
          ? `a link about ${name} leads nowhere`
          : `no page about ${name} is linked`,
    )
    return fail(
      `${capitalized(listed(faults))}; ${counted(pages.length, 'page')} ${pages.length === 1 ? 'was' : 'were'} read. Cautious agents look for a page about privacy and one with terms or a legal notice.${missing.some(({ name }) => name === 'privacy') && asksForFacts(pages) ? ' Many countries require a privacy notice where a form takes names or addresses.' : ''}`,
      `Publish ${listed(missing.map(({ name }) => (name === 'privacy' ? 'a privacy notice' : 'terms or a legal notice')))} and link ${missing.length === 1 ? 'it' : 'them'} ${atBottomOf(site)}.`,
      ...evidence,
    )
  }
  const unread = legalPages.find(({ state }) => state === 'unread')
  if (unread)
    return unmeasured(
      `The page about ${unread.name}, ${shown(unread.evidence.url)}, is linked and was not read.`,
    )
  return pass('The pages about privacy and terms open.', ...evidence)
}

interface LegalPage {
  readonly state: 'open' | 'broken' | 'unread' | 'missing' | 'nowhere'
  readonly evidence: Evidence
}

function asksForFacts(pages: readonly Page[]): boolean {
  return pages.some((page) =>
    formsOf(page).some(({ use }) => /^(?:lead|unfinished|booking|application)$/.test(use)),
  )
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function legalPage(site: Site, kind: 'privacy' | 'terms'): LegalPage {
  const [page] = pagesOfKind(site, kind)
  if (page) return { state: 'open', evidence: { url: page.url, value: 'status 200' } }
  const part = kind === 'privacy' ? privacyPart(site) : undefined
  if (part) return { state: 'open', evidence: part }
  const section = legalSection(site, kind) ?? legalDialog(site, kind)
  if (section) return { state: 'open', evidence: section }
  const links = linksToKind(site, kind)
  const answers = links.flatMap(({ url }) => {
    const answer = replyAt(site, url)
    return answer === undefined || isRefusal(answer.status) ? [] : [answer]
  })
  const open = answers.find(({ status }) => status === 200)
  const [answer] = answers
  if (open) return { state: 'open', evidence: { url: open.url, value: 'status 200' } }
  if (answer) return { state: 'broken', evidence: { url: answer.url, value: `status ${answer.status}` } }
  const [link] = links
  if (link) return { state: 'unread', evidence: { url: link.url, value: 'linked, and not read' } }
  const dead = deadLink(site, kind)
  if (dead) return { state: 'nowhere', evidence: dead }
  return {
    state: 'missing',
    evidence: { url: site.origin, value: `no link about ${kind} on ${counted(site.pages.length, 'page')}` },
  }
}

/** A legal notice, or the page with the form, often has the privacy notice as one of its parts. */
function privacyPart(site: Site): Evidence | undefined {
  const notices = noticesOf(site)
  for (const page of site.pages.filter((one) => notices.has(one) || formsOf(one).length > 0)) {
    const heading = page.headings.find(
      ({ level, text }) =>
        level > 1 &&
        text.length <= 100 &&
        (isTextOfKind(text, 'privacy') || lawOnPrivacy.test(text)) &&
        !announces(page, text),
    )
    if (heading) return { url: page.url, value: `heading "${shown(heading.text, 80)}"` }
  }
  return undefined
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

function judgeProof({ reviews }: Signals, site: Site): Outcome {
  const { pages } = site
  const { how, evidence } = reviews
  const quotes = evidence.slice(0, 5).map(({ url, value }) => ({ url, value: shown(value) }))
  if (how !== 'none' && how !== 'unknown')
    return pass('Reviews, testimonials or case studies show what others say.', ...quotes)
  if (kindOfSite(site) !== 'business')
    return notApplicable(`${whyNoBusiness(site)}. Reviews are asked of businesses only.`)
  if (how === 'unknown')
    return unmeasured(
      `It is not known whether others vouch for the site: ${evidence[0]?.value ?? 'too few pages were read'}.`,
    )
  return fail(
    `No review, rating or testimonial was found on ${counted(pages.length, 'page')}. Engines weigh what others say more than what a site says of itself.`,
    `If others have reviewed you elsewhere, link or quote those reviews with their source on ${shown(homeAddress(site))}. Never publish one that you wrote yourself.`,
    ...quotes,
  )
}

/** The line of a page that holds the text of a template, because its words say what is to be filled in. */
function openLine({ lines }: Page, left: string): string {
  return lines.find((line) => line.includes(left)) ?? left
}

function judgeAccountability({ leads }: Signals, site: Site): Outcome {
  const [securityContact] = securityContacts(site)
  if (securityContact) return pass('security.txt names whom to tell of a problem.', securityContact)
  const kinds: readonly PageKind[] = ['imprint', 'trust']
  const [page] = kinds.flatMap((kind) => pagesOfKind(site, kind))
  const left = page && templateTextIn(page.text)
  const line = page && left !== undefined ? openLine(page, left) : undefined
  if (page && line !== undefined)
    return fail(
      'The page that tells who answers for the site still has a text of its template.',
      `Fill in, or take out, what the template left open on ${shown(page.url)}: "${shown(line, 100)}".`,
      { url: page.url, value: shown(line) },
    )
  if (page)
    return pass('A page tells who answers for the site.', {
      url: page.url,
      value: shown(page.title) || 'status 200',
    })
  const section = legalSection(site, 'imprint') ?? imprintPart(site) ?? statedOwner(site)
  if (section) return pass('A section tells who answers for the site.', section)
  const [linked] = kinds.flatMap((kind) =>
    linksToKind(site, kind).map((link) => ({ link, answer: replyAt(site, link.url) })),
  )
  if (linked?.answer?.status === 200)
    return pass('A page tells who answers for the site.', { url: linked.link.url, value: 'status 200' })
  const documents = documentsOf(site.capture, 'well-known').filter(isSecurityTxt)
  const isSeen = documents.length > 0 && documents.every(({ state }) => state !== 'unseen')
  if (!isSeen || (linked && linked.answer === undefined)) {
    return unmeasured('security.txt or a linked page that may tell who answers for the site was not read.')
  }
  const [found] = leads.how === 'none' || leads.how === 'unknown' ? [] : leads.evidence
  // A linked form may collect answers to a survey, and the own address takes all that is written.
  const contact = findForm(site, 'lead') === undefined ? (findOwnMail(site) ?? found) : found
  return fail(
    `No security.txt was found, and no imprint or trust page is linked on ${counted(site.pages.length, 'page')}. ${contact ? 'A problem with the site can be told through its general contact only' : 'They are where an address for problems with a site is looked for'}.`,
    `Publish ${site.origin}/.well-known/security.txt with Contact and Expires.${rootNote(site)}`,
    ...documents.slice(0, 2).map(({ url, state }) => ({
      url,
      value: state === 'page' ? 'a web page in place of the file' : 'no security.txt',
    })),
    { url: site.origin, value: `no imprint or trust page linked on ${counted(site.pages.length, 'page')}` },
    ...(contact ? [{ url: contact.url, value: `general contact: ${shown(contact.value)}` }] : []),
  )
}

/** An imprint often stands below the contact form, or in a part that the menu leads to. */
function imprintPart({ pages }: Site): Evidence | undefined {
  for (const page of pages) {
    const heading = page.headings.find(({ text }) => text.length <= 60 && isTextOfKind(text, 'imprint'))
    if (heading) return { url: page.url, value: `heading "${shown(heading.text, 80)}"` }
    const part = sectionsOfKind(page, 'imprint').find(({ element }) => countWords(textWithin([element])) >= 5)
    if (part) return { url: page.url, value: `section "${shown(part.label, 80)}"` }
  }
  return undefined
}

function securityContacts(site: Site): Evidence[] {
  return documentsOf(site.capture, 'well-known')
    .filter(isSecurityTxt)
    .flatMap((document) => {
      const [line] =
        document.state === 'present' ? (/^contact:.{3,200}$/im.exec(document.answer.body) ?? []) : []
      return line === undefined ? [] : [{ url: document.url, value: shown(line) }]
    })
}

function isSecurityTxt({ url }: { readonly url: string }): boolean {
  return /\/security\.txt$/.test(url)
}
