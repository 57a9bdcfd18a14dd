import { shown } from '../addresses.ts'
import { fewestPairs } from '../answer-signals.ts'
import type { Evidence } from '../check.ts'
import { type Agent, fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../check.ts'
import { sparingShells } from '../shell.ts'
import { readSignals, type Signals } from '../signals.ts'
import type { Site } from '../site.ts'
import { needsPages } from './needs.ts'
import { counted, listed } from './share.ts'

/**
 * Whether what visitors want can be done without a person in between. It reads the signals that also give
 * the list of opportunities; a judgement of its own would sooner or later contradict that list.
 */
export const workflowAutomation: Agent = {
  id: 'workflow-automation',
  name: 'Workflow automation',
  checks: [
    { id: 'lead-capture', title: 'Enquiries arrive through a form', weight: 3, run: reading(judgeLeads) },
    { id: 'booking', title: 'Appointments can be booked online', weight: 3, run: reading(judgeBooking) },
    { id: 'pricing', title: 'Prices are published', weight: 3, run: reading(judgePricing) },
    { id: 'support', title: 'Questions have a place to go', weight: 2, run: reading(judgeSupport) },
    { id: 'faq', title: 'Common questions are answered', weight: 2, run: reading(judgeFaq) },
    { id: 'commerce', title: 'Goods can be ordered online', weight: 2, run: reading(judgeCommerce) },
    { id: 'integrations', title: 'Other software can connect', weight: 2, run: reading(judgeIntegrations) },
    { id: 'newsletter', title: 'Visitors can subscribe', weight: 1, run: reading(judgeNewsletter) },
    { id: 'crm-tags', title: 'Visits are recorded for follow-up', weight: 1, run: reading(judgeTags) },
    { id: 'hiring', title: 'Applications arrive through a form', weight: 1, run: reading(judgeHiring) },
  ],
}

/** Without a page there is no signal, and everything would look as if it were missing. */
function reading(judge: (signals: Signals, site: Site) => Outcome): (site: Site) => Outcome {
  return sparingShells(needsPages((_pages, site) => judge(readSignals(site), site)))
}

function judgeLeads({ leads }: Signals, { origin }: Site): Outcome {
  const seen = quoted(leads.evidence)
  const fix = `Put a form with name, e-mail address and message on ${origin}/contact and let it write into the system where you keep enquiries.`
  switch (leads.how) {
    case 'unknown':
      return notRead('how enquiries are taken', leads.evidence)
    case 'form':
      return pass('Enquiries are taken through a form, which an agent can fill in.', ...seen)
    case 'mailto':
      return warn(
        'Enquiries are taken by e-mail only. Somebody types each one over by hand, and an agent has no fields to fill in.',
        fix,
        ...seen,
      )
    case 'phone':
      return warn(
        'Enquiries are taken by telephone only, so an agent that works in writing cannot make one.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        'No form, e-mail address or telephone number was found, so neither people nor agents can make an enquiry.',
        fix,
        ...seen,
      )
  }
}

function judgeBooking({ booking }: Signals, { origin }: Site): Outcome {
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
    case 'phone':
      return warn(
        'The site speaks of appointments, and they can be booked by telephone only: each one needs a call.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        'The site speaks of appointments and gives no way to book one, not even a telephone number.',
        fix,
        ...seen,
      )
  }
}

function judgePricing({ pricing }: Signals, { origin }: Site): Outcome {
  const seen = quoted(pricing.evidence)
  const fix = `Publish at least starting prices with their currency on ${origin}/pricing, as text.`
  switch (pricing.how) {
    case 'unknown':
      return notRead('what is asked for', pricing.evidence)
    case 'amounts':
      return pass('Prices are published with their currency, so buyers and agents can compare.', ...seen)
    case 'on-request':
      return warn(
        'Prices are told on request only. An agent that compares offers leaves out those without a figure.',
        fix,
        ...seen,
      )
    case 'none':
      return fail(
        'No price with a currency was found, so buyers and agents cannot compare this offer with others.',
        fix,
        ...seen,
      )
  }
}

function judgeSupport({ support }: Signals): Outcome {
  if (support.how === 'unknown') return notRead('how questions are answered', support.evidence)
  const seen = quoted(support.evidence)
  if (support.how === 'service') return pass('Questions go to a chat or helpdesk service.', ...seen)
  if (support.how === 'pages') return pass('There are pages of help for questions.', ...seen)
  const mailbox = support.mailbox ? quoted([support.mailbox]) : []
  return fail(
    'No chat, helpdesk or pages of help were found. Every question reaches a person, and agents find no answers to pass on.',
    'Start pages of help with the ten questions you answer most, or add a helpdesk widget, and link it from the footer.',
    ...mailbox,
    ...seen,
  )
}

function judgeFaq({ faq }: Signals, { origin }: Site): Outcome {
  if (faq.how === 'unknown') return notRead('which questions are answered', faq.evidence)
  const seen = quoted(faq.evidence)
  if (faq.how === 'pairs') {
    return pass(
      `One page answers ${faq.pairs} questions, so answers can be quoted instead of asked for.`,
      ...seen,
    )
  }
  return fail(
    `${faq.pairs === 0 ? 'No question with its answer was found' : `${counted(faq.pairs, 'question')} with an answer ${faq.pairs === 1 ? 'was' : 'were'} found on one page`}; ${fewestPairs} are needed. The same questions have to be answered by hand again and again.`,
    `Write down at least ${fewestPairs} questions with their answers on ${origin}/faq.`,
    ...seen,
  )
}

function judgeCommerce({ shop }: Signals): Outcome {
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
        'The site shows goods, and no cart, checkout or offer with a price was found, so nobody can order without a person.',
        'Add a cart or a payment link to each product page, and an Offer with price and priceCurrency to its Product markup.',
        ...seen,
      )
  }
}

function judgeIntegrations({ api }: Signals, { origin, profile }: Site): Outcome {
  if (api.integrations)
    return pass('A page tells how other software can connect.', ...quoted([api.integrations]))
  if (!profile.api && !profile.app) {
    return notApplicable('A site of this kind holds no records that other software would fetch.')
  }
  return fail(
    'No page about an API, integrations or a connection service was found, so records leave this product by export only.',
    `Describe how to connect, through an API or a service such as Zapier, on ${origin}/integrations.`,
    ...quoted(api.evidence),
  )
}

function judgeNewsletter({ newsletter }: Signals): Outcome {
  if (newsletter.how === 'unknown') return notRead('whether one can subscribe', newsletter.evidence)
  const seen = quoted(newsletter.evidence)
  if (newsletter.how !== 'none') return pass('Visitors can subscribe to news.', ...seen)
  return fail(
    'No form to subscribe and no mailing service was found, so visitors who leave cannot be reached again.',
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
    'None of the known customer, analytics or tag services was found, so there are no events that could start a follow-up.',
    'Add one analytics or customer service of your choice, and send it an event for each form that is sent.',
    { url: pages[0]?.url ?? `${origin}/`, value: `no known service in ${counted(pages.length, 'page')}` },
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
        'Applications arrive by e-mail only, so each one is filed and compared by hand.',
        fix,
        ...seen,
      )
    case 'none':
      return fail('The page about jobs has no form, job board or e-mail address to apply with.', fix, ...seen)
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
