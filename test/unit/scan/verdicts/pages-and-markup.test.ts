import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { agentFiles } from '../../../../src/products/scan/agents/agent-files/agent-files.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Verdicts that were false on public sites, in the smallest site that shows each. */

const at = 'https://site.example'
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const home = (html: string): Entries => ({ [`${at}/`]: html })
const german =
  'Wir sind eine kleine Werkstatt in Augsburg und reparieren Fahrräder aller Marken für unsere Kunden. '.repeat(
    6,
  )

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

const rows: readonly Row[] = [
  [
    'a heading of level three before any h1 skips nothing',
    contentAnswerability,
    'hierarchy',
    home('<main><h3>First</h3><p>x</p><h4>Second</h4></main>'),
    'pass',
  ],
  [
    'questions in buttons are questions',
    contentAnswerability,
    'question-blocks',
    home(
      ['How long?', 'How much is it?', 'Where are you?', 'Who are you?', 'Why so?']
        .map((text) => `<button aria-expanded="false">${text} +</button><div hidden>answer</div>`)
        .join(''),
    ),
    'pass',
  ],
  [
    'an easy text has no fault',
    contentAnswerability,
    'readability',
    home(`<html lang="en"><body>${'<p>We fix bikes. You ride them home the same day.</p>'.repeat(40)}`),
    'pass',
  ],
  [
    'a German text is not judged by an English grade',
    contentAnswerability,
    'readability',
    home(`<html lang="en"><body><p>${german}</p>`),
    'unmeasured',
  ],
  [
    'a lang attribute that contradicts the text',
    accessibilityActionability,
    'lang',
    home(`<html lang="en"><body><p>${german}</p>`),
    'fail',
  ],
  [
    'a field with an aria-label',
    accessibilityActionability,
    'labels',
    home('<input aria-label="Name"><input placeholder="Mail">'),
    'pass',
  ],
  [
    'llms.txt that the page links',
    agentFiles,
    'llms-advertised',
    { ...home('<a href="/llms.txt">llms.txt</a>'), [`${at}/llms.txt`]: '# A\n> b\n## C\n- [d](/e)' },
    'pass',
  ],
  [
    'a copyright until the present',
    freshnessIndex,
    'footer-year',
    home('<footer>© 2019-present Firm</footer>'),
    'pass',
  ],
  [
    'a copyright of two digits',
    freshnessIndex,
    'footer-year',
    home('<footer>© 2019–26 Firm</footer>'),
    'pass',
  ],
  ['an old copyright', freshnessIndex, 'footer-year', home('<footer>© 2019 Firm</footer>'), 'fail'],
  [
    'one date for all addresses is a date',
    freshnessIndex,
    'newest',
    {
      ...home('<a href="/blog/a">x</a>'),
      [`${at}/sitemap.xml`]: `<urlset>${['a', 'b'].map((page) => `<url><loc>${at}/${page}</loc><lastmod>2026-11-01</lastmod></url>`).join('')}</urlset>`,
    },
    'pass',
  ],
  [
    'prices in yen',
    workflowAutomation,
    'pricing',
    { ...home('<a href="/ryokin">料金表</a>'), [`${at}/ryokin`]: '<p>カット 4,400円</p>' },
    'pass',
  ],
  [
    'prices in roubles on a page of prices',
    workflowAutomation,
    'pricing',
    { ...home('<a href="/ceny">Цены</a>'), [`${at}/ceny`]: '<p>от 1800 руб</p>' },
    'pass',
  ],
  [
    'a plugin for shops on a site that sells nothing',
    workflowAutomation,
    'commerce',
    home('<link rel="stylesheet" href="/wp-content/plugins/woocommerce/a.css"><p>Words.</p>'),
    'na',
  ],
  [
    'an appointment in a story',
    workflowAutomation,
    'booking',
    home('<p>She missed her appointment with the doctor.</p><a href="tel:2175550142">x</a>'),
    'na',
  ],
  [
    'a tag within noscript',
    workflowAutomation,
    'crm-tags',
    home(
      '<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-A"></iframe></noscript><p>x</p>',
    ),
    'pass',
  ],
  [
    'the employer of a person is not the site',
    structuredData,
    'same-as',
    home(
      ld({
        '@type': 'Person',
        name: 'Ada',
        sameAs: ['https://a.example/1', 'https://b.example/2'],
        worksFor: { '@type': 'Organization', name: 'Big Firm' },
      }),
    ),
    'pass',
  ],
  [
    'the network file of a program is no profile',
    entityTrust,
    'profiles',
    home('<a href="https://github.com/a/b/blob/main/x.md">x</a>'),
    'na',
  ],
  [
    'the bar of a catalogue entry is not about the site',
    entityTrust,
    'about',
    { ...home('<a href="/company/other.html">Other</a>'), [`${at}/company/other.html`]: 'word '.repeat(200) },
    'fail',
  ],
  [
    'a challenge that answers 200 is not read as the page',
    coreSnapshot,
    'title-desc',
    home('<title>Just a moment...</title><p>x</p>'),
    'unmeasured',
  ],
  [
    'a challenge that answers 200 is found',
    crawlAccess,
    'challenge',
    home('<title>Just a moment...</title><p>x</p>'),
    'fail',
  ],
  ['an empty page reaches no one', coreSnapshot, 'reach', home(''), 'fail'],
  [
    'a web page in place of llms.txt is no guide',
    coreSnapshot,
    'llms-sane',
    { ...home('<p>x</p>'), [`${at}/llms.txt`]: '<!doctype html><html><body>Shell</body></html>' },
    'na',
  ],
]

test.each(rows)('%s', (_, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries))).toMatchObject({ result })
})

test.each([
  '<div class="modal-backdrop" role="button"></div>',
  '<div class="menuOverlay" role="button" onclick="closeMenu()"></div>',
  '<div class="lightbox" id="lightbox" onclick="closeLightbox()"><img id="shown"><button>Close</button></div>',
  '<div id="imageModal" class="modal" onclick="if (event.target === this) hide()"><p>x</p></div>',
  '<div class="nav-bg" onclick="closeNav()"></div>',
  '<div class="popup" style="display:none" onclick="this.remove()"><p>x</p></div>',
])('the area behind a dialog is no control: %s', (html) => {
  const one = site(home(`<a href="/a">A</a>${html}`))
  expect(runCheck(accessibilityActionability, 'names', one).result).toBe('pass')
  expect(runCheck(accessibilityActionability, 'real-controls', one).result).toBe('pass')
})

test.each([
  '<div class="lightbox" onclick="openLightbox(1)"><img src="a.jpg" alt="A"></div>',
  '<span class="modal-close" onclick="closeModal()">×</span>',
  '<div class="menu-item" onclick="show(2)">Prices</div>',
  '<div class="x" onclick="closeModal()"></div>',
])('a control that is no button is told: %s', (html) =>
  expect(
    runCheck(accessibilityActionability, 'real-controls', site(home(`<a href="/a">A</a>${html}`))).result,
  ).toBe('fail'),
)
