import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** Verdicts that readers found false on sites for which no rule was written. */

const at = 'https://site.example'
const home = (html: string, lang = 'en'): Entries => ({ [`${at}/`]: `<html lang="${lang}"><body>${html}` })
const words = (count: number) => 'word '.repeat(count)
const german =
  'Wir bauen Möbel und Türen nach Maß in unserer Werkstatt und liefern sie zu Ihnen nach Hause. '.repeat(8)

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

test.each<Row>([
  [
    '"Start" on a German page is the name of the home page',
    contentAnswerability,
    'link-text',
    { ...home('x', 'de'), [`${at}/a`]: `<html lang="de"><p>${german}</p><a href="/b">Start</a>` },
    'pass',
  ],
  [
    'no item of a menu is a link without a text of its own',
    contentAnswerability,
    'link-text',
    home('<nav><a href="/more">More</a></nav>'),
    'pass',
  ],
  [
    '"mehr" outside of a menu says nothing on a German page',
    contentAnswerability,
    'link-text',
    home(`<p>${german}</p><a href="/b">Mehr</a>`, 'de'),
    'fail',
  ],
  ...[
    ['German', 'Mo–Fr: 7:00 – 17:00<br>Sa: nach Vereinbarung'],
    ['German, in cells', '<table><tr><td>Samstag</td><td>nach Vereinbarung</td></tr></table>'],
    ['German, as terms', '<dl><dt>Samstag</dt><dd>nach Vereinbarung</dd></dl>'],
    ['French', 'Lun–Ven : 9h–18h<br>Samedi : sur rendez-vous'],
    ['English', 'Sat: by appointment'],
  ].map(
    ([language, hours]): Row => [
      `opening hours offer no appointments (${language})`,
      workflowAutomation,
      'booking',
      home(`<p>${hours}</p><a href="tel:+49526171482">x</a>`),
      'na',
    ],
  ),
  [
    'a line that begins with a word like a short weekday may ask for an appointment',
    workflowAutomation,
    'booking',
    home('<p>Do you have pain? Book an appointment today.</p><a href="tel:+49526171482">x</a>'),
    'warn',
  ],
  [
    'a French lawyer who "intervient" says what he does',
    contentAnswerability,
    'answer-first',
    home(
      '<h1>Cabinet</h1><p>Fondé en 1997, le Cabinet de Maître Georges Parastatis, avocat, intervient en matières de droit pénal, de droit de la famille et de droit du travail à Paris.</p>',
      'fr',
    ),
    'pass',
  ],
  [
    'a section that the menu calls success stories vouches for the business',
    entityTrust,
    'proof',
    home(
      '<a href="#casos">Casos de Éxito</a><section id="casos"><h2>Sonrisas</h2><img src="a.jpg"></section>',
      'es',
    ),
    'pass',
  ],
  [
    'the list of sources of an article is no proof',
    entityTrust,
    'proof',
    {
      ...home('<h2>Our services</h2>'),
      [`${at}/paper`]: `<h1>On bees</h1><p>${words(80)}</p><h2>References</h2><p>1. Smith</p>`,
    },
    'fail',
  ],
  [
    'output of a program is no rating',
    entityTrust,
    'proof',
    home('<h2>Our services</h2><pre>100%|████| 5.0/5 [00:01]</pre>'),
    'fail',
  ],
  [
    'boxes of a question and an answer are a list of questions, whatever their classes',
    workflowAutomation,
    'faq',
    home(
      `<div>${['Como pagar?', 'Vocês entregam?', 'Posso cancelar?', 'Como retirar?'].map((one) => `<div class="qa"><div class="qq">${one}</div><div class="aa">Pix antecipado ou dinheiro na retirada.</div></div>`).join('')}</div>`,
      'pt',
    ),
    'pass',
  ],
  [
    'the titles of articles in a list are not answered there',
    workflowAutomation,
    'faq',
    home(
      '<title>Bus Ltd</title>' +
        ['Why is the bus late?', 'What is a group?', 'How are packages made?', 'When does it end?']
          .map((one, index) => `<h2><a href="/blog/${index}">${one}</a></h2><span>13.09.2018</span>`)
          .join(''),
    ),
    'fail',
  ],
  [
    'a sample of code needs no headings',
    contentAnswerability,
    'hierarchy',
    home(`<main><h1>Pendulum</h1><h2>The code</h2><p>x</p><pre>${words(700)}</pre></main>`),
    'pass',
  ],
  [
    'a closing date is no date of publication',
    freshnessIndex,
    'newest',
    home(
      '<a href="/blog/">Blog</a><p>12 January 2024</p><table><tr><th>Position</th><th>Deadline</th></tr><tr><td>Post Doc</td><td>2026-11-20</td></tr></table>',
    ),
    'fail',
  ],
  [
    'a box that a style sheet opens a menu with asks for nothing',
    accessibilityActionability,
    'labels',
    home('<input type="checkbox" id="__drawer"><label for="__drawer"><svg></svg></label>'),
    'na',
  ],
  [
    'a date of birth asks for no appointment',
    workflowAutomation,
    'booking',
    home('<form><input name="mail" type="email"><input type="date" id="member-birthday"></form>'),
    'na',
  ],
  [
    'a form in which members change their data takes no enquiries',
    workflowAutomation,
    'lead-capture',
    home(
      '<title>Bus Ltd</title><form id="profile-form"><input name="email" type="email"><textarea name="about"></textarea></form>',
    ),
    'fail',
  ],
  [
    'a page of a few words has no menu that could bury it',
    contentAnswerability,
    'boilerplate',
    home('<nav>Home About Contact</nav><main>Five words in the main</main>'),
    'na',
  ],
  [
    'a number and an address of a template reach nobody',
    coreSnapshot,
    'contact-path',
    home(`<p>${words(60)}</p><a href="tel:[telify(phone)]">x</a><a href="mailto:[mail]">y</a>`),
    'fail',
  ],
  [
    'a book on another site is no booking',
    coreSnapshot,
    'contact-path',
    home(`<p>${words(60)}</p><a href="https://scipython.com/book/chapter-6">Ladders</a>`),
    'fail',
  ],
  [
    'the name of an icon is no word of the link',
    coreSnapshot,
    'contact-path',
    home(`<p>${words(60)}</p><a href="/whitepaper"><span class="ms">menu_book</span> Whitepaper</a>`),
    'fail',
  ],
  [
    'a number in a register that is written like a currency is no price',
    workflowAutomation,
    'pricing',
    home(
      '<h2>Nuestros servicios</h2><h2>Tarifas</h2><p class="cop">COP 51798</p><p>COP 51150</p><p>COP 51151</p>',
      'es',
    ),
    'fail',
  ],
  [
    'a currency in its usual form is a price',
    workflowAutomation,
    'pricing',
    home('<h2>Tarifas</h2><p>COP 51.798</p>', 'es'),
    'pass',
  ],
  [
    'the beginning of a word behind a number is no currency',
    workflowAutomation,
    'pricing',
    home('<h2>Our services</h2><h2>Prices</h2><p>Quiz #5</p><p>Try it</p><p>5 Try it</p>'),
    'fail',
  ],
  [
    'the sum of an empty cart is no price, and the cart is one',
    workflowAutomation,
    'commerce',
    home('<p>Seu carrinho tá vazio</p><p>R$ 0,00</p>', 'pt'),
    'pass',
  ],
  [
    'prices that a list of articles mentions are not those of the site',
    workflowAutomation,
    'pricing',
    {
      ...home('<title>Bus Ltd</title><a href="/blog/">Blog</a>'),
      [`${at}/blog/`]: '<h2>What they charge</h2><p>$299</p><p>$600</p><p>$2,000</p>',
    },
    'fail',
  ],
  [
    'a link that joins a chat is no profile',
    structuredData,
    'same-as',
    home(
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"X","sameAs":["https://chat.whatsapp.com/EC9","https://discord.gg/x"]}</script>',
    ),
    'fail',
  ],
  [
    'members are the people behind a site',
    entityTrust,
    'about',
    {
      ...home('<a href="/member/">Member</a>'),
      [`${at}/member/`]: `<main><h1>Member</h1><p>${words(200)}</p></main>`,
    },
    'pass',
  ],
  [
    'a section about an event on a page of its own tells who stands behind it',
    entityTrust,
    'about',
    {
      ...home('<a href="/2025/">2025</a>'),
      [`${at}/2025/`]: `<h1>ICSC</h1><section><h2>About ICSC 2025</h2><p>${words(200)}</p></section>`,
    },
    'pass',
  ],
])('%s', (_, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries)).result).toBe(result)
})

