import { expect, test } from 'vitest'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, type Options, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

function run(id: string, entries: Entries, options: Options = {}) {
  const outcome = runCheck(workflowAutomation, id, site(entries, options))
  return { outcome, json: JSON.stringify(outcome) }
}

const at = 'https://site.example'
const page = (body: string) => ({ [`${at}/`]: `<title>Site Ltd</title><body>${body}` })
const linked = (path: string, text: string, body: string | undefined, home = '') => ({
  ...page(`<a href="${path}">${text}</a>${home}`),
  ...(body === undefined ? {} : { [`${at}${path}`]: `<body>${body}` }),
})
const lead =
  '<form id="write"><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form>'
const questions = (count: number) =>
  Array.from({ length: count }, (_, n) => `<h3>What about item ${n}?</h3><p>It is fine.</p>`).join('')
const jsonLd = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`

test.each<[string, string, Entries, string, string]>([
  ['a form for messages takes enquiries', 'lead-capture', page(lead), 'pass', 'write with 3 fields'],
  [
    'a form on the contact page takes enquiries',
    'lead-capture',
    linked('/contact', 'Contact', lead),
    'pass',
    '/contact',
  ],
  [
    'a form service in a frame takes enquiries',
    'lead-capture',
    page('<iframe src="https://acme.typeform.com/to/x"></iframe>'),
    'pass',
    'Typeform',
  ],
  [
    'enquiries by mail alone give a warning',
    'lead-capture',
    page('<a href="mailto:hello@site.example">Write</a>'),
    'warn',
    'hello@site.example',
  ],
  [
    'enquiries by telephone alone give a warning',
    'lead-capture',
    page('<a href="tel:+12175550142">Call</a>'),
    'warn',
    '+12175550142',
  ],
  [
    'search, login and newsletter forms do not take enquiries',
    'lead-capture',
    page(
      '<form role="search"><input name="q"></form><form><input type="email"><input type="password"></form><form>Newsletter <input type="email"></form>',
    ),
    'fail',
    'not found',
  ],
  [
    'a form of the contact page without a field to answer to is to be completed',
    'lead-capture',
    linked(
      '/contact',
      'Contact',
      '<a href="tel:+12175550142">Call</a><form id="ask" action="https://forms.example/x" method="POST"><input id="fullName" placeholder="Your full name"><select name="query"><option>Visit</option></select><button>Send</button></form>',
    ),
    'warn',
    'ask with 2 fields',
  ],
  [
    'lead-capture is unmeasured when a linked contact page was not read',
    'lead-capture',
    linked('/contact', 'Contact', undefined, '<a href="mailto:a@site.example">a</a>'),
    'unmeasured',
    '/contact',
  ],
  [
    'a linked scheduling service takes bookings',
    'booking',
    page('<a href="https://calendly.com/smith/visit">Book</a>'),
    'pass',
    'Calendly',
  ],
  [
    'a host whose name only ends like a scheduling service is not one',
    'booking',
    page('Book an appointment <a href="https://notcalendly.com/x">x</a>'),
    'fail',
    'Book an',
  ],
  [
    'a form that asks for a date takes bookings',
    'booking',
    page('<form id="visit"><input type="date" name="day"><input type="email"></form>'),
    'pass',
    'visit',
  ],
  [
    'appointments by telephone alone give a warning',
    'booking',
    page('<p>Call for an appointment</p><a href="tel:217-555-0142">217</a>'),
    'warn',
    '217-555-0142',
  ],
  [
    'appointments without any way to make one fail',
    'booking',
    page('<h2>Appointments on weekdays</h2>'),
    'fail',
    'Appointments',
  ],
  [
    'an embedded page of another host for booking takes bookings, whoever runs it',
    'booking',
    page('<h2>Appointments</h2><iframe src="https://praxis-tool.example/booking/42"></iframe>'),
    'pass',
    'embedded page, https://praxis-tool.example/booking/42',
  ],
  [
    'an embedded map is no booking',
    'booking',
    page('<h2>Book an appointment</h2><iframe src="https://maps.example/embed?q=1"></iframe>'),
    'fail',
    'We saw no booking in the HTML',
  ],
  ['a site without appointments needs no booking', 'booking', page('<p>We print books.</p>'), 'na', ''],
  [
    'booking is unmeasured when a linked booking page was not read',
    'booking',
    linked('/book', 'Book', undefined, '<a href="tel:1234567">1</a>'),
    'unmeasured',
    '/book',
  ],
  [
    'one amount on the price page counts as a price',
    'pricing',
    linked('/pricing', 'Pricing', '<p>From $49 a month</p>'),
    'pass',
    '$49',
  ],
  [
    'two amounts on the home page are not a price list',
    'pricing',
    page('<p>$5 and €6</p>'),
    'fail',
    '$5, €6',
  ],
  [
    'three amounts on the home page are a price list',
    'pricing',
    page('<p>$5 and €6 and 7 €</p>'),
    'pass',
    '$5, €6, 7 €',
  ],
  [
    'an Offer with a price in the markup counts as a price',
    'pricing',
    page(jsonLd({ '@type': 'Offer', price: 12, priceCurrency: 'EUR' })),
    'pass',
    '12 EUR',
  ],
  [
    'prices on request give a warning',
    'pricing',
    page('<p>Contact us for pricing today</p>'),
    'warn',
    'Contact us for pricing',
  ],
  [
    'pricing is unmeasured when a linked price page was not read',
    'pricing',
    linked('/pricing', 'Pricing', undefined, 'Contact sales'),
    'unmeasured',
    '/pricing',
  ],
  [
    'a chat service that an inline script loads is found',
    'support',
    page('<script>(function(){s.src="https:\\/\\/widget.intercom.io\\/widget\\/x"})()</script>'),
    'pass',
    'Intercom',
  ],
  [
    'a help center is a place for questions',
    'support',
    page('<a href="/help">Help center</a>'),
    'pass',
    '/help',
  ],
  [
    'a mailbox alone is not a place for questions',
    'support',
    page('support@site.example'),
    'fail',
    'support@site.example',
  ],
  ['three questions are not an FAQ', 'faq', page(questions(3)), 'fail', '3 questions'],
  ['four questions are an FAQ', 'faq', page(questions(4)), 'pass', '4 questions'],
  [
    'questions in details elements count',
    'faq',
    page(
      Array.from({ length: 4 }, (_, n) => `<details><summary>Why number ${n}?</summary>So.</details>`).join(
        '',
      ),
    ),
    'pass',
    '4 questions',
  ],
  [
    'faq is unmeasured when a linked FAQ was not read',
    'faq',
    linked('/faq', 'FAQ', undefined),
    'unmeasured',
    '/faq',
  ],
  [
    'a shop platform takes orders',
    'commerce',
    page('<script src="https://cdn.shopify.com/s/x.js"></script>'),
    'pass',
    'Shopify',
  ],
  [
    'goods with an offer in the markup can be ordered',
    'commerce',
    page(jsonLd({ '@type': 'Product', name: 'Mug', offers: { '@type': 'Offer', price: 9 } })),
    'pass',
    'Offer',
  ],
  [
    'goods whose offers are those of another site are compared and not sold',
    'commerce',
    page(
      jsonLd({
        '@type': 'Product',
        name: 'Mug',
        offers: { '@type': 'Offer', price: 9, url: 'https://mugs.example/mug' },
      }),
    ),
    'na',
    '',
  ],
  [
    'a link to the own shop on a host of that name lets order',
    'commerce',
    page('<a href="https://lindshop.example/">공식몰</a>'),
    'pass',
    'lindshop.example',
  ],
  [
    'a link "Shop" to a host of another name leads to what was not read',
    'commerce',
    page('<nav><a href="https://lind.example/">Onlineshop</a></nav>'),
    'unmeasured',
    'lind.example',
  ],
  [
    'a link to a store of apps is no shop',
    'commerce',
    page('<a href="https://play.google.com/store/apps/details?id=a">Store</a>'),
    'na',
    '',
  ],
  [
    'prices of services do not make a shop',
    'commerce',
    page(jsonLd({ '@type': 'Service', name: 'Check-up', offers: { '@type': 'Offer', price: 9 } })),
    'na',
    '',
  ],
  [
    'goods without a way to order them fail',
    'commerce',
    page(jsonLd({ '@type': 'Product', name: 'Mug' })),
    'fail',
    'Product',
  ],
  [
    'commerce does not apply to a business of services',
    'commerce',
    page('<p>We repair roofs.</p>'),
    'na',
    '',
  ],
  [
    'an integrations page lets software connect',
    'integrations',
    page('<a href="/integrations">Integrations</a>'),
    'pass',
    '/integrations',
  ],
  [
    'a product with accounts and no way to connect fails',
    'integrations',
    page('<a href="/login">Log in</a><a href="/signup">Sign up</a>'),
    'fail',
    'not found',
  ],
  [
    'integrations do not apply to a business without records',
    'integrations',
    page('<p>We repair roofs.</p>'),
    'na',
    '',
  ],
  [
    'a form with one e-mail field is a newsletter',
    'newsletter',
    page('<form id="news"><input type="email"></form>'),
    'pass',
    'news',
  ],
  [
    'a mailing service counts as a newsletter',
    'newsletter',
    page('<form action="https://acme.us1.list-manage.com/subscribe/post"></form>'),
    'pass',
    'Mailchimp',
  ],
  ['a site without news needs no newsletter', 'newsletter', page(lead), 'na', 'no articles'],
  [
    'a contact form is not a newsletter',
    'newsletter',
    page(`${lead}<a href="/blog">Blog</a>`),
    'fail',
    'not found',
  ],
  [
    'a known cookie shows an analytics service',
    'crm-tags',
    { [`${at}/`]: { body: '<p>x', headers: { 'set-cookie': '_ga=GA1.1; Path=/' } } },
    'pass',
    'Google Analytics: _ga',
  ],
  [
    'a known header shows a customer system',
    'crm-tags',
    { [`${at}/`]: { body: '<p>x', headers: { 'x-hs-hub-id': '1' } } },
    'pass',
    'HubSpot',
  ],
  [
    'the text names the number of pages where no known service was found',
    'crm-tags',
    page('<p>x</p><script>app()</script>'),
    'fail',
    '1 page',
  ],
  [
    'a job board takes applications',
    'hiring',
    page('<a href="https://boards.greenhouse.io/acme">Jobs</a>'),
    'pass',
    'Greenhouse',
  ],
  [
    'a form on the jobs page takes applications',
    'hiring',
    linked(
      '/careers',
      'Careers',
      '<form id="apply"><input name="name"><input type="email"><input type="file"></form>',
    ),
    'pass',
    'apply',
  ],
  [
    'applications by mail give a warning',
    'hiring',
    linked('/careers', 'Careers', '<a href="mailto:jobs@site.example">Apply</a>'),
    'warn',
    'jobs@site.example',
  ],
  [
    'a jobs page without any way to apply fails',
    'hiring',
    linked('/careers', 'Careers', '<p>Soon.</p>'),
    'fail',
    '/careers',
  ],
  ['a site without jobs needs no form for them', 'hiring', page('<p>x'), 'na', ''],
  [
    'hiring is unmeasured when a linked jobs page was not read',
    'hiring',
    linked('/careers', 'Careers', undefined),
    'unmeasured',
    '/careers',
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('all workflow-automation checks are unmeasured without a page', () => {
  const results = workflowAutomation.checks.map(
    ({ id }) => run(id, { [`${at}/`]: { failed: 'timeout' } }).outcome.result,
  )
  expect(new Set(results)).toEqual(new Set(['unmeasured']))
})

test('a light scan leaves unmeasured what may be behind the home page', () => {
  const home = page('<a href="/services">Services</a><a href="/blog">Blog</a>')
  const results = (options: Options) =>
    ['lead-capture', 'pricing', 'faq', 'newsletter', 'support'].map(
      (id) => run(id, home, options).outcome.result,
    )
  expect(new Set(results({ depth: 'light' }))).toEqual(new Set(['unmeasured']))
  expect(new Set(results({ depth: 'full' }))).toEqual(new Set(['fail']))
})

test('the workflow-automation checks keep their weights', () => {
  expect(workflowAutomation.checks.map(({ weight }) => weight)).toEqual([3, 3, 3, 2, 2, 2, 2, 1, 1, 1])
})

const visit =
  '<form id="visite"><input name="nom"><input type="email" name="courriel"><input type="date" name="jour"><textarea name="message"></textarea></form>'
const contactForm = (home: string) => linked('/contact', 'Book an appointment', lead, home)
const shell = page('<div id="root"></div><script src="/main.js"></script>')

test.each<[string, string, Entries, string, string]>([
  ['a form that asks for a day and a message takes enquiries', 'lead-capture', page(visit), 'pass', 'visite'],
  [
    'an application form counts as a way to write',
    'lead-capture',
    linked('/careers', 'Careers', '<form id="apply"><input><input type="email"><input type="file"></form>'),
    'pass',
    'apply',
  ],
  [
    'a telephone number in an address element is found',
    'lead-capture',
    page('<address>12 Mill Lane, Leeds 0113 496 0123</address>'),
    'warn',
    '0113 496 0123',
  ],
  [
    'a page without any way to write or call is quoted with what was looked for and where',
    'lead-capture',
    page('<p>x'),
    'fail',
    'No enquiry form, e-mail address or telephone number was found on 1 page.',
  ],
  [
    'a telephone number beside the mail address is named',
    'lead-capture',
    page('<a href="mailto:a@site.example">a</a><a href="tel:2175550142">c</a>'),
    'warn',
    'by e-mail and telephone',
  ],
  [
    'a booking link to a general form is not called booking by telephone',
    'booking',
    contactForm('<a href="tel:2175550142">call</a>'),
    'warn',
    'by telephone or a general form. We saw no booking in the HTML. If a script adds it, most agents do not see it either.',
  ],
  [
    'the words about booking are quoted in full',
    'booking',
    contactForm(''),
    'warn',
    'link \\"Book an appointment\\"',
  ],
  [
    'a mail address is a way to ask for an appointment',
    'booking',
    page('Make an appointment: a@site.example'),
    'warn',
    'by e-mail',
  ],
  [
    'amounts too few for a price list are quoted',
    'pricing',
    page('<p>Gift cards £25 and £50</p>'),
    'fail',
    '£25, £50',
  ],
  ['an amount on a menu counts as a price', 'pricing', linked('/menu', 'Menu', 'Soup £7'), 'pass', '£7'],
  ['an FAQ page counts as help', 'support', page('<a href="/faq">FAQ</a>'), 'pass', '/faq'],
  [
    'an FAQ page with another name counts as help',
    'support',
    page('<a href="/haeufige-fragen">Fragen</a>'),
    'pass',
    '/haeufige-fragen',
  ],
  [
    'FAQPage markup counts as help',
    'support',
    page(
      `<p>Why so? So.</p>${jsonLd({
        '@type': 'FAQPage',
        mainEntity: [
          { '@type': 'Question', name: 'Why so?', acceptedAnswer: { '@type': 'Answer', text: 'So.' } },
        ],
      })}`,
    ),
    'pass',
    'FAQPage',
  ],
  ['documentation counts as help', 'support', page('<a href="/docs">Docs</a>'), 'pass', '/docs'],
  [
    'a quickstart counts as help',
    'support',
    page('<a href="/quickstart">Quickstart</a>'),
    'pass',
    '/quickstart',
  ],
  [
    'an API reference counts as help',
    'support',
    page('<a href="/api-reference">API reference</a>'),
    'pass',
    '/api-reference',
  ],
  [
    'a list of integrations does not count as help',
    'support',
    page('<a href="/integrations">Integrations</a>'),
    'fail',
    'not found',
  ],
  [
    'the fix names the FAQ page that has too few questions',
    'faq',
    linked('/haeufige-fragen', 'Fragen', questions(2)),
    'fail',
    'on https://site.example/haeufige-fragen',
  ],
  [
    'the fix names a new page where a page about something else asks some questions',
    'faq',
    linked('/leistungen', 'Leistungen', questions(2)),
    'fail',
    'on a new page that is linked on https://site.example/',
  ],
  [
    'a shop with accounts needs no integrations',
    'integrations',
    page('<a href="/login">Log in</a><a href="/cart">Cart</a>'),
    'na',
    '',
  ],
  [
    'the text names what was looked for when no integrations are linked',
    'integrations',
    page('<a href="/login">Log in</a><a href="/signup">Sign up</a> Works with Slack.'),
    'fail',
    'was found among the links of 1 page',
  ],
])('%s (%s)', (_title, id, entries, result, part) => {
  const { outcome, json } = run(id, entries)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('on the shell of an application all workflow-automation checks are unmeasured', () => {
  expect(new Set(workflowAutomation.checks.map(({ id }) => run(id, shell).outcome.result))).toEqual(
    new Set(['unmeasured']),
  )
})

test('no text claims what people do or can do without having seen it', () => {
  const json = workflowAutomation.checks
    .flatMap(({ id }) => [
      run(id, page('<p>Appointments')).json,
      run(id, page('a@site.example')).json,
      run(id, page('<a href="tel:2175550142">c</a>')).json,
    ])
    .join(' ')
  expect(json).not.toMatch(/[Ss]omebody|neither|nobody|cannot be reached|again and again/)
})

test.each([
  ['<div class="calendly-inline-widget" data-url="https://calendly.com/lind/visit"></div>', 'Calendly'],
  ['<button data-link="https://tidycal.com/lind/visit">Book an appointment</button>', 'TidyCal'],
  [
    `<button onclick="Calendly.initPopupWidget({url: 'https://calendly.com/lind'})">Book</button>`,
    'Calendly',
  ],
])('appointments can be booked by the widget %s', (widget, name) => {
  const { outcome, json } = run('booking', page(`<p>Book an appointment</p>${widget}`))
  expect(outcome.result).toBe('pass')
  expect(json).toContain(name)
})

const thanks = (body: string) =>
  `${lead}<script>document.getElementById("write").addEventListener("submit", (e) => { e.preventDefault(); ${body} })</script>`
const played = 'setTimeout(() => { alert("Thank you!"); e.target.reset() }, 500)'

test.each<[string, Entries, string]>([
  ['a form whose script only thanks takes no enquiries', page(thanks(played)), 'fail'],
  [
    'a script in a file that only thanks takes no enquiries',
    {
      ...page(`${lead}<script src=/js/main.js></script>`),
      [`${at}/js/main.js`]: {
        purpose: 'script',
        body: 'document.querySelectorAll("form").forEach((f) => f.addEventListener("submit", (e) => { e.preventDefault(); alert("Sent") }))',
      },
    },
    'fail',
  ],
  ['a form that is sent by a request takes enquiries', page(thanks(`fetch("/send"); ${played}`)), 'pass'],
  ['a form that a function sends takes enquiries', page(thanks(`sendMessage(e); ${played}`)), 'pass'],
  [
    'a form whose handler calls a function of a script that sends takes enquiries',
    page(`${thanks(`deliver(e); ${played}`)}<script>function deliver() { fetch("/in") }</script>`),
    'pass',
  ],
  [
    'a form beside a script that was not read is not said to send nothing',
    page(`${thanks(played)}<script src=/js/other.js></script>`),
    'pass',
  ],
  [
    'a form of a hosting service is not said to send nothing',
    page(thanks(played).replace('<form', '<form data-netlify="true"')),
    'pass',
  ],
  [
    'a form with an address is not said to send nothing',
    page(thanks(played).replace('<form', '<form action="/send"')),
    'pass',
  ],
])('%s', (_title, entries, result) => {
  const { outcome, json } = run('lead-capture', entries)
  expect(outcome.result).toBe(result)
  expect(json.includes('and see that it arrives')).toBe(result === 'fail')
})

test('a form for appointments that sends nothing is no way to book, and has the step of the form for enquiries', () => {
  const dated = page(
    `Book an appointment${thanks(played).replace('<textarea', '<input type="date" name="day"><textarea')}`,
  )
  const [booking, leads] = [run('booking', dated).outcome, run('lead-capture', dated).outcome]
  expect([booking.result, leads.result]).toEqual(['fail', 'fail'])
  expect('fix' in booking && 'fix' in leads && booking.fix === leads.fix).toBe(true)
})
