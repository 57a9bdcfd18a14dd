import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { industryOf } from '../../../../src/products/scan/signals/industry/industry.ts'
import { amountsIn } from '../../../../src/products/scan/site/amounts.ts'
import { markdownLinks } from '../../../../src/products/scan/site/files/markdown-links.ts'
import { isPathOfKind } from '../../../../src/products/scan/site/kinds/page-kinds.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Verdicts that were false on saved public sites, in the smallest site that shows each. */

const at = 'https://site.example'
const ld = (...nodes: object[]) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })}</script>`
const home = (html: string): Entries => ({ [`${at}/`]: html })
const prose = (text: string) => `<main><p>${text.repeat(12)}</p></main>`
const person = {
  '@type': 'Person',
  name: 'Yana Chiz',
  url: `${at}/`,
  image: `${at}/me.jpg`,
  telephone: '+79033870545',
  sameAs: ['https://t.me/yana', 'https://github.com/yana'],
}
const firm = { '@type': 'ProfessionalService', name: 'White Label Products', url: `${at}/` }
const rated = {
  '@type': 'AggregateRating',
  ratingValue: '4.3',
  itemReviewed: { '@type': 'Restaurant', name: 'Ta Varelia', url: `${at}/`, telephone: '2108050344' },
}

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

test.each<Row>([
  [
    'a page that says all in English and in Arabic is in neither language',
    accessibilityActionability,
    'lang',
    home(`<html lang="en"><body>${prose('We build backends. نبني أنظمة خلفية موثوقة. ')}`),
    'pass',
  ],
  [
    'a menu of Japanese names is no Chinese text',
    accessibilityActionability,
    'lang',
    home(`<html lang="ja"><body>${prose('学院概要 事業内容 施設設備 卒業生 教育課程 進学課程の ')}`),
    'pass',
  ],
  [
    'a whole text in another language is still seen',
    accessibilityActionability,
    'lang',
    home(
      `<html lang="en"><body>${prose('Hukuk büromuz 2010 yılından beri müvekkillerine danışmanlık veriyor. ')}`,
    ),
    'fail',
  ],
  [
    'profiles of the person who runs the firm are those of the site',
    structuredData,
    'same-as',
    home(`<title>Yana Chiz — products</title>${ld(firm, person)}`),
    'pass',
  ],
  [
    'the markup of that person repeats the telephone number',
    entityTrust,
    'nap',
    home(`<title>Yana Chiz — products</title>${ld(firm, person)}<footer>+7 (903) 387-05-45</footer>`),
    'pass',
  ],
  [
    'an employee is not the site',
    structuredData,
    'same-as',
    home(`<title>White Label Products</title>${ld(firm, person)}`),
    'fail',
  ],
  [
    'the restaurant that a rating is about is the one of the site',
    entityTrust,
    'nap',
    home(`<title>Taverna</title>${ld(rated)}<footer>Tel. 210 805 0344</footer>`),
    'pass',
  ],
  [
    'the name of the maker stands in the text',
    structuredData,
    'agreement',
    home(
      `<title>Kinocut</title>${ld({ '@type': 'Organization', name: 'KyaniteLabs', url: at })}<p>A project of KyaniteLabs.</p>`,
    ),
    'pass',
  ],
  [
    'a name that stands nowhere is a fault',
    structuredData,
    'agreement',
    home(
      `<title>Kinocut</title>${ld({ '@type': 'Organization', name: 'KyaniteLabs', url: at })}<p>Film.</p>`,
    ),
    'fail',
  ],
  [
    'the page of an employer is no profile of the site',
    entityTrust,
    'profiles',
    home(
      `<title>Ana Bel</title>${ld({ ...person, name: 'Ana Bel', sameAs: ['https://www.linkedin.com/in/anabel'] })}
      <a href="https://www.linkedin.com/in/anabel">me</a><a href="https://www.linkedin.com/company/example-pumps">work</a>`,
    ),
    'pass',
  ],
  [
    'a business without a public address says where it works',
    structuredData,
    'required-props',
    home(ld({ '@type': 'LegalService', name: 'Deble', areaServed: 'Brasil' })),
    'pass',
  ],
  [
    'a figure of a paper is no mail address',
    workflowAutomation,
    'lead-capture',
    home('<title>Map Ltd</title><p>The score is map@0.5 here.</p>'),
    'fail',
  ],
  [
    'a calculator takes no bookings',
    workflowAutomation,
    'lead-capture',
    home(
      '<title>Pay Ltd</title><form id="calcForm"><input type="date" name="start"><input type="number" name="pay"></form>',
    ),
    'fail',
  ],
  [
    'a clause of the terms offers no appointments',
    workflowAutomation,
    'booking',
    home('<h3>第10条（予約代行の範囲）</h3><p>x</p>'),
    'na',
  ],
  [
    'a heading about reservations does',
    workflowAutomation,
    'booking',
    home('<h3>ご予約</h3><footer>Tel. +81 3 5211 4408</footer>'),
    'warn',
  ],
  [
    'nobody asks a library for its prices',
    workflowAutomation,
    'pricing',
    home('<pre>pip install httpx</pre><a href="/api/">API</a>'),
    'na',
  ],
  [
    'nor a parish',
    workflowAutomation,
    'pricing',
    home('<title>Parrocchia San Paolo</title><p>Orari delle messe.</p>'),
    'na',
  ],
  [
    'but a plumber',
    workflowAutomation,
    'pricing',
    home('<title>Plumber in Hull</title><p>We mend.</p>'),
    'fail',
  ],
  [
    'a box to tick in a form for questions subscribes',
    workflowAutomation,
    'newsletter',
    home(
      '<form><input type="email"><textarea></textarea><input type="checkbox" name="newsletter_opt_in"></form>',
    ),
    'pass',
  ],
  [
    'a tag manager that is loaded through the own host is one',
    workflowAutomation,
    'crm-tags',
    home(
      "<script>(function(w,l){w[l]=w[l]||[];w[l].push({'gtm.start': new Date().getTime(),event:'gtm.js'})})(window,'dataLayer')</script><script src='/metrics/x.js'></script>",
    ),
    'pass',
  ],
  [
    'an llms.txt with whole addresses is a guide',
    coreSnapshot,
    'llms-sane',
    {
      ...home('<p>x</p>'),
      [`${at}/llms.txt`]: {
        purpose: 'llms',
        body: `# Index\n\nA directory in which products register themselves.\n\n- Search: ${at}/api/search`,
        headers: { 'content-type': 'text/plain' },
      },
    },
    'pass',
  ],
  [
    'a day in the story is not the day of publication',
    freshnessIndex,
    'date-match',
    {
      ...home('<p>x</p>'),
      [`${at}/blog/flood`]: `${ld({ '@type': 'Article', headline: 'The flood', datePublished: '2026-03-14', author: 'A' })}<main><h1>The flood</h1><p>On 2 March 2026 the river rose above its banks, and all of the lower town was under water by noon of that day.</p></main>`,
    },
    'na',
  ],
  [
    'a byline with another day contradicts the markup',
    freshnessIndex,
    'date-match',
    {
      ...home('<p>x</p>'),
      [`${at}/blog/flood`]: `${ld({ '@type': 'Article', headline: 'The flood', datePublished: '2026-03-14', author: 'A' })}<main><h1>The flood</h1><p>2 March 2026</p><p>The river rose above its banks.</p></main>`,
    },
    'fail',
  ],
])('%s', (_, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries)).result).toBe(result)
})

