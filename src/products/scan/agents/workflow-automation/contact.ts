import { asking, fail, notApplicable, type Outcome, pass, warn } from '../../findings/check.ts'
import { asksConsent } from '../../findings/forms/consent.ts'
import { mailFormsOf } from '../../findings/forms/mail-forms.ts'
import { pagesOfForms, silentFormsOf } from '../../findings/forms/silent-forms.ts'
import { unopenedFormsOf } from '../../findings/forms/unopened-forms.ts'
import { runsNoPrograms } from '../../findings/hosting.ts'
import { scriptWithPrices } from '../../findings/scripted/scripted-parts.ts'
import { counted, listed } from '../../findings/share.ts'
import { alternatives } from '../../signals/automation-rule.ts'
import { findMessenger } from '../../signals/contact/messengers.ts'
import { minAmounts } from '../../signals/offers/prices.ts'
import { languageOf } from '../../signals/page-language.ts'
import type { Signals } from '../../signals/signals.ts'
import { isPrivate, kindOfSite, whyNoBusiness } from '../../signals/site-kind/site-kind.ts'
import { absolute, isSameSite, pathOf, shown, shownInQuotes } from '../../site/addresses.ts'
import { pricesIn } from '../../site/amounts.ts'
import { homeAddress } from '../../site/below-home.ts'
import { sampleMailsOf } from '../../site/contact/mail-addresses.ts'
import { inMenuOf } from '../../site/contact/menus.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { type Form, formsOf, isEntry, leftInForm } from '../../site/html/forms.ts'
import { around } from '../../site/html/visible-text.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import type { PageKind } from '../../site/kinds/page-kinds.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import { commentsInVain, formsThatSendNothing, namelessFields } from './forms-in-vain.ts'
import { notRead, quoted } from './quotes.ts'

/** The checks of how people reach the business: enquiries, appointments, prices and applications. */
export function judgeLeads(signals: Signals, site: Site): Outcome {
  const { leads } = signals
  const { pages } = site
  const silent = silentFormsOf(site).filter(({ use }) => use !== 'newsletter')
  if (silent.some(({ use }) => use !== 'comment')) return formsThatSendNothing(silent)
  // A business without a form for enquiries is asked for one, which has more weight.
  if (silent.length > 0 && leads.how === 'form') return commentsInVain(silent)
  if (leads.how !== 'form' && leads.how !== 'unknown') {
    const [unfinished] = pages.flatMap(formsOf).filter(({ use }) => use === 'unfinished')
    if (unfinished) return unfinishedForm(unfinished)
    const [mute] = pages.flatMap(formsOf).filter(({ use }) => use === 'no-reply')
    if (mute) return formWithoutReply(mute)
    const [lost] = pages.flatMap((page) => sampleMailsOf(page).linked.map((address) => ({ page, address })))
    if (lost) return mailToTemplate(lost)
    if (isPrivate(kindOfSite(site)))
      return notApplicable(`${whyNoBusiness(site)}. A form for enquiries is not expected of it.`)
  }
  const closed = unopenedFormsOf(site)
  const asked = pages.flatMap(formsOf).find(({ use, node }) => use === 'booking' && !closed.has(node))
  if (leads.how !== 'form' && leads.how !== 'unknown' && asked !== undefined)
    return pass(
      'Enquiries can be made through the form for appointments. Whether they arrive was not tried.',
      {
        url: asked.page.url,
        value: shown(asked.label),
      },
    )
  // Those of a hall where an event took place, or of a person in an article.
  const hasOthers = pages.some(({ phones }) => phones.length > 0)
  const evidence = quoted(leads.evidence)
  const fix = [
    `Put a form with name, e-mail address and message ${pageOf(site, 'contact')}, and let each enquiry reach an address that you read.`,
    ...inEachLanguage(site, 'contact'),
    `${consentOrder} Is there no such notice yet? Then that comes first.`,
  ].join(' ')
  switch (leads.how) {
    case 'unknown':
      return notRead('how enquiries are taken', leads.evidence)
    case 'form': {
      const mailForms = mailFormsOf(site)
      if (mailForms.length > 0) return openMailProgram(mailForms)
      return pass(
        'Enquiries are taken through a form, which an agent can fill in. Whether they arrive was not tried.',
        ...evidence,
      )
    }
    case 'mailto': {
      const mailForms = pages.flatMap(formsOf).filter(isMailForm)
      if (mailForms.length > 0) return openMailProgram(mailForms)
      return warn(
        `Enquiries are taken by ${listed(['e-mail', ...(leads.phone ? ['telephone'] : []), ...(pages.some((page) => findMessenger(page) !== undefined) ? ['messenger'] : [])])}, and the HTML has no form that sends them. Mail usually has to be typed over by hand, and an agent has no fields to fill in.`,
        fix,
        ...evidence,
      )
    }
    case 'messenger':
      return warn(
        'Enquiries are taken in a messenger, and no form for them and no e-mail address were found on the pages. An agent needs an account there to write, and what arrives usually has to be typed over by hand.',
        fix,
        ...evidence,
      )
    case 'phone':
      return warn(
        'The HTML of the pages shows a telephone number, and no form or e-mail address. An agent that works in writing has no way to make an enquiry. If a script or a frame adds a form, most agents do not see it either.',
        fix,
        ...evidence,
      )
    case 'none': {
      const [left] = pages.flatMap((page) =>
        sampleMailsOf(page).shown.map((address) => ({ url: page.url, value: address })),
      )
      return fail(
        `No enquiry form, e-mail address or telephone number${hasOthers ? ' of its own' : ''} was found on ${counted(pages.length, 'page')}${left ? ', only the address of a template' : ''}.`,
        left ? `Write your own address on ${shown(left.url)} in place of ${shown(left.value)}. ${fix}` : fix,
        ...(left ? [left] : evidence),
      )
    }
  }
}

