import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../findings/check.ts'
import { counted, listed } from '../findings/share.ts'
import { fewestPairs } from '../signals/answer-signals.ts'
import { alternatives } from '../signals/automation-rule.ts'
import { fewestAmounts } from '../signals/contact-signals.ts'
import type { Signals } from '../signals/signals.ts'
import { shown } from '../site/addresses.ts'
import { pagesOfKind } from '../site/page-kinds.ts'
import type { Site } from '../site/site.ts'
import { type Agent, bySignals } from './agent.ts'

/**
 * Whether what visitors want can be done without a person in between. It reads the signals that also give
 * the list of opportunities; a judgement of its own would sooner or later contradict that list.
 */
export const workflowAutomation: Agent = {
  id: 'workflow-automation',
  name: 'Workflow automation',
  checks: [
    { id: 'lead-capture', title: 'Enquiries arrive through a form', weight: 3, run: bySignals(judgeLeads) },
    { id: 'booking', title: 'Appointments can be booked online', weight: 3, run: bySignals(judgeBooking) },
    { id: 'pricing', title: 'Prices are published', weight: 3, run: bySignals(judgePricing) },
    { id: 'support', title: 'Questions have a place to go', weight: 2, run: bySignals(judgeSupport) },
    { id: 'faq', title: 'Common questions are answered', weight: 2, run: bySignals(judgeFaq) },
    { id: 'commerce', title: 'Goods can be ordered online', weight: 2, run: bySignals(judgeCommerce) },
    { id: 'integrations', title: 'Other software can connect', weight: 2, run: bySignals(judgeIntegrations) },
    { id: 'newsletter', title: 'Visitors can subscribe', weight: 1, run: bySignals(judgeNewsletter) },
    { id: 'crm-tags', title: 'Visits are recorded for follow-up', weight: 1, run: bySignals(judgeTags) },
    { id: 'hiring', title: 'Applications arrive through a form', weight: 1, run: bySignals(judgeHiring) },
  ],
}

function judgeLeads({ leads }: Signals, { origin, pages }: Site): Outcome {
  const seen = quoted(leads.evidence)
  const fix = `Put a form with name, e-mail address and message on ${origin}/contact and let it write into the system where you keep enquiries.`
  switch (leads.how) {
    case 'unknown':
      return notRead('how enquiries are taken', leads.evidence)
    case 'form':
      return pass('Enquiries are taken through a form, which an agent can fill in.', ...seen)
    case 'mailto':
      return warn(
        `Enquiries are taken by e-mail${leads.phone ? ' and telephone' : ''}, and no form for them was found. Mail usually has to be typed over by hand, and an agent has no fields to fill in.`,
        fix,
        ...seen,
      )
    case 'phone':
      return warn(
        'A telephone number was found, and no form or e-mail address, so an agent that works in writing has no way to make an enquiry.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        `No enquiry form, e-mail address or telephone number was found on ${counted(pages.length, 'page')}.`,
        fix,
        ...seen,
      )
  }
}

function judgeBooking({ booking }: Signals, { origin, pages }: Site): Outcome {
  const seen = quoted(booking.evidence)
  const fix = `Link a booking service with your free times from ${origin}/, or put a form with a date on ${origin}/book.`
  switch (booking.how) {
    case 'unknown':
      return notRead('how appointments are booked', booking.evidence)
    case 'absent':
      return notApplicable('Nothing on the pages that were read speaks of appointments or reservations.')
    case 'scheduler':
      return pass('Appointments can be booked through a scheduling service.', ...seen)
    case 'form':
      return pass('Appointments can be requested through a form.', ...seen)
    case 'contact':
      return warn(
        `The site speaks of appointments, and they can be asked for by ${alternatives(booking.ways)}; no free times are shown.`,
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        `The site speaks of appointments, and no booking service, form, e-mail address or telephone number was found on ${counted(pages.length, 'page')}.`,
        fix,
        ...seen,
      )
  }
}

function judgePricing({ pricing }: Signals, { origin, pages }: Site): Outcome {
  const seen = quoted(pricing.evidence)
  const fix = `Publish at least starting prices with their currency on ${origin}/pricing, as text.`
  switch (pricing.how) {
    case 'unknown':
      return notRead('what is asked for', pricing.evidence)
    case 'amounts':
      return pass('Prices are published with their currency, so they can be compared.', ...seen)
    case 'on-request':
      return warn(
        'Prices are told on request only. An agent that compares offers leaves out those without a figure.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        `No amount with a currency was found on ${counted(pages.length, 'page')}, so an agent that compares offers has no figure for this one.`,
        fix,
        ...seen,
      )
    case 'few':
      return fail(
        `No list of prices was found on ${counted(pages.length, 'page')}: amounts with a currency stand there, but fewer than ${fewestAmounts} on one page, and none on a page of prices or a menu. An agent cannot tell which of them are prices.`,
        fix,
        ...seen,
      )
  }
}

function judgeSupport({ support }: Signals, { pages }: Site): Outcome {
  if (support.how === 'unknown') return notRead('how questions are answered', support.evidence)
  const seen = quoted(support.evidence)
  if (support.how === 'service') return pass('Questions go to a chat or helpdesk service.', ...seen)
  if (support.how === 'pages')
    return pass('There are pages with answers: help, common questions or documentation.', ...seen)
  const mailbox = support.mailbox ? quoted([support.mailbox]) : []
  return fail(
    `No known chat or helpdesk service, help centre, FAQ page or documentation was found on ${counted(pages.length, 'page')} or in the links there. Agents look for them to find answers to pass on.`,
    'Start pages of help with the ten questions you answer most, or add a helpdesk widget, and link it from the footer.',
    ...mailbox,
    ...seen,
  )
}

