import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { samplePages } from '../../../../src/products/scan/crawl/pages/sample-pages.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Verdicts that were false on public sites of plain files, written by hand or from a template. */

const at = 'https://site.example'
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)
const room = (name: string, price: string) =>
  `<h1>${name}</h1><p>From ${price} a night.</p><footer>Share capital € 28.380.000,00</footer>`
const dentist = ld({
  '@type': 'Dentist',
  name: 'Mondzorg Sloterweg - Mondhygiëniste',
  url: at,
  telephone: '+31 20 123 45 67',
})

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

test.each<Row>([
  [
    'links of a template without an address lead to no privacy notice',
    entityTrust,
    'legal',
    {
      ...home('<a href="/prices.html">Prices</a> <a href="/terms.html">Terms</a>'),
      [`${at}/prices.html`]: '<a href="#">Privacy policy</a>',
      [`${at}/terms.html`]: '<h1>Terms</h1>',
    },
    'fail',
  ],
  [
    'nor to a page about jobs',
    workflowAutomation,
    'hiring',
    {
      ...home('<a href="/about.html">About</a>'),
      [`${at}/about.html`]: '<a href="#">Careers</a> a@site.example',
    },
    'na',
  ],
  [
    'nor to a part that the page does not have',
    entityTrust,
    'about',
    {
      ...home('<a href="/blog.html">Blog</a>'),
      [`${at}/blog.html`]: `<a href="#about">About us</a><main>${words(200)}</main>`,
    },
    'fail',
  ],
  [
    'the doctors of a clinic are who stands behind it',
    entityTrust,
    'about',
    {
      ...home('<a href="/vrachi.html">Врачи</a>'),
      [`${at}/vrachi.html`]: `<main>${'Наш врач работает много лет. '.repeat(40)}</main>`,
    },
    'pass',
  ],
  [
    'a hotel tells the price of each room on its page',
    workflowAutomation,
    'pricing',
    {
      ...home('<h1>Hotel</h1><a href="/royal">Royal</a>'),
      [`${at}/royal`]: room('Royal suite', '€ 5000.00'),
      [`${at}/deluxe`]: room('Deluxe room', '€ 410.00'),
      [`${at}/grand`]: room('Grand canal', '€ 1480.00'),
    },
    'pass',
  ],
  [
    'the capital of the firm is no price, on however many pages',
    workflowAutomation,
    'pricing',
    {
      ...home('<h1>Hotel</h1><footer>Share capital € 28.380.000,00</footer>'),
      [`${at}/a`]: '<footer>Share capital € 28.380.000,00</footer>',
      [`${at}/b`]: '<footer>Share capital € 28.380.000,00</footer>',
    },
    'fail',
  ],
  [
    'nobody asks a magazine for its prices',
    workflowAutomation,
    'pricing',
    home('<title>PescaDiVerona | Magazine pesca, cucina</title><p>Pesca.</p>'),
    'na',
  ],
  [
    'nor a registered association',
    workflowAutomation,
    'pricing',
    home('<title>Domino Project z.s.</title><p>Divadlo.</p>'),
    'na',
  ],
  [
    'the age at an appointment to an office is none to be booked',
    workflowAutomation,
    'booking',
    home('<h2>就任年齢の分布 Age at Appointment</h2>'),
    'na',
  ],
  [
    'a question about appointments that opens a messenger is a way to ask for one',
    workflowAutomation,
    'booking',
    home('<a href="https://wa.me/905417324376?text=Randevu">Randevu al</a>'),
    'warn',
  ],
  [
    'a click beside a dialog is no control',
    accessibilityActionability,
    'real-controls',
    home('<div class="modal-overlay" onclick="x()"></div>'),
    'pass',
  ],
  [
    'a box with a click is',
    accessibilityActionability,
    'real-controls',
    home('<div class="card" onclick="x()"></div>'),
    'fail',
  ],
  [
    'the text of a button is no next step beside it',
    accessibilityActionability,
    'cta',
    home(
      '<button class="download-btn" onclick="save()"><span>⬇️</span><span class="btn-text">Download PNG</span></button>',
    ),
    'pass',
  ],
  [
    'the name of the business behind a comma begins a sentence about it',
    contentAnswerability,
    'answer-first',
    home(
      `<html lang="es"><title>Barberia Alura</title><main><h1>Barbería</h1><p>Ubicada en el corazón de la ciudad, la Barberia Alura trae para el mercado lo que hay de mejor para su cabello y barba, y para su bienestar.</p></main>`,
    ),
    'pass',
  ],
  [
    'a firm that is dedicated to something says what it does',
    contentAnswerability,
    'answer-first',
    home(
      `<html lang="es"><title>La Estación</title><main><h1>Vinos</h1><p>Empresa cien por ciento dedicada a la elaboración de vinos y licores de la más alta calidad en toda la región del estado de Aguascalientes.</p></main>`,
    ),
    'pass',
  ],
  [
    'a form to register is short by nature, and so is a gallery',
    contentAnswerability,
    'depth',
    {
      ...home(`<html lang="es"><main><h1>Vinos</h1><p>${words(320)}</p></main>`),
      [`${at}/registro.html`]: '<main><form><input name="email"></form></main>',
      [`${at}/gallery-azure.html`]: '<main><h1>Azure</h1><img src="a.jpg" alt="Pool"></main>',
    },
    'pass',
  ],
  [
    'filler text has no reading grade',
    contentAnswerability,
    'readability',
    home(
      `<html lang="en"><main><h1>Catering</h1>${`<p>Lorem ipsum dolor sit amet, consectetur adipisicing elit.</p>`.repeat(20)}<p>${'We cook for you. '.repeat(40)}</p></main>`,
    ),
    'unmeasured',
  ],
  [
    'a name in markup may say the trade, too',
    structuredData,
    'agreement',
    home(`<title>Mondzorg Sloterweg | Amsterdam</title>${dentist}`),
    'pass',
  ],
  [
    'a page of addresses with English labels is believed to be Italian, as the rest of the site is',
    accessibilityActionability,
    'lang',
    {
      ...home(
        `<html lang="it"><main>${'Le nostre camere offrono una vista splendida sul canale. '.repeat(10)}</main>`,
      ),
      [`${at}/contatti.html`]: `<html lang="it"><main>${'Our address and our reservations by telephone, write to us. '.repeat(6)}</main>`,
    },
    'pass',
  ],
])('%s', (_, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries)).result).toBe(result)
})