function isMailForm({ node, use }: Form): boolean {
  return use === 'other' && isMailAddress(attributeOf(node, 'action'))
}

function isMailAddress(action: string): boolean {
  return /^\s*mailto:/i.test(action)
}

/** By their address or by their script. */
function openMailProgram(forms: readonly Form[]): Outcome {
  const isOne = forms.length === 1
  const service = forms.every(({ page }) => runsNoPrograms(page.reply))
    ? 'a form service'
    : 'an address of your server or to a form service'
  const isConsentAsked = !forms.every(asksConsent)
  const found = warn(
    `${isOne ? 'The form for enquiries sends nothing itself: it opens' : `${forms.length} forms for enquiries send nothing themselves: they open`} the mail program of the visitor. An agent has none, and mail usually has to be typed over by hand.`,
    `Send ${isOne ? 'the form' : 'each form'} on ${pagesOfForms(forms)} to ${service}, in place of the visitor's mail program.${isConsentAsked ? ` ${consentOrder}` : ''}`,
    ...forms.slice(0, 5).map(({ page, node, label }) => ({
      url: page.url,
      value: `${shown(label)} opens ${isMailAddress(attributeOf(node, 'action')) ? shown(attributeOf(node, 'action'), 80) : 'the mail program by a script'}`,
    })),
  )
  return asking(found, { kind: 'mail-forms', isConsentAsked })
}

const consentOrder = 'Give it the consent and the link to the privacy notice that the law asks for.'

function unfinishedForm(form: Form): Outcome {
  const { page, node } = form
  const left = shown(leftInForm(node, page) ?? '')
  const action = absolute(attributeOf(node, 'action'), page.url)
  const found = fail(
    'The form for enquiries is sent with a placeholder of its template, so no message arrives.',
    `Replace the placeholder in the form on ${shown(page.url)}, ${left}, with your own identifier or address.`,
    { url: page.url, value: `<form> with ${left}` },
    ...namelessFields(form),
  )
  return asking(found, {
    kind: 'finish-form',
    isServiceNamed: action !== undefined && !isSameSite(action, page.url),
    isConsentAsked: !asksConsent(form),
  })
}

function mailToTemplate({ page, address }: { readonly page: Page; readonly address: string }): Outcome {
  return fail(
    'A link for mail leads to the address of its template, so what visitors write there is lost.',
    `Write your own address into the link to ${shown(address)} on ${shown(page.url)}.`,
    { url: page.url, value: `mailto:${shown(address)}` },
  )
}