test.each([
  ['Spanish', 'Jr. los Canelos 138, San Martín de Porres 15102'],
  ['Portuguese', 'Av. Brasil 1200, São Paulo'],
  ['Turkish', 'Bağdat Caddesi No: 12, Kadıköy'],
  ['Russian', 'ул. Ленина, д. 5'],
  ['Japanese', '東京都港区芝公園4丁目2-8'],
  ['Korean', '세종대로 110'],
  ['Chinese', '臺北市大安區基隆路四段43號'],
])('a street is known in %s', (_, address) => {
  const quotes = quotesOf(runCheck(entityTrust, 'nap', site(home(`<footer>${address}</footer>`))))
  expect(quotes).toContain('street address on the page')
})

test('a quotation mark behind a number in quotes is no sign of inches', () => {
  const entries = home(`<main><p>${words(120)}</p><p>"event_version": "1.0", "id": "001"</p></main>`)
  expect(runCheck(contentAnswerability, 'evidence', site(entries))).toMatchObject({
    reason: expect.stringContaining('has 0 figures'),
  })
})

test.each(['2021年', '12月', '2012T', '2012 год'])('%s is no figure with a unit', (date) => {
  const entries = home(`<main><p>${words(120)}</p><p>${date}</p></main>`)
  expect(runCheck(contentAnswerability, 'evidence', site(entries))).toMatchObject({
    reason: expect.stringContaining('has 0 figures'),
  })
})

