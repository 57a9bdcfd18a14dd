import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../../src/products/scan/agents/agent.ts'
import { agentFiles } from '../../../../../src/products/scan/agents/agent-files/agent-files.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Verdicts that readers of other public sites, who did not know the checks, found to be false. */

const at = 'https://site.example'
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)
const pages = ['/a', '/b', '/c', '/d', '/e', '/f']
const times = (html: string, count: number) => html.repeat(count)

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

test.each<Row>([
  [
    'a form that a service files needs no other service',
    workflowAutomation,
    'crm-tags',
    home('<form action="https://formspree.io/f/x"><input name="a"></form>'),
    'pass',
  ],
  [
    'a messenger is a place for questions',
    workflowAutomation,
    'support',
    home('<a href="https://wa.me/919745536541">Chat on WhatsApp</a>'),
    'pass',
  ],
  [
    'questions in bold type, each with its answer, are a list of questions',
    workflowAutomation,
    'faq',
    home(
      [
        'Как скоро приедет мастер?',
        'Сколько стоит чистка дивана?',
        'Когда высохнет диван?',
        'Чем вы чистите?',
      ]
        .map((one) => `<div><strong>Вопрос:</strong> <strong>${one}</strong> Ответ: в тот же день.</div>`)
        .join(''),
    ),
    'pass',
  ],
  [
    'a question mark behind filler text asks nothing',
    workflowAutomation,
    'faq',
    home(
      '<title>Lorem Ltd</title>' +
        times('<h2>Lorem ipsum dolor sit amet neque ab?</h2><p>Lorem ipsum dolor sit amet.</p>', 5),
    ),
    'fail',
  ],
  [
    'nor does a call to action',
    contentAnswerability,
    'question-blocks',
    home(
      `<main><h2>Ready to start your journey?</h2><p>${words(60)}</p><h2>Not sure which service you need?</h2><p>${words(60)}</p></main>`,
    ),
    'fail',
  ],
  [
    'a Russian text that asks to be booked offers appointments',
    workflowAutomation,
    'booking',
    home('<p>Запишитесь на химчистку в любую дату.</p><a href="tel:+74012000000">x</a>'),
    'warn',
  ],
  [
    'a heading that a script fills later is a level',
    contentAnswerability,
    'hierarchy',
    home('<main><h1>Tools</h1><h2>All</h2><h3 id="title"></h3><h4>How to use it</h4><p>x</p></main>'),
    'pass',
  ],
  [
    'a section that is called "about us" in a plain element tells who stands behind the site',
    entityTrust,
    'about',
    home(
      `<section><div>من نحن</div><p>${'مشروع محبة الحكمة يسعى لتقريب الفلسفة من الشباب. '.repeat(30)}</p></section>`,
    ),
    'pass',
  ],
  [
    'a legal notice may have the privacy notice as a part',
    entityTrust,
    'legal',
    {
      ...home('<a href="/mentions-legales.html">Mentions légales</a>'),
      [`${at}/mentions-legales.html`]: '<h1>Mentions légales</h1><h2>Données personnelles</h2><p>x</p>',
    },
    'pass',
  ],
  [
    'the posts of a business need no markdown',
    agentFiles,
    'md-negotiation',
    {
      ...home('<a href="/blog">Blog</a><a href="/prices">Prices</a>'),
      [`${at}/#md`]: { purpose: 'home-markdown', body: '<p>x</p>' },
    },
    'na',
  ],
  [
    'bare addresses name pages, too',
    agentFiles,
    'llms-coverage',
    {
      ...home(`<nav>${pages.map((page) => `<a href="${page}">${page}</a>`).join('')}</nav>`),
      [`${at}/sitemap.xml`]: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.map((page) => `<url><loc>${at}${page}</loc></url>`).join('')}</urlset>`,
      [`${at}/llms.txt`]: {
        purpose: 'llms',
        body: `# Index\n\n- Home: ${at}/\n${pages.map((page) => `- ${page} — ${at}${page}.`).join('\n')}\n`,
        headers: { 'content-type': 'text/plain' },
      },
    },
    'pass',
  ],
  [
    'a year in Arabic digits is a year',
    freshnessIndex,
    'footer-year',
    home('<footer>جميع الحقوق محفوظة © ٢٠٢٦ محبة الحكمة</footer>'),
    'pass',
  ],
  [
    'a year behind the words of a copyright is one, too',
    freshnessIndex,
    'footer-year',
    home('<div>todos os direitos reservados - 2020</div>'),
    'fail',
  ],
  [
    'profiles of an app are profiles',
    structuredData,
    'same-as',
    home(
      ld({
        '@type': 'MobileApplication',
        name: '1inventory',
        sameAs: ['https://apps.apple.com/app/id1', 'https://play.google.com/store/apps/details?id=a'],
      }),
    ),
    'pass',
  ],
  ...['온라인 상담 신청', 'ابدأ رحلة الاكتشاف', 'Заказать', 'WhatsApp’tan yazın', 'お問い合わせ'].map(
    (text): Row => [
      `"${text}" is a next step`,
      accessibilityActionability,
      'cta',
      home(`<a href="/x">${text}</a>`),
      'pass',
    ],
  ),
])('%s', (_, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries)).result).toBe(result)
})

test('a chat is no source of an article', () => {
  const article = `${ld({ '@type': 'Article', headline: 'Law', datePublished: '2026-08-01' })}<main><h1>Law</h1><p>A study found this. ${words(160)}</p><a href="https://open.kakao.com/o/x">Chat</a><a href="https://ntoday.example.org/a">Source</a></main>`
  const outcome = runCheck(entityTrust, 'citations', site({ ...home('x'), [`${at}/blog/law`]: article }))
  expect(quotesOf(outcome)).toContain('1 other site linked')
})

test('a mail address is no name in the footer', () => {
  const entries = home('<title>Arel Rohrservice</title><footer>office@arel-rohrservice.at</footer>')
  expect(quotesOf(runCheck(entityTrust, 'brand-name', site(entries)))).not.toContain('the footer: has')
})

test('the address of a form is an address of the site', () => {
  const entries = home('<form action="mailto:giulia@odonto.example" method="post"></form>')
  expect(quotesOf(runCheck(entityTrust, 'nap', site(entries)))).toContain('giulia@odonto.example')
})

test('a street without a word for one is known by its postal code', () => {
  const entries = home('<footer>Sparkybit GmbH · Im Dörener Feld 3, 33100 Paderborn</footer>')
  expect(quotesOf(runCheck(entityTrust, 'nap', site(entries)))).toContain('Im Dörener Feld 3')
})

test.each([
  ['<label>Full Name <input></label><input type="email" autocomplete="email">', '1 of 2 fields'],
  ['<input name="order_UserName" placeholder="Ваше имя">', '0 of 1 field'],
  ['<input name="nom"><input name="prenom">', '0 of 2 fields'],
])('%s: %s say what they hold', (html, count) => {
  expect(runCheck(accessibilityActionability, 'autocomplete', site(home(html)))).toMatchObject({
    reason: expect.stringContaining(count),
  })
})

test('the name is spelled in the text as the domain is', () => {
  const entries = { 'https://timmermanvink.nl/': '<p>Timmerman Vink is actief in Emmen.</p>' }
  expect(companyName(site(entries))).toBe('Timmerman Vink')
})