/** A second form beside it would leave visitors to guess which one is read. */
function formWithoutReply({ node, page, label }: Form): Outcome {
  const isUnsent = page.elements.some(
    (element) => element.form === node && isEntry(element) && attributeOf(element.node, 'name') === '',
  )
  return warn(
    'The form for enquiries has no field for a message, an e-mail address or a telephone number. Who uses it gets no answer.',
    `Add a field for the e-mail address and one for the message to the form on ${shown(page.url)}. ${isUnsent ? 'Give each field a name attribute: of a field without one nothing is sent.' : 'Leave its other fields as they are.'}`,
    { url: page.url, value: label },
  )
}

export function judgeBooking({ booking }: Signals, site: Site): Outcome {
  const { pages } = site
  const evidence = quoted(booking.evidence)
  const silent = silentFormsOf(site).filter(({ use }) => use === 'booking')
  const others = pages
    .flatMap(formsOf)
    .filter(({ use, node }) => use === 'booking' && !silent.some((one) => one.node === node))
  if (silent.length > 0 && /^(?:absent|contact|none|form)$/.test(booking.how) && others.length === 0)
    return formsThatSendNothing(silent)
  const form = formForBooking(site)
  const fix = `Link a booking service with your free times from ${shown(homeAddress(site))}, or ${form === undefined ? `put a form with a date ${pageOf(site, 'booking')}` : `add fields for the day and the time to the form on ${shown(form.page.url)}`}.`
  switch (booking.how) {
    case 'unknown':
      return notRead('how appointments are booked', booking.evidence)
    case 'absent':
      return notApplicable(
        'No words about appointments or reservations were found on the pages that were read.',
      )
    case 'scheduler':
      return pass(
        `Appointments can be booked through a scheduling service that the HTML embeds or links (${shown(booking.evidence[0]?.value ?? '', 80)}).`,
        ...evidence,
      )
    case 'form':
      return pass('Appointments can be requested through a form.', ...evidence)
    case 'contact':
      return warn(
        `The site speaks of appointments or reservations. The site can be reached by ${alternatives(booking.ways)}. ${unseenBooking}`,
        fix,
        ...evidence,
      )
    case 'none':
      return fail(
        `The site speaks of appointments or reservations. No form, e-mail address or telephone number was found on ${counted(pages.length, 'page')}. ${unseenBooking}`,
        fix,
        ...evidence,
      )
  }
}

/** The form for enquiries that could take the day: one that is called so, or that of the page for booking where there is one. */
function formForBooking(site: Site): Form | undefined {
  const forms = site.pages.flatMap(formsOf).filter(({ use }) => use === 'lead')
  const called = forms.find(({ node, page }) =>
    page.elements.some(
      (element) =>
        (element.form === node || around(element.node).includes(node)) &&
        /^(?:button|h[1-6]|legend)$/.test(element.name) &&
        isTextOfKind(spokenText(element.node, 100), 'booking'),
    ),
  )
  if (called !== undefined) return called
  const ofBooking = pagesOfKind(site, 'booking')
  return ofBooking.length === 0 ? forms[0] : forms.find(({ page }) => ofBooking.includes(page))
}

/** A script may add one in the browser. The owner knows it, and must not read that there is none. */
const unseenBooking = 'We saw no booking in the HTML. If a script adds it, most agents do not see it either.'

export function judgePricing({ pricing }: Signals, site: Site): Outcome {
  const { pages } = site
  const evidence = quoted(pricing.evidence)
  const fix = `Publish at least starting prices with their currency ${pageOf(site, 'pricing')}, as text, where the rules of your trade allow it.`
  const script = pricing.how === 'none' || pricing.how === 'few' ? scriptWithPrices(site) : undefined
  if (script !== undefined)
    return fail(
      `In the HTML as sent no list of prices was found on ${counted(pages.length, 'page')}. The prices stand in ${script.name}, which writes them into the page, where agents that run no scripts do not see them.`,
      `Write the prices of ${script.name} into the HTML ${pageOf(site, 'pricing')} as well, on the server or at build time.`,
      { url: script.url, value: 'prices in a script' },
    )
  if ((pricing.how === 'on-request' || pricing.how === 'none') && isContingent(site))
    return notApplicable(
      'The pages say that nothing is paid unless the case is won, so there is no price to publish.',
    )
  switch (pricing.how) {
    case 'unknown':
      return notRead('what is asked for', pricing.evidence)
    case 'absent':
      return notApplicable(`${whyNoBusiness(site)}. A list of prices is asked of businesses only.`)
    case 'amounts':
      return pass('Prices are published with their currency, so they can be compared.', ...evidence)
    case 'on-request':
      return warn(
        hasAmounts(site)
          ? `The site says that prices are told on request, and no list of prices was found on ${counted(pages.length, 'page')}. An agent that compares offers looks for one.`
          : 'Prices are told on request only. An agent that compares offers leaves out those without a figure.',
        fix,
        ...evidence,
      )
    case 'none':
      return fail(
        `No price was found on ${counted(pages.length, 'page')}${amountSeen(site)}. An agent that compares offers has no figure for this one.`,
        fix,
        ...evidence,
      )
    case 'few':
      return fail(
        `No list of prices was found on ${counted(pages.length, 'page')}. Amounts with a currency stand there, but fewer than ${minAmounts} on one page, and none on a page of prices or a menu. An agent that compares offers looks for a list.`,
        fix,
        ...evidence,
      )
  }
}