function judgeFaq({ faq }: Signals, site: Site): Outcome {
  if (faq.how === 'unknown') return notRead('which questions are answered', faq.evidence)
  const seen = quoted(faq.evidence)
  if (faq.how === 'pairs') {
    return pass(`One page answers ${faq.pairs} questions, so the answers can be quoted.`, ...seen)
  }
  const found =
    faq.pairs === 0
      ? `No question with its answer was found on ${counted(site.pages.length, 'page')}`
      : `The most that one page answers ${faq.pairs === 1 ? 'is 1 question' : `are ${faq.pairs} questions`}`
  const place = pagesOfKind(site, 'faq')[0]?.url ?? (faq.pairs > 0 ? faq.evidence[0]?.url : undefined)
  return fail(
    `${found}; at least ${fewestPairs} on one page are needed. Answer engines quote such pairs, and what stands there need not be asked.`,
    `Write down at least ${fewestPairs} questions with their answers on ${shown(place ?? `${site.origin}/faq`)}.`,
    ...seen,
  )
}

function judgeCommerce({ shop }: Signals, { pages }: Site): Outcome {
  const seen = quoted(shop.evidence)
  switch (shop.how) {
    case 'unknown':
      return notRead('whether goods are sold', shop.evidence)
    case 'absent':
      return notApplicable('The site offers no goods for sale.')
    case 'shop':
      return pass('Orders can be placed online.', ...seen)
    case 'offers':
      return pass('Goods are offered with their prices in the markup.', ...seen)
    case 'goods':
      return fail(
        `The site shows goods, and no cart, checkout or offer with a price was found on ${counted(pages.length, 'page')}. An agent that buys for somebody looks for one of them.`,
        'Add a cart or a payment link to each product page, and an Offer with price and priceCurrency to its Product markup.',
        ...seen,
      )
  }
}

function judgeIntegrations({ api, shop }: Signals, { origin, profile, pages }: Site): Outcome {
  if (api.integrations)
    return pass('A page tells how other software can connect.', ...quoted([api.integrations]))
  const isShop = profile.shop || shop.how === 'shop'
  if (!profile.api && (!profile.app || isShop)) {
    return notApplicable('The site shows no API and no application whose records other software would fetch.')
  }
  return fail(
    `No page about an API, documentation, integrations or a connection service such as Zapier was found among the links of ${counted(pages.length, 'page')}. Agents look there for how to exchange records with a product.`,
    `Describe how to connect, through an API or a service such as Zapier, on ${origin}/integrations.`,
    ...quoted(api.evidence),
  )
}

function judgeNewsletter({ newsletter }: Signals, { pages }: Site): Outcome {
  if (newsletter.how === 'unknown') return notRead('whether one can subscribe', newsletter.evidence)
  const seen = quoted(newsletter.evidence)
  if (newsletter.how !== 'none') return pass('Visitors can subscribe to news.', ...seen)
  return fail(
    `No form to subscribe and no known mailing service was found on ${counted(pages.length, 'page')}. A newsletter is a way to visitors that does not depend on search engines or networks.`,
    'Put a form with one e-mail field, connected to a mailing service, into the footer.',
    ...seen,
  )
}

function judgeTags({ services }: Signals, { pages, origin }: Site): Outcome {
  const found = services.filter(({ kinds }) =>
    kinds.some((kind) => ['crm', 'analytics', 'tag-manager'].includes(kind)),
  )
  if (found.length > 0) {
    const names = listed(found.slice(0, 5).map(({ name }) => name))
    return pass(`Visits are recorded with ${names}.`, ...quoted(found.map(({ evidence }) => evidence)))
  }
  return fail(
    `None of the known customer, analytics or tag services was found on ${counted(pages.length, 'page')}; such a service gives the events that start a follow-up.`,
    'Add one analytics or customer service of your choice, and send it an event for each form that is sent.',
    { url: pages[0]?.url ?? `${origin}/`, value: `no known service on ${counted(pages.length, 'page')}` },
  )
}

function judgeHiring({ hiring }: Signals): Outcome {
  const seen = quoted(hiring.evidence)
  const fix =
    'Take applications through a form with the questions you ask everybody, or through a job board with one.'
  switch (hiring.how) {
    case 'unknown':
      return notRead('how applications are taken', hiring.evidence)
    case 'absent':
      return notApplicable('The site has no page about jobs.')
    case 'form':
      return pass('Applications arrive through a form.', ...seen)
    case 'service':
      return pass('Applications arrive through a hiring service.', ...seen)
    case 'mailto':
      return warn(
        'The page about jobs gives an e-mail address and no form or job board. Mail usually has to be filed and compared by hand.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        'No form, job board or e-mail address to apply with was found on the page about jobs.',
        fix,
        ...seen,
      )
  }
}

function notRead(what: string, evidence: readonly Evidence[]): Outcome {
  const [page] = evidence
  const why = page
    ? `${shown(page.url)} is linked and was not read`
    : 'the pages that would show it were not read'
  return unmeasured(`It is not known ${what}: ${why}.`)
}

function quoted(evidence: readonly Evidence[]): Evidence[] {
  return evidence.slice(0, 5).map(({ url, value }) => ({ url, value: shown(value) }))
}
