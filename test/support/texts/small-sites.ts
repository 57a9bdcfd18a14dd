import type { SiteAnswer, SiteRequest } from '../servers/site-server.ts'

/** Websites of small businesses, two of each industry, whose offers, prices, places and words differ. */
export interface SmallSite {
  readonly name: string
  readonly industry: string
  readonly description: string
  readonly paragraphs: readonly string[]
  readonly services: readonly { readonly name: string; readonly text: string; readonly price?: string }[]
  readonly address: string
  readonly contact: string
}

export const smallSites: Readonly<Record<string, SmallSite>> = {
  'harbor-dental.example': {
    name: 'Harbor Dental Studio',
    industry: 'healthcare',
    description: 'Family dentistry in Portland with evening hours and a children’s room.',
    paragraphs: [
      'We welcome families with small children and nervous adults.',
      'New patients fill in a paper form in the waiting room before the first visit.',
      'Please bring your insurance card, because we check your coverage at the desk.',
      'Call us to book or to move an appointment; our phone is answered from eight to four.',
      'If you miss a visit without notice we charge a no-show fee of $40.',
    ],
    services: [
      { name: 'Check-up and cleaning', text: 'A full check-up takes forty minutes.', price: '$95' },
      { name: 'Tooth whitening', text: 'Whitening in one long visit.', price: '$320' },
      { name: 'Fillings', text: 'Tooth-coloured fillings without mercury.', price: '$150' },
    ],
    address: 'Portland, Oregon',
    contact: '<a href="tel:+15035550142">503 555 0142</a>',
  },
  'lakeside-implants.example': {
    name: 'Lakeside Implant Center',
    industry: 'healthcare',
    description: 'Dental implants and oral surgery for referred patients in Madison.',
    paragraphs: [
      'Our surgeons work with referring dentists all over Dane County.',
      'Most plans ask for prior authorization before surgery, and our coordinator sends the request to your payer.',
      'An answer of the insurer takes between five days and three weeks.',
      'If a claim is denied we write the appeal letter together with you.',
      'After surgery you can send a question to the nurse through the patient portal.',
    ],
    services: [
      { name: 'Single implant', text: 'One titanium implant with crown.', price: '$3,900' },
      { name: 'Bone graft', text: 'Bone is rebuilt before an implant.' },
      { name: 'Sedation', text: 'Sedation by an anaesthetist.', price: '$480' },
    ],
    address: 'Madison, Wisconsin',
    contact: '<form action="/send"><textarea name="message"></textarea></form>',
  },
  'miller-plumbing.example': {
    name: 'Miller & Daughter Plumbing',
    industry: 'other',
    description: 'Plumbing repairs and bathroom refits in Leeds since 1988.',
    paragraphs: [
      'We look after homes and small offices within ten miles of Leeds.',
      'Send a message and one of us writes back in the evening.',
      'Your invoice comes by post after the work, payable within thirty days.',
      'We remind late payers twice before we stop work.',
    ],
    services: [
      { name: 'Blocked drains', text: 'Drains cleared by camera and jet.', price: '£90' },
      { name: 'Boiler service', text: 'A yearly service with certificate.', price: '£110' },
      { name: 'Bathroom refit', text: 'From tiles to taps in two weeks.' },
    ],
    address: 'Leeds',
    contact: '<a href="mailto:office@miller-plumbing.example">Write to us</a>',
  },
  'sparkle-cleaning.example': {
    name: 'Sparkle Office Cleaning',
    industry: 'other',
    description: 'Office cleaning crews for companies in Austin, every night of the week.',
    paragraphs: [
      'We work with law offices, clinics and startups of up to 200 desks.',
      'Our crews start at six, and a supervisor plans the routes each week on a calendar.',
      'New employees are trained for three days before they join a crew.',
      'Book a free walk-through online and choose the appointment that fits you.',
    ],
    services: [
      { name: 'Nightly cleaning', text: 'Floors, desks and kitchens.', price: '$0.12 per sqft' },
      { name: 'Window washing', text: 'Inside and outside, twice a year.' },
      { name: 'Carpet care', text: 'Deep cleaning on weekends.', price: '$240' },
    ],
    address: 'Austin, Texas',
    contact: '<a href="https://calendly.com/sparkle">Book online</a>',
  },
  'orchard-law.example': {
    name: 'Orchard Law',
    industry: 'professional-services',
    description: 'Wills, trusts and probate for families in Vermont.',
    paragraphs: [
      'We serve families who want their affairs in order.',
      'Before the first meeting we check for conflicts and send an engagement letter.',
      'Our questionnaire asks for the same facts that later stand in your will.',
      'A simple will is drafted within a week and signed in our office.',
    ],
    services: [
      { name: 'Simple will', text: 'One person, one meeting.', price: '$600' },
      { name: 'Living trust', text: 'With transfer of your house.', price: '$2,400' },
      { name: 'Probate', text: 'We file and close the estate.' },
    ],
    address: 'Burlington, Vermont',
    contact: '<a href="tel:+18025550131">802 555 0131</a>',
  },
  'keel-contracts.example': {
    name: 'Keel Contract Counsel',
    industry: 'professional-services',
    description: 'Contract review for software vendors, billed by the hour.',
    paragraphs: [
      'We help software vendors that sign forty contracts a month.',
      'Each clause is compared with your own playbook, and deviations are marked by weight.',
      'We record our hours every day and send an invoice with each matter and every entry.',
      'Clients upload contracts and missing records to a shared folder, and we remind them until the list is complete.',
    ],
    services: [
      { name: 'Contract review', text: 'Two working days for standard agreements.', price: '$380 per hour' },
      { name: 'Clause playbook', text: 'Your positions on fifty clauses.' },
      { name: 'Negotiation', text: 'We speak with the other side.' },
    ],
    address: 'Denver, Colorado',
    contact: '<a href="https://app.keel-contracts.example/login">Log in</a>',
  },
  'northlight-books.example': {
    name: 'Northlight Books',
    industry: 'retail',
    description: 'An independent bookshop in Galway with readings every Friday.',
    paragraphs: [
      'We reorder by hand every Sunday, and a title that is out of stock comes within a week.',
      'Our customers are readers, schools and two book clubs.',
      'The shop is run by four booksellers in shifts, with students on Saturdays.',
      'Sign up for our newsletter to hear about new arrivals.',
    ],
    services: [
      { name: 'Book subscription', text: 'A book a month, chosen for you.', price: '€22 per month' },
      { name: 'School orders', text: 'Class sets at a discount.' },
      { name: 'Gift cards', text: 'From ten euros.', price: '€10' },
    ],
    address: 'Galway',
    contact: '<a href="/cart">Basket</a>',
  },
  'stride-shoes.example': {
    name: 'Stride Running Shoes',
    industry: 'retail',
    description: 'Running shoes by mail, with free returns for sixty days.',
    paragraphs: [
      'Returns are free: print the label, and we refund you when the parcel is back in our warehouse.',
      'Most messages ask where an order is; please look at the tracking link in your mail first.',
      'Every shoe has a size guide with photos and the weight of each size.',
      'We support runners from the first mile to the marathon.',
    ],
    services: [
      { name: 'Trail shoes', text: 'With deep profile.', price: '$139' },
      { name: 'Road shoes', text: 'For asphalt and track.', price: '$119' },
      { name: 'Gait video check', text: 'Send a video and get advice.' },
    ],
    address: 'Boulder, Colorado',
    contact: '<a href="/cart">Cart</a>',
  },
}