test.each([
  ['formulas', 'Let $\\theta = 0$ and $x_5$ be given, with $n = 2$.', []],
  ['a language and its version', 'Built with PHP 8 and PHP 8.3', []],
  ['a number in a register', 'OAB/RS 130.351', []],
  ['a price after a formula', 'Let $x = 2$. The book costs $29.', ['$29']],
  ['pesos', 'from PHP 1,500', ['PHP 1,500']],
])('amounts: %s', (_, text, expected) => expect(amountsIn(text, 5)).toEqual(expected))

test.each([
  ['a part before a wide bar', '<title>暁星 Site｜普段使いの器</title>', '暁星 Site'],
  [
    'the part that is a school',
    '<title>最新ニュース | 愛知国際学院</title><footer>© Aichi Academy</footer>',
    '愛知国際学院',
  ],
  ['a title of one word', '<title>hayefTiyatroTopluluğu</title>', 'hayefTiyatroTopluluğu'],
  ['no slogan', '<title>everything for your bicycle</title>', 'site.example'],
])('the name is %s', (_, html, name) => expect(companyName(site(home(html)))).toBe(name))

test('a library is technology', () => {
  expect(industryOf(site(home('<h1>HTTPX</h1><pre>pip install httpx</pre>')))).toBe('technology')
})

describe('addresses', () => {
  test.each([
    ['/confidentiality.html', 'privacy', true],
    ['/mentions-legales.html', 'imprint', true],
    ['/makaleler/kvkk-uyumu', 'privacy', false],
    ['/blog/compliance', 'trust', false],
  ] as const)('%s as a page of %s: %s', (path, kind, expected) => {
    expect(isPathOfKind(`${at}${path}`, kind)).toBe(expected)
  })

  test('samples of code in llms.txt are no links', () => {
    const body = `# A\n[real](${at}/a)\n\`[x](${at}/SLUG)\`\n\`\`\`\n[y](${at}/YOUR-SLUG)\n\`\`\`\n`
    expect(markdownLinks(body, `${at}/llms.txt`)).toEqual([`${at}/a`])
  })
})

test('a page about the firm that only answered a link check is not called missing', () => {
  const entries = {
    ...home('<a href="/hakkimizda.html">Hakkımızda</a>'),
    [`${at}/hakkimizda.html`]: { purpose: 'link' as const, body: '' },
  }
  expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('unmeasured')
})