test('the name is what markup, title and footer share', () => {
  const html = `<title>Mondzorg Sloterweg - The Nextgen Dentists</title>${dentist}<footer>Mondzorg Sloterweg Privacy Terms</footer>`
  expect(companyName(site(home(html)))).toBe('Mondzorg Sloterweg')
})

test('an opening that came with the template is called what it is', () => {
  const html =
    '<html lang="en"><title>Catering</title><main><h1>Catering</h1><p>Lorem ipsum dolor sit amet.</p></main>'
  const outcome = runCheck(contentAnswerability, 'answer-first', site(home(html)))
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('filler text') })
})

test('the legal form of a name is left out, also where it has two parts', () => {
  const html = '<title>Home</title><footer>© 2025 Urban Paint Service Pte. Ltd. All rights reserved</footer>'
  expect(companyName(site(home(html)))).toBe('Urban Paint Service')
})

test.each([
  ['PI: 06338441006', []],
  ['P. IVA 06338441006', []],
  ['C.F. 00443820311', []],
  ['ИНН 0274062111', []],
  ['Pizza 06 3384 4100', ['06 3384 4100']],
])('of "%s" the telephone numbers are %j', (text, phones) => {
  expect(site(home(`<footer>${text}</footer>`)).home?.phones).toEqual(phones)
})

test('a grade that comes from long words is not blamed on long sentences', () => {
  const text = 'Individualized rehabilitation facilitates communication. '.repeat(40)
  const outcome = runCheck(
    contentAnswerability,
    'readability',
    site(home(`<html lang="en"><main><h1>Therapy</h1><p>${text}</p></main>`)),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('long words') })
})

test('the same page under the name of its file is not read again', () => {
  const { named, rest } = samplePages(
    {
      home: `${at}/`,
      links: ['/index.html', '/shop/', '/shop/index.html'].map((path) => ({
        url: `${at}${path}`,
        isNavigation: true,
      })),
      sitemapUrls: [],
      isAllowed: () => true,
    },
    [],
    10,
  )
  expect([...named, ...rest]).toEqual([`${at}/shop/`])
})

test('pages of the first language come before those that say the same in a second one', () => {
  const links = ['/en/jobs', '/en/rooms', '/jobs', '/rooms', '/offers'].map((path) => ({
    url: `${at}${path}`,
    isNavigation: true,
  }))
  const sources = { home: `${at}/`, links, sitemapUrls: [], isAllowed: () => true }
  const chosen = (count: number) => samplePages(sources, [], count).rest.map((url) => url.slice(at.length))
  expect(chosen(3)).toEqual(['/jobs', '/rooms', '/offers'])
  expect(chosen(5)).toEqual(['/jobs', '/rooms', '/offers', '/en/jobs', '/en/rooms'])
})