const html = { 'content-type': 'text/html; charset=utf-8' }

/** Serves the sites by their host: a home page, and a page of services with prices. */
export function answerAsSmallSite({ host, path }: Pick<SiteRequest, 'host' | 'path'>): SiteAnswer {
  const site = smallSites[host.split(':')[0] ?? '']
  if (site === undefined) return { status: 404, headers: html, body: '<h1>Not found</h1>' }
  if (path === '/') return { headers: html, body: homePage(site) }
  if (path === '/services') return { headers: html, body: servicesPage(site) }
  return { status: 404, headers: html, body: '<h1>Not found</h1>' }
}

function homePage({ name, description, paragraphs, address, contact }: SmallSite): string {
  return page(
    `${name}`,
    description,
    `<h1>${name}</h1><p>${description}</p>${paragraphs.map((each) => `<p>${each}</p>`).join('')}`,
    `<address>${address}</address>${contact}`,
  )
}

function servicesPage({ name, description, services }: SmallSite): string {
  const list = services.map(
    (each) =>
      `<h2>${each.name}</h2><p>${each.text}</p>${each.price ? `<ul><li>${each.name} ${each.price}</li></ul>` : ''}`,
  )
  return page(`Services · ${name}`, description, `<h1>Services</h1>${list.join('')}`, '')
}

function page(title: string, description: string, main: string, footer: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="${description}"></head>
<body><header><nav><a href="/">Home</a> <a href="/services">Services</a></nav></header><main>${main}</main><footer>${footer}</footer></body></html>`
}
