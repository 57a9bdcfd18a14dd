import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** A site is a business only where it says so, and what is said of a page stands on that page. */

const at = 'https://site.example'
const words = (count: number) => 'word '.repeat(count)
const home = (html: string): Entries => ({ [`${at}/`]: html })

describe('a site that does not say what it is', () => {
  const notes = home(`<title>Atelier Nord</title><h1>Atelier Nord</h1><p>${words(60)}</p>`)

  test.each([
    ['support', workflowAutomation],
    ['faq', workflowAutomation],
    ['pricing', workflowAutomation],
    ['crm-tags', workflowAutomation],
    ['lead-capture', workflowAutomation],
    ['proof', entityTrust],
  ])('is not asked for %s', (check, agent) => {
    expect(kindOfSite(site(notes))).toBe('unclear')
    expect(runCheck(agent, check, site(notes)).result).toBe('na')
  })

  test.each([
    ['a price list', '<a href="/prices">Prices</a>'],
    ['a link for reservations', '<a href="/book">Book now</a>'],
    ['an amount', '<p>Entry is 5 €, for children 2 €, for families 9 €.</p>'],
    ['members', '<a href="/join">Become a member</a><h2>Membership</h2><a href="/subscribe">Subscribe</a>'],
    ['courses', '<h2>Courses</h2><h2>Menu</h2><h2>Tickets</h2>'],
    ['the host of its pages', '<p>Hosted by Wolke GmbH, Ulm</p>'],
    ['an app that is free', '<a href="https://apps.apple.com/app/id1">App Store</a>'],
    ['a subscription to its mails', '<p>Your subscription is free.</p>'],
    [
      'markup, which is rewarded',
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"LocalBusiness","name":"Nord"}</script>',
    ],
    ['a telephone number', '<a href="tel:+4930901820">Call</a>'],
  ])('is not made a business by %s', (_, html) => {
    expect(kindOfSite(site(home(`<title>Atelier Nord</title><p>${words(60)}</p>${html}`)))).toBe('unclear')
  })

  test.each([
    ['a legal form in its name', '<title>Nord Werkzeuge GmbH</title>'],
    ['one after the copyright sign', '<footer>© 2026 Nord Tools Ltd</footer>'],
    ['its VAT number', '<footer>P. IVA 01234567890</footer>'],
    ['its number in the register of Belgium', '<footer>BCE : BE 0564.725.585</footer>'],
    ['its number in that of Russia', '<footer>ОГРНИП 304500116000157</footer>'],
    ['its number in that of Brazil', '<footer>CNPJ: 12.345.678/0001-95</footer>'],
    [
      'an app with a subscription',
      '<a href="https://apps.apple.com/app/id1">App Store</a><p>Share your subscription with your family.</p>',
    ],
    ['desks for rent', '<title>Nord, espace de coworking</title>'],
    ['guided tours', '<title>Nord: free tours and private tours</title>'],
    ['services in a heading with prices', '<h2>Services &amp; prices</h2>'],
    ['the address of a link', '<a href="/our-services.html">more</a>'],
    ['goods in a menu of another page', '<a href="/a">a</a>', '<nav><a href="/products">Products</a></nav>'],
    ['a trade', '<title>Nord plumbing</title>'],
    [
      'a trade beside markup of its type',
      '<title>Hotel Nord</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Hotel","name":"Nord"}</script>',
    ],
    ['rooms in its menu', '<a href="/a">Our rooms</a>'],
    ['homes for rent', '<h2>Properties for rent</h2>'],
    ['a cart', '<form action="/cart"><button>x</button></form>'],
  ])('is one by %s', (_, html, other = '') => {
    expect(kindOfSite(site({ ...home(html), [`${at}/a`]: other }))).toBe('business')
  })
})

describe('a fix names no page that it was not made for', () => {
  const story = home(`<title>Nord</title><main><h1>Nord</h1><p>${words(1_200)}</p></main>`)

  test.each(['lists-tables', 'evidence'])('%s', (check) => {
    const outcome = runCheck(contentAnswerability, check, site(story))
    expect(outcome.result).toBe('fail')
    expect(fixOf(outcome)).not.toContain(at)
  })

  test('of several main headings none is chosen for the owner', () => {
    const entries = home('<header><h1>Logo</h1></header><main><h1>Cheese from Nord</h1></main>')
    expect(fixOf(runCheck(coreSnapshot, 'one-h1', site(entries)))).not.toContain('Logo')
  })
})

describe('the first paragraph', () => {
  const opening =
    'Nord Dairy is a dairy in Ulm that makes cheese from the milk of its own cows for shops in town.'

  test.each([
    'Loading...',
    'Cargando…',
    'Results for {{ name }} with {{ count }} domains.',
    'Mon: 9am-1pm, 3-6pm Tues: 1-6:30pm',
  ])('is not "%s"', (text) => {
    const entries = home(`<title>Nord Dairy</title><h1>Nord Dairy</h1><p>${text}</p><p>${opening}</p>`)
    expect(runCheck(contentAnswerability, 'answer-first', site(entries)).result).toBe('pass')
  })

  test.each([
    [
      'a heading with its edition',
      'II Congress of Bees 2024',
      'The Congress of Bees arises as a place where each year all universities, keepers and makers of the country meet and talk.',
    ],
    [
      'a short name in capitals',
      'ABJN Ulm',
      'Since 1965, the ABJN teaches the arts of Japan in Ulm to children and to all who want to learn them well.',
    ],
  ])('has a subject by %s', (_, title, text) => {
    const entries = home(`<title>${title}</title><h1>${title}</h1><p>${text}</p>`)
    expect(runCheck(contentAnswerability, 'answer-first', site(entries)).result).toBe('pass')
  })
})

