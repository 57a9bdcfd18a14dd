import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { kindOfSite } from '../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

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
    ['a telephone number', '<a href="tel:+4930901820">Call</a>'],
  ])('is not made a business by %s', (_, html) => {
    expect(kindOfSite(site(home(`<title>Atelier Nord</title><p>${words(60)}</p>${html}`)))).toBe('unclear')
  })

  test.each([
    ['a legal form in its name', '<title>Nord Werkzeuge GmbH</title>'],
    ['one after the copyright sign', '<footer>© 2026 Nord Tools Ltd</footer>'],
    ['its VAT number', '<footer>P. IVA 01234567890</footer>'],
    ['services in a heading with prices', '<h2>Services &amp; prices</h2>'],
    ['the address of a link', '<a href="/our-services.html">more</a>'],
    ['goods in a menu of another page', '<a href="/a">a</a>', '<nav><a href="/products">Products</a></nav>'],
    ['a trade', '<title>Nord plumbing</title>'],
    ['a cart', '<form action="/cart"><button>x</button></form>'],
  ])('is one by %s', (_, html, other = '') => {
    expect(kindOfSite(site({ ...home(html), [`${at}/a`]: other }))).toBe('business')
  })
})
