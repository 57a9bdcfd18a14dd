import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { documentsOf, isRefusal } from '../../findings/document.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { counted, listed } from '../../findings/share.ts'
import { unlessShell } from '../../findings/shell.ts'
import { isNoBusiness } from '../../signals/no-business.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import type { Signals } from '../../signals/signals.ts'
import { kindOfSite, nounOf } from '../../signals/site-kind/site-kind.ts'
import { shown } from '../../site/addresses.ts'
import type { PageElement } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { sectionsOfKind } from '../../site/html/page-sections.ts'
import { scriptedTargets } from '../../site/html/scripted-targets.ts'
import { around, type Element, textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kind-phrases.ts'
import { linksToKind, pagesOfKind, replyAt, unreadOfKind } from '../../site/linked-pages.ts'
import { isPathOfKind, type PageKind } from '../../site/page-kinds.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Agent, bySignals, byWords, kindLanguages } from '../agent.ts'
import { judgeAuthorship, judgeCitations } from './authorship.ts'
import { judgeBrandName } from './brand-name.ts'
import { judgeContactFacts } from './contact-facts.ts'
import { judgeProfiles } from './social-profiles.ts'

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
      title: 'Contact facts agree',
      weight: 4,
      run: bySignals((signals, site) => judgeContactFacts(site.pages, site, signals)),
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
      run: (site, signals) => unlessShell(needsHome((home) => judgeProfiles(home, site, signals)))(site),
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

function judgeAbout(pages: readonly Page[], site: Site): Outcome {
  const kind = kindOfSite(site)
  const sections = [
    ...pagesOfKind(site, 'about')
      .filter(isOpen)
      .map((page) => ({ url: page.url, words: countWords(page.mainText) })),
    ...pages.flatMap((page, at) => aboutSections(page, at === 0)),
    ...(isOnePerson(site)
      ? pages.slice(0, 1).map(({ url, mainText }) => ({ url, words: countWords(mainText) }))
      : []),
  ]
  const evidence = sections.slice(0, 5).map(({ url, words }) => ({ url, value: counted(words, 'word') }))
  const longest = sections.reduce((max, { words }) => Math.max(max, words), 0)
  if (longest >= 150) return pass(`A page about the people or the company has ${longest} words.`, ...evidence)
  const unread = unreadOfKind(site, 'about')
  if (unread) return unmeasured(`${shown(unread.url)} is linked and was not read.`)
  if (kind === 'library')
    return notApplicable('The site documents software, and a page about a business is not expected of it.')
  const scripted = pages
    .flatMap((page) => scriptedTargets(page))
    .find(({ url, text }) => isPathOfKind(url, 'about') || isTextOfKind(text, 'about'))
  if (scripted)
    return unmeasured(
      `A script of the page opens ${shown(scripted.url)}, which no link leads to and which was not read.`,
    )
  const [first] = sections
  if (first) {
    return fail(
      `The page about the people or the company has ${counted(longest, 'word')}. 150 are asked for, because engines learn there who stands behind a site.`,
      `Tell on ${shown(first.url)} who runs the ${nounOf(kind)}, since when, where and ${kind === 'business' ? 'with what experience' : 'what for'}.`,
      ...evidence,
    )
  }
  return fail(
    `No page about the people or the company was found among ${counted(pages.length, 'page')} and the links there. Engines look for one to learn who stands behind a site.`,
    `Write at least 150 words about who runs the ${nounOf(kind)} on a page of its own, and link it from the menu.`,
    { url: site.origin, value: `no about or team page linked on ${counted(pages.length, 'page')}` },
  )
}

/** Behind a login a board keeps its work, not what it says of itself. */
function isOpen(page: Page): boolean {
  return formsOf(page).every(({ use }) => use !== 'login' && use !== 'account')
}

/** The home page of somebody who works under the own name is about that person. */
function isOnePerson(site: Site): boolean {
  const entities = ownEntities(site)
  return entities.length > 0 && entities.every(({ node }) => node.types.includes('Person'))
}

/** A site of one page may have a section for it, and so may another page, under a heading. */
function aboutSections(home: Page, isHome: boolean): { url: string; words: number }[] {
  const named = new Set(sectionsOfKind(home, 'about').map(({ element }) => element))
  // "Our mission" on each of four cards is a template's word for what the card offers.
  const labels = home.elements.filter(
    (element) => isAboutLabel(element) && (isHome || /^h[1-6]$/.test(element.name)),
  )
  const labelled = new Set(labels.length > 2 ? [] : labels.flatMap(({ node }) => sectionAround(node) ?? []))
  return home.elements
    .filter(({ node, isHidden }) => !isHidden && (labelled.has(node) || named.has(node)))
    .slice(0, 5)
    .map(({ node }) => ({ url: home.url, words: countWords(textWithin([node])) }))
    .filter(({ words }) => words > 0)
}

/** "About us" above a text, in whatever element. */
function isAboutLabel({ name, node, region, isHidden }: PageElement): boolean {
  if (
    isHidden ||
    region === 'nav' ||
    region === 'footer' ||
    !/^(?:div|span|p|small|strong|h[1-6])$/.test(name)
  )
    return false
  const text = textWithin([node])
  return text.length <= 40 && isTextOfKind(text, 'about')
}

/** The nearest element around a label with more than a few words of its own. */
function sectionAround(label: Element): Element | undefined {
  return around(label)
    .slice(0, 4)
    .find((outer) => outer.name !== 'body' && countWords(textWithin([outer])) >= 30)
}

function judgeLegal(pages: readonly Page[], site: Site): Outcome {
  const legalPages = [
    { name: 'privacy', ...legalPage(site, 'privacy') },
    { name: 'terms', ...legalPage(site, 'terms') },
  ]
  const evidence = legalPages.map(({ evidence: quote }) => quote)
  const missing = legalPages.filter(({ state }) => state === 'missing' || state === 'broken')
  if (missing.length > 0) {
    const faults = missing.map(({ name, state }) =>
      state === 'broken' ? `the page about ${name} does not open` : `no page about ${name} is linked`,
    )
    return fail(
      `${capitalized(listed(faults))}; ${counted(pages.length, 'page')} ${pages.length === 1 ? 'was' : 'were'} read. Cautious agents look for a page about privacy and one with terms or a legal notice.${missing.some(({ name }) => name === 'privacy') && asksForFacts(pages) ? ' Many countries require a privacy notice where a form takes names or addresses.' : ''}`,
      `Publish ${listed(missing.map(({ name }) => (name === 'privacy' ? 'a privacy notice' : 'terms or a legal notice')))} and link ${missing.length === 1 ? 'it' : 'them'} from the footer of ${site.origin}/.`,
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
  readonly state: 'open' | 'broken' | 'unread' | 'missing'
  readonly evidence: Evidence
}

function asksForFacts(pages: readonly Page[]): boolean {
  return pages.some((page) =>
    formsOf(page).some(({ use }) => use === 'lead' || use === 'booking' || use === 'application'),
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
  return {
    state: 'missing',
    evidence: { url: site.origin, value: `no link about ${kind} on ${counted(site.pages.length, 'page')}` },
  }
}

/** A legal notice often has the privacy notice as one of its parts. */
function privacyPart(site: Site): Evidence | undefined {
  const notices = new Set((['imprint', 'terms'] as const).flatMap((kind) => pagesOfKind(site, kind)))
  for (const page of notices) {
    const heading = page.headings.find(({ text }) => isTextOfKind(text, 'privacy'))
    if (heading) return { url: page.url, value: `heading "${shown(heading.text, 80)}"` }
  }
  return undefined
}

function judgeProof({ reviews }: Signals, site: Site): Outcome {
  const { pages, origin } = site
  const { how, evidence } = reviews
  const quotes = evidence.slice(0, 5).map(({ url, value }) => ({ url, value: shown(value) }))
  if (how === 'unknown')
    return unmeasured('Too few pages were read to say whether others vouch for the site.')
  if (how !== 'none') return pass('Reviews, testimonials or case studies show what others say.', ...quotes)
  if (isNoBusiness(site)) return notApplicable('The site sells nothing that customers could review.')
  return fail(
    `No review, rating, testimonial or case study was found on ${counted(pages.length, 'page')}. Engines weigh what others say more than what a site says of itself.`,
    `If customers have reviewed you elsewhere, link or quote those reviews with their source on ${origin}/. Never publish one that no customer wrote.`,
    ...quotes,
  )
}

function judgeAccountability({ leads }: Signals, site: Site): Outcome {
  const [securityContact] = securityContacts(site)
  if (securityContact) return pass('security.txt names whom to tell of a problem.', securityContact)
  const kinds: readonly PageKind[] = ['imprint', 'trust']
  const [page] = kinds.flatMap((kind) => pagesOfKind(site, kind))
  if (page)
    return pass('A page tells who answers for the site.', {
      url: page.url,
      value: shown(page.title) || 'status 200',
    })
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
  const [contact] = leads.how === 'none' ? [] : leads.evidence
  return fail(
    `No security.txt was found, and no imprint or trust page is linked on ${counted(site.pages.length, 'page')}. ${contact ? 'A problem with the site can be told through its general contact only' : 'They are where an address for problems with a site is looked for'}.`,
    `Publish ${site.origin}/.well-known/security.txt with Contact and Expires.`,
    ...documents.slice(0, 2).map(({ url, state }) => ({
      url,
      value: state === 'page' ? 'a web page in place of the file' : 'no security.txt',
    })),
    { url: site.origin, value: `no imprint or trust page linked on ${counted(site.pages.length, 'page')}` },
    ...(contact ? [{ url: contact.url, value: `general contact: ${shown(contact.value)}` }] : []),
  )
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
