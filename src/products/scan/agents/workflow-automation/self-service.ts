import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { silentFormsOf } from '../../findings/forms/silent-forms.ts'
import { filledWithQuestions } from '../../findings/scripted/filled-pages.ts'
import { counted, listed } from '../../findings/share.ts'
import { unreadPlace } from '../../findings/unread-places.ts'
import { minPairs } from '../../signals/answer-signals.ts'
import { findMessenger } from '../../signals/contact/messengers.ts'
import { widgetForContact } from '../../signals/contact/script-widgets.ts'
import { faqSection } from '../../signals/questions/faq-section.ts'
import type { Signals } from '../../signals/signals.ts'
import { isArchived } from '../../signals/site-kind/archived.ts'
import { isAppStore } from '../../signals/site-kind/business-signs.ts'
import { isPrivate, kindOfSite, whyNoBusiness } from '../../signals/site-kind/site-kind.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { atBottomOf } from '../../site/contact/footers.ts'
import { inMenuOf } from '../../site/contact/menus.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { isTemplateTarget } from '../../site/html/template-text.ts'
import { linksToKind, pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import { formsThatSendNothing } from './forms-in-vain.ts'
import { notRead, quoted } from './quotes.ts'

/** The checks of what visitors can settle alone: answers, orders, connections to other software, news. */
export function judgeSupport(signals: Signals, site: Site): Outcome {
  const { support } = signals
  const { pages } = site
  if (support.how === 'unknown') return notRead('how questions are answered', support.evidence)
  const evidence = quoted(support.evidence)
  if (support.how === 'service') return pass('Questions go to a chat or helpdesk service.', ...evidence)
  if (support.how === 'pages')
    return pass('There are pages with answers: help, common questions or documentation.', ...evidence)
  if (kindOfSite(site) !== 'business')
    return notApplicable(`${whyNoBusiness(site)}. Help for buyers is asked of businesses only.`)
  const mailbox = support.mailbox ? quoted([support.mailbox]) : []
  return fail(
    `No known chat or helpdesk service, help centre, FAQ page or documentation was found on ${counted(pages.length, 'page')} or in the links there. Agents look for them to find answers to pass on.`,
    `Write the questions that you are asked most, at least ${minPairs}, with their answers on a new page ${inMenuOf(site)}.`,
    ...mailbox,
    ...evidence,
  )
}

export function judgeFaq({ faq }: Signals, site: Site): Outcome {
  if (faq.how === 'unknown') return notRead('which questions are answered', faq.evidence)
  const evidence = quoted(faq.evidence)
  if (faq.how === 'pairs') {
    return pass(`One page answers ${faq.pairs} questions, so the answers can be quoted.`, ...evidence)
  }
  if (isPrivate(kindOfSite(site)))
    return notApplicable(`${whyNoBusiness(site)}. A list of common questions is not expected of it.`)
  const filled = filledWithQuestions(site)
  if (filled !== undefined)
    return unmeasured(
      `A script writes the questions of ${shown(filled.page.url)}. No scripts are run, so they were not counted.`,
    )
  const statement =
    faq.pairs === 0
      ? `No question of visitors, with its answer, was found on ${counted(site.pages.length, 'page')}`
      : `No page answers more than ${faq.pairs === 1 ? '1 question' : `${faq.pairs} questions`}`
  // A page of treatments or goods may ask two questions, and is no place for those about parking.
  const place = pagesOfKind(site, 'faq')[0]?.url
  const reason = `${statement}; at least ${minPairs} on one page are needed. Answer engines quote such pairs, and visitors who find the answer there need not ask.`
  const section = place === undefined ? faqSection(site, faq) : undefined
  if (section !== undefined) {
    const { url, heading, pairs, areHeadings } = section
    const more = minPairs - pairs
    return asking(
      fail(
        reason,
        `Add ${counted(more, pairs > 0 ? 'more question' : 'question')} as ${more === 1 ? 'a heading' : 'headings'} (h3) below “${shownInQuotes(heading, 80)}” on ${shown(url)}. Put an answer of 20 to 80 words below each.${areHeadings ? '' : ' Make the questions that stand there headings, too.'}`,
        ...evidence,
      ),
      { kind: 'more-questions', more, heading: shownInQuotes(heading, 80), areHeadings },
    )
  }
  return fail(
    reason,
    `Write the questions that you are asked most, at least ${minPairs}, as headings (h2 or h3) on ${place === undefined ? `a new page ${inMenuOf(site)}` : shown(place)}. Put an answer of 20 to 80 words below each.`,
    ...evidence,
  )
}

export function judgeCommerce({ shop }: Signals, { pages }: Site): Outcome {
  const evidence = quoted(shop.evidence)
  switch (shop.how) {
    case 'unknown':
      return notRead('whether goods are sold', shop.evidence)
    case 'absent':
      return notApplicable(
        'No cart, checkout or goods of its own with a price in the markup were seen on the pages that were read.',
      )
    case 'shop':
      return pass('Orders can be placed online.', ...evidence)
    case 'offers':
      return pass('Goods are offered with their prices in the markup.', ...evidence)
    case 'goods':
      return fail(
        `The site shows goods, and no cart, checkout or offer with a price was found on ${counted(pages.length, 'page')}. An agent that buys for somebody looks for one of them.`,
        'Add a cart or a payment link to each product page, and an Offer with price and priceCurrency to its Product markup.',
        ...evidence,
      )
  }
}

export function judgeIntegrations({ api, shop }: Signals, { origin, profile, pages }: Site): Outcome {
  if (api.integrations)
    return pass('A page tells how other software can connect.', ...quoted([api.integrations]))
  if (api.description === 'found')
    return pass('An API description tells other software how to connect.', ...quoted(api.evidence))
  const isShop = profile.shop || shop.how === 'shop'
  if (!profile.api && (!profile.app || isShop)) {
    return notApplicable('The site shows no API and no application whose records other software would fetch.')
  }
  if (!profile.api && pages.some(({ links }) => links.some(({ url }) => isAppStore(url))))
    return notApplicable(
      'The application runs on telephones, where other software does not fetch its records.',
    )
  return fail(
    `No page about an API, documentation, integrations or a connection service was found among the links of ${counted(pages.length, 'page')}. Agents look there for how to exchange records with a product.`,
    `Describe how to connect, through an API or a connection service, on ${origin}/integrations.`,
    ...quoted(api.evidence),
  )
}

export function judgeNewsletter({ newsletter }: Signals, site: Site): Outcome {
  const { pages, profile } = site
  if (newsletter.how === 'unknown') return notRead('whether one can subscribe', newsletter.evidence)
  const evidence = quoted(newsletter.evidence)
  const silent = silentFormsOf(site).filter(({ use }) => use === 'newsletter')
  if (newsletter.how === 'form' && silent.length > 0)
    return formsThatSendNothing(silent, 'Nobody is subscribed.')
  if (newsletter.how !== 'none') return pass('Visitors can subscribe to news.', ...evidence)
  if (isArchived(site))
    return notApplicable('The pages say that the site is an archive, which has no news to tell.')
  if (!profile.content && !profile.shop && !profile.app)
    return notApplicable(
      'The pages that were read show no articles, and no shop or application that has news to tell.',
    )
  return fail(
    `No form to subscribe and no known mailing service was found on ${counted(pages.length, 'page')}. A newsletter is a way to visitors that does not depend on search engines or networks.`,
    `Put a form with one e-mail field, connected to a mailing service, ${atBottomOf(site)}.`,
    ...evidence,
  )
}

/** The links by which one writes, calls or books there, in the words of a fix. A number without a link gets no click. */
const telephone = 'your telephone number'

function waysOf(site: Site): readonly string[] {
  const { pages } = site
  return [
    ...(pages.some((page) => linksWith(page, /^\s*tel:/i)) ? [telephone] : []),
    ...(pages.some((page) => linksWith(page, /^\s*mailto:/i)) ? ['your e-mail address'] : []),
    ...(pages.some((page) => findMessenger(page) !== undefined) ? ['your links to messengers'] : []),
    ...(linksToKind(site, 'booking').length > 0 ? ['your links to booking'] : []),
  ]
}

function linksWith({ elements }: Page, scheme: RegExp): boolean {
  return elements.some(
    ({ name, node }) => name === 'a' && scheme.test(attributeOf(node, 'href').slice(0, 20)),
  )
}

/** A promise that a service for analytics would break. */
const tracksNobody =
  /\b(?:no|zero|without) (?:ads?|cookies|analytics)(?:,| and| or|\s&) (?:no )?(?:ads?|track(?:ers|ing)|cookies|analytics)\b|\b(?:no|zero) track(?:ers|ing)\b|\bwe (?:do not|don['’]t|never) track\b/i

export function judgeTags({ services, leads }: Signals, site: Site): Outcome {
  const { pages, origin } = site
  const tags = services.filter(({ kinds }) =>
    kinds.some((kind) => ['crm', 'analytics', 'tag-manager'].includes(kind)),
  )
  if (tags.length > 0 && tags.every(({ name }) => name === 'Google Analytics') && hasOldAccount(pages))
    return unmeasured(
      'The account of Google Analytics on the pages is of Universal Analytics, which counts nothing since July 2023. Whether a newer account takes its visits was not seen.',
    )
  if (tags.length > 0) {
    const names = listed(tags.slice(0, 5).map(({ name }) => name))
    return pass(`Visits are counted with ${names}.`, ...quoted(tags.map(({ evidence }) => evidence)))
  }
  const stores = services.filter(({ kinds }) =>
    kinds.some((kind) => /^(?:form|form-store|chat|helpdesk)$/.test(kind)),
  )
  const retired = services.find(({ kinds }) => kinds.includes('retired-analytics'))
  // Enquiries still arrive, so a dead counter of visits is the lesser fault.
  if (stores.length > 0 && retired !== undefined) return deadCount(warn, retired.evidence)
  if (stores.length > 0) {
    const names = listed(stores.slice(0, 5).map(({ name }) => name))
    return pass(
      `What visitors send is kept with ${names}.`,
      ...quoted(stores.map(({ evidence }) => evidence)),
    )
  }
  const widget = widgetForContact(site)
  if (widget !== undefined)
    return unmeasured(`Whether enquiries are kept is not known: ${widget.reason}. Scripts are not run here.`)
  if (kindOfSite(site) !== 'business')
    return notApplicable(`${whyNoBusiness(site)}. A record of visits is asked of businesses only.`)
  if (pages.some(({ text }) => tracksNobody.test(text)))
    return notApplicable('The site says that it does not track its visitors.')
  const unread = unreadPlace(site, 'contact')
  if (unread !== undefined)
    return unmeasured(`Whether enquiries are kept by a service is not known: ${unread.reason}.`)
  const own = ownCounter(pages)
  if (own !== undefined)
    return unmeasured(
      `By its name, the script ${own} counts visits. Scripts are not run here, so whether it does is not known.`,
    )
  if (retired !== undefined) return deadCount(fail, retired.evidence)
  const hasForm = leads.how === 'form' && silentFormsOf(site).length === 0
  const ways = waysOf(site)
  const open = openFormService(pages)
  const known = open === undefined ? 'contact, form, analytics or tag' : 'contact, analytics or tag'
  return fail(
    `${open === undefined ? '' : `A form is addressed to ${open}, without an account there. `}None of the known ${known} services was found on ${counted(pages.length, 'page')}. Such a service shows ${hasForm ? 'when someone has written, so that a follow-up can start' : ways.length > 0 ? `which visits end in ${ways.includes(telephone) ? 'a call or a message' : 'a message'}` : 'which pages are read and where their readers come from'}.`,
    hasForm
      ? 'Have each form that is sent counted or filed by a service of your choice, so that none is overlooked.'
      : ways.length > 0
        ? `Have clicks on ${listed(ways)} counted by a service of your choice.`
        : 'Have visits counted by a service of your choice.',
    { url: pages[0]?.url ?? `${origin}/`, value: `no known service on ${counted(pages.length, 'page')}` },
  )
}

function deadCount(judge: typeof fail, evidence: Evidence): Outcome {
  return judge(
    'Visits are not counted any more: the script of Universal Analytics is loaded, of which Google has processed nothing since July 2023.',
    `Take the old script of Google Analytics out of each page that has it, beginning with ${shown(evidence.url)}. If you want visits counted, add a service of your choice in its place.`,
    evidence,
  )
}

/** The service that a form is sent to, where the template's word stands in place of an account: "formspree.io/f/YOUR_ID". */
function openFormService(pages: readonly Page[]): string | undefined {
  const target = pages
    .flatMap(({ elements }) => elements)
    .filter(({ name, isHidden }) => name === 'form' && !isHidden)
    .map(({ node }) => attributeOf(node, 'action'))
    .find((action) => /^https:\/\//i.test(action) && isTemplateTarget(action))
  const host = target === undefined ? undefined : URL.parse(target)?.host
  return host === undefined ? undefined : shown(host, 60)
}

/** "UA-123456-1", and none of the newer "G-XXXXXXX". */
function hasOldAccount(pages: readonly Page[]): boolean {
  const bodies = pages.map(({ reply }) => reply.body)
  return (
    bodies.some((body) => /\bUA-\d{4,12}-\d/.test(body)) &&
    !bodies.some((body) => /\bG-[A-Z0-9]{6,12}\b/.test(body))
  )
}

/** The address of a script of the site itself that is named for what it counts. */
function ownCounter(pages: readonly Page[]): string | undefined {
  const address = pages
    .flatMap(({ $ }) => $('script[src]').toArray())
    .map(({ attribs }) => attribs.src?.trim() ?? '')
    .find((src) =>
      /(?:^|[/_.-])(?:analytics|tracker|tracking|page-?views?|visits)[\w.-]*\.m?js(?:\?|$)/i.test(src),
    )
  return address === undefined ? undefined : shown(address, 100)
}