test('a trade mark is no letter of the name', () => {
  const entries = home(
    '<title>KYE Protocol™ — Trust</title><meta property="og:site_name" content="KYE Protocol"><footer>© 2026 KYE Protocol</footer>',
  )
  expect(runCheck(entityTrust, 'brand-name', site(entries)).result).toBe('pass')
})

test('an empty footer is not quoted with the end of the page', () => {
  const entries = home(
    `<title>Lind Bikes</title><meta property="og:site_name" content="Lind Bikes"><p>${words(60)}</p><footer></footer>`,
  )
  expect(quotesOf(runCheck(entityTrust, 'brand-name', site(entries)))).toContain('the footer: no name')
})

test.each([
  ['a host below the domain of a university', 'https://c4lab.bime.ntu.edu.tw/', 'c4Lab – c4Lab', 'c4Lab'],
  ['the title of documentation', 'https://x.example/', 'Tqdm documentation', 'Tqdm'],
])('the name is found in %s', (_, url, title, name) => {
  expect(companyName(site({ [url]: `<title>${title}</title>` }))).toBe(name)
})

test('a link of a template leads nowhere', () => {
  const { home: page } = site(
    home('<a href="[lien]">x</a><a href="/{{ slug }}">y</a><a href="/a?b[]=1">z</a>'),
  )
  expect(page?.links.map(({ url }) => url)).toEqual([`${at}/a?b[]=1`])
})

test('a telephone number in the archive of one year is not that of the site', () => {
  const pages = ['/a', '/b', '/c'].map((path) => [`${at}${path}`, '<p>x</p>'] as const)
  const entries = {
    ...home('<title>Jinchun Ltd</title>'),
    ...Object.fromEntries(pages),
    [`${at}/2019/venue`]: '<address>Jinchun Garden, Room 3. Tel. +86 10 6279 3001</address>',
  }
  expect(quotesOf(runCheck(entityTrust, 'nap', site(entries)))).not.toContain('6279')
  expect(runCheck(workflowAutomation, 'lead-capture', site(entries))).toMatchObject({
    reason: expect.stringContaining('of its own'),
  })
})

test('a menu of buttons that open pages by a script is named as what it is', () => {
  const entries = home(`<button onclick="location.href='about.html'">About</button>`)
  expect(runCheck(accessibilityActionability, 'real-controls', site(entries))).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('opens a page by a script'),
  })
  expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('unmeasured')
})

test('a page that is a list of links, a sample of code, a film or a calendar is not asked for long text', () => {
  const links = Array.from({ length: 12 }, (_, index) => `<a href="/x${index}">Item ${index}</a> word`).join(
    ' ',
  )
  const entries = {
    ...home(`<main>${words(400)}</main>`),
    [`${at}/issue2/`]: `<main>${links}</main>`,
    [`${at}/gui/`]: `<main><p>${words(10)}</p><pre>${words(60)}</pre></main>`,
    [`${at}/talk/`]: '<main><h1>Talk</h1><iframe src="https://video.example"></iframe></main>',
    [`${at}/calendar.html`]: `<main>${words(20)}</main>`,
    [`${at}/mein.html`]: `<main>${words(20)}<form id="profile-form"><input name="a"></form></main>`,
  }
  expect(runCheck(contentAnswerability, 'depth', site(entries))).toMatchObject({
    result: 'unmeasured',
    reason: expect.stringContaining('Only 1 page of the 6'),
  })
})

test('the month of an issue in a heading dates a magazine', () => {
  const entries = home('<a href="/blog/">Blog</a><h1>Issue #5 | October 2026</h1><p>10 August 2025</p>')
  expect(runCheck(freshnessIndex, 'newest', site(entries)).result).toBe('pass')
})

test('a date of entry in a form for members asks for no appointment', () => {
  const entries = home('<form id="member-form"><input type="date" name="since"><input name="a"></form>')
  expect(runCheck(workflowAutomation, 'booking', site(entries)).result).toBe('na')
})

test('a way to call on a page of a past year is not one to reach the site', () => {
  const entries = { ...home(`<p>${words(60)}</p>`), [`${at}/2019/`]: '<a href="tel:+861062793001">x</a>' }
  expect(runCheck(coreSnapshot, 'contact-path', site(entries)).result).toBe('fail')
})

test.each([
  ['fail', `<p>A telephone number can be put here. ${words(30)}</p>`],
  ['pass', `<p>+44 306 999 0001 ${words(30)}</p>`],
  ['pass', `<p>${words(30)}</p><iframe src="https://forms.example/7"></iframe>`],
  ['pass', '<div id="app"></div>'],
] as const)('a link to a contact page is a %s where the page that was read has %s', (result, contact) => {
  const entries = { ...home('<a href="/contact">Contact</a>'), [`${at}/contact`]: contact }
  expect(runCheck(coreSnapshot, 'contact-path', site(entries)).result).toBe(result)
})

test('pages of this year and the last are no archive', () => {
  const entries = {
    ...home('<a href="/2025/">2025</a>'),
    [`${at}/2025/`]: '<footer><a href="mailto:chairs@icsc.example">Write to us</a></footer>',
  }
  expect(runCheck(coreSnapshot, 'contact-path', site(entries)).result).toBe('pass')
})