/** Lawyers who are paid by a share of what they win. */
function isContingent({ pages }: Site): boolean {
  return pages.some(({ text }) => contingency.test(text.slice(0, 100_000)))
}

const contingency =
  /(?<!\p{L})(?:no fees? unless (?:we|you) win|(?:you )?pay nothing unless|contingency (?:fee|representation|basis)|no win,? no fee)(?!\p{L})/iu

/** What was seen of amounts: a free first visit, or a sum in an article. */
function amountSeen({ pages }: Site): string {
  for (const { url, text } of pages) {
    const [amount] = pricesIn(text, 1)
    if (amount !== undefined)
      return `; the amount "${shownInQuotes(amount, 40)}" on ${shown(url)} was not taken for one`
  }
  return ''
}

function hasAmounts({ pages }: Site): boolean {
  return pages.some(({ text }) => pricesIn(text, 1).length > 0)
}

/** `on https://…/kontakt`: where the site has such a page. Else it gets one, under a name in its own language. */
function pageOf(site: Site, kind: PageKind): string {
  const page = pageFor(site, kind)
  return page === undefined ? `on a page ${inMenuOf(site)}` : `on ${shown(page.url)}`
}

/** The page of the kind, in the language of the home page where there is one. */
function pageFor(site: Site, kind: PageKind): Page | undefined {
  const notices = new Set((['privacy', 'terms'] as const).flatMap((one) => pagesOfKind(site, one)))
  const found = pagesOfKind(site, kind).filter((one) => !notices.has(one))
  const page = found.find((one) => isInLanguageOf(one, site)) ?? found[0]
  // Of a site whose language has no words here, those of another language were known.
  return page !== undefined && !isInLanguageOf(page, site) && isLanguageFolder.test(pathOf(page.url))
    ? site.home
    : page
}

/** The order that follows one for a page that was only found in another language than that of the home page. */
function inEachLanguage(site: Site, kind: PageKind): readonly string[] {
  const found = pagesOfKind(site, kind)
  const isOther = found.length > 0 && found.every((one) => !isInLanguageOf(one, site))
  return isOther ? ['Do the same on that page in each language of your site.'] : []
}

function isInLanguageOf(page: Page, { home }: Site): boolean {
  const [own, other] = [home, page].map((one) => one && languageOf(one).code)
  return own === undefined || other === undefined || own === other
}

/** The home page in another language: `/en/`. */
const isLanguageFolder = /^\/[a-z]{2}(?:-[a-z]{2})?\/?$/i

export function judgeHiring({ hiring }: Signals): Outcome {
  const evidence = quoted(hiring.evidence)
  const fix =
    'Take applications through a form with the questions you ask everybody, or through a job board with one.'
  switch (hiring.how) {
    case 'unknown':
      return notRead('how applications are taken', hiring.evidence)
    case 'absent':
      return notApplicable('No page about jobs was found that says something about them.')
    case 'form':
      return pass('Applications arrive through a form.', ...evidence)
    case 'service':
      return pass('Applications arrive through a hiring service.', ...evidence)
    case 'mailto':
      return warn(
        'The page about jobs gives an e-mail address and no form or job board. Mail usually has to be filed and compared by hand.',
        fix,
        ...evidence,
      )
    case 'none':
      return fail(
        'No form, job board or e-mail address to apply with was found on the page about jobs.',
        fix,
        ...evidence,
      )
  }
}
