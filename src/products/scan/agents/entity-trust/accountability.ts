import { asking, type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { documentsOf } from '../../findings/document.ts'
import { counted } from '../../findings/share.ts'
import { cutPage } from '../../findings/unread-places.ts'
import { findForm, findOwnMail } from '../../signals/contact/contact-finders.ts'
import type { Signals } from '../../signals/signals.ts'
import { findProjectContact } from '../../signals/site-kind/project-repository.ts'
import { shown } from '../../site/addresses.ts'
import { homeAddress, rootNote } from '../../site/below-home.ts'
import { inMenuOf } from '../../site/contact/menus.ts'
import { sectionsOfKind } from '../../site/html/page-sections.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import type { PageKind } from '../../site/kinds/page-kinds.ts'
import { linksToKind, pagesOfKind, replyAt, unreadOfKind } from '../../site/linked-pages.ts'
import { isUsedOnline } from '../../site/profile.ts'
import type { Site } from '../../site/site.ts'
import { fillIn, leftOpenOn } from './left-open.ts'
import { legalSection } from './legal-sections.ts'
import { statedOwner } from './stated-owner.ts'

/** Judges whether a reader finds whom to tell of a problem with the site. */
export function judgeAccountability({ leads }: Signals, site: Site): Outcome {
  const [securityContact] = securityContacts(site)
  if (securityContact) return pass('security.txt names whom to tell of a problem.', securityContact)
  const kinds: readonly PageKind[] = ['imprint', 'trust']
  const [page] = kinds.flatMap((kind) => pagesOfKind(site, kind))
  const left = page && leftOpenOn(page)
  if (left)
    return asking(
      fail(
        'The page that tells who answers for the site still has a text of its template.',
        fillIn(left),
        left,
      ),
      { kind: 'left-open-text' },
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
  const cut = cutPage(site)
  if (cut) return unmeasured(`It is not known whether an imprint is linked: ${cut.reason}.`)
  const [lead] = leads.how === 'none' || leads.how === 'unknown' ? [] : leads.evidence
  // A linked form may collect answers to a survey, and the own address takes all that is written.
  const contact =
    (findForm(site, 'lead') === undefined ? findOwnMail(site) : undefined) ?? lead ?? findProjectContact(site)
  if (contact && !isUsedOnline(site))
    return pass(
      'Nothing is sold or used on the site itself, and problems with it can be told through its contacts.',
      {
        url: contact.url,
        value: shown(contact.value),
      },
    )
  if (contact === undefined && unreadOfKind(site, 'contact') !== undefined && !isUsedOnline(site))
    return unmeasured(
      'A page for contact is linked and was not read. It may tell where problems with the site are told.',
    )
  const found = fail(
    `No security.txt was found, and no imprint or trust page is linked on ${counted(site.pages.length, 'page')}. ${contact ? 'A problem with the site can be told through its general contact only' : 'They are where an address for problems with a site is looked for'}.`,
    isUsedOnline(site)
      ? `Publish ${site.origin}/.well-known/security.txt with Contact and Expires.${rootNote(site)}`
      : `Say on a page ${inMenuOf(site)} who answers for the site, with an address to write to.`,
    ...documents.slice(0, 2).map(({ url, state }) => ({
      url,
      value: state === 'page' ? 'a web page in place of the file' : 'no security.txt',
    })),
    {
      url: homeAddress(site),
      value: `no imprint or trust page linked on ${counted(site.pages.length, 'page')}`,
    },
    ...(contact ? [{ url: contact.url, value: `general contact: ${shown(contact.value)}` }] : []),
  )
  return asking(found, { kind: isUsedOnline(site) ? 'security-file' : 'who-answers' })
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