test('the name of an account in a network is no mailbox', () => {
  const entries = home('<a href="https://social.example/@maria">@maria@social.example</a>')
  expect(quotesOf(runCheck(entityTrust, 'nap', site(entries)))).not.toContain('maria@social.example')
})

test('a broken link of the menu is not asked for in the sitemap', () => {
  const urls = ['/', '/a', '/b'].map((path) => `<url><loc>${at}${path}</loc></url>`).join('')
  const entries = {
    ...home('<nav><a href="/a">A</a><a href="/b">B</a><a href="/en/">en</a><a href="/fr/">fr</a></nav>'),
    [`${at}/sitemap.xml`]: `<urlset>${urls}</urlset>`,
    [`${at}/en/`]: { status: 404, purpose: 'link' as const },
    [`${at}/fr/`]: { status: 404, purpose: 'link' as const },
  }
  expect(runCheck(freshnessIndex, 'coverage', site(entries)).result).toBe('pass')
})

describe('a privacy notice', () => {
  test('may be a part of the page with the form', () => {
    const entries = {
      ...home('<a href="/join">Join</a><a href="/terms">Terms</a>'),
      [`${at}/join`]:
        '<form><input name="email"></form><h3>Politique de gestion des données (RGPD)</h3><p>x</p>',
      [`${at}/terms`]: '<p>Terms</p>',
    }
    expect(runCheck(entityTrust, 'legal', site(entries)).result).toBe('pass')
  })

  const notice = {
    ...home('<title>Nord</title><a href="/privacy">Privacy</a>'),
    [`${at}/privacy`]: `<main><h2>Who we are</h2><p>${words(60)}</p><h2>Who are we?</h2><p>${words(30)}</p></main>`,
  }

  test('does not tell who stands behind the site', () =>
    expect(quotesOf(runCheck(entityTrust, 'about', site(notice)))).not.toContain('/privacy'))

  test('asks no questions of visitors', () =>
    expect(fixOf(runCheck(contentAnswerability, 'question-blocks', site(notice)))).not.toContain('/privacy'))
})

test('a field for the recipient is not filled with facts of the visitor', () => {
  const entries = home('<form><label>Email del destinatario <input type="email" name="email"></label></form>')
  expect(runCheck(accessibilityActionability, 'autocomplete', site(entries)).result).toBe('na')
})

test('a linked page to subscribe that was not read is not called missing', () => {
  const entries = home(
    '<title>Nord Ltd</title><a href="/blog/">Blog</a><a href="/form/subscribe/">Subscribe</a>',
  )
  expect(runCheck(workflowAutomation, 'newsletter', site(entries)).result).toBe('unmeasured')
})

describe('a price', () => {
  const pricing = (html: string) => runCheck(workflowAutomation, 'pricing', site(home(html))).result

  test('is not what the visitor would spend', () =>
    expect(
      pricing(
        '<h2>Our services</h2><select name="budget"><option>2 000 €<option>5 000 €<option>9 000 €</select>',
      ),
    ).toBe('fail'))

  test('is not what a church paid', () =>
    expect(
      pricing('<title>Hill Parish</title><p>The roof cost $40,000, the hall $175,000, the organ $9,000.</p>'),
    ).toBe('na'))

  test('is not the end of an address', () => expect(amountsIn('See www.site.fr. 11 Disputes', 5)).toEqual([]))

  test('may be in the currency of Paraguay', () =>
    expect(amountsIn('Students 30.000 GS.', 5)).toHaveLength(1))
})

describe('an API', () => {
  const manual = (text: string) =>
    site({
      ...home('<a href="/api/reference.html">API reference</a>'),
      [`${at}/api/reference.html`]: `<p>${text}</p>`,
    })

  test('of a program is none on the web', () =>
    expect(manual('class Plugin: the rest of its functions run in threads.').profile.api).toBe(false))

  test('on the web is described by requests', () =>
    expect(manual('GET /v1/items returns a list.').profile.api).toBe(true))
})

test('a mailbox of an authority is no support of the site', () => {
  const entries = home(
    '<title>Praxis Nord</title><h2>Leistungen</h2><footer>Kammer: info@kammer.example</footer>',
  )
  expect(quotesOf(runCheck(workflowAutomation, 'support', site(entries)))).not.toContain('kammer')
})

test('a name with academic titles is a name, and the town behind it is none', () => {
  const html =
    '<title>Augenärztin Dr. med. Anna Berg · Ulm</title><h1>Willkommen</h1><footer>© Dr. med. Anna Berg, 2026</footer>'
  expect(companyName(site(home(html)))).toContain('Dr. med. Anna Berg')
})
