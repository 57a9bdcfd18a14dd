import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { businessBlock } from '../../../../../src/products/scan/report/blocks/business-block.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { wallBlock } from '../../../../../src/products/scan/report/blocks/wall-block.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What visitors can do, names and texts: more verdicts that a reader of sixteen more public sites, in fourteen languages, found to be false. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const words = (count: number) => 'word '.repeat(count)

describe('what a visitor can do', () => {
  const judged = (check: string, entries: Entries) => runCheck(workflowAutomation, check, site(entries))
  const offer = '<h2>Our services</h2>'
  const swedish =
    'Vi hjälper dig som äger ett fritidshus att hyra ut det och tar hand om gästerna och städningen varje vecka. '

  test('a link that books at another site is a booking service, whatever its name', () => {
    const link = '<a href="https://club.far.example/nl/reserveer-een-terrein">Reserveer een terrein</a>'
    expect(judged('booking', home(`<html lang="nl"><h1>Tennisclub</h1>${link}`)).result).toBe('pass')
  })

  test('what a booking link to an unclear address shows is not known', () => {
    const link = '<a href="https://far.example/x7">Book a court</a><a href="tel:+443069990001">call</a>'
    expect(judged('booking', home(`<h1>Tennis</h1>${link}`)).result).toBe('unmeasured')
  })

  test('a form under a heading for call-outs takes them', () => {
    const form =
      '<form action="/send"><h3>Вызвать мастера</h3><input name="order_name"><input type="tel" name="p"></form>'
    expect(judged('booking', home(`<html lang="ru"><h1>Чистка</h1>${form}`)).result).toBe('pass')
  })

  test('a calculator that asks for two dates takes neither appointments nor enquiries', () => {
    const form =
      '<form><input type="date" name="from"><input type="date" name="to"><input name="pay"><button>=</button></form>'
    const page = `<h1>Law</h1>${offer}${form}<p>${words(30)}</p>`
    expect(judged('booking', home(page)).result).toBe('na')
    expect(judged('lead-capture', home(page)).result).toBe('fail')
  })

  test('a form that opens a mail program is mail', () => {
    const form =
      '<form action="mailto:a@site.example"><input type="email"><textarea></textarea><button>Send</button></form>'
    expect(judged('lead-capture', home(`<h1>Eyes</h1>${offer}${form}<p>${words(30)}</p>`)).result).toBe(
      'warn',
    )
  })

  test.each(['lead-capture', 'support'])('notes that offer nothing are not asked for %s', (check) => {
    const page = `<title>Notes</title><h1>Notes</h1><p>${words(60)}</p><a href="mailto:a@site.example">me</a>`
    expect(judged(check, home(page)).result).toBe('na')
  })

  test('a firm with a page for contact is asked for a form, also where its offers have unusual names', () => {
    const page = `<title>Lind Ltd</title><h1>Lind</h1><p>${words(60)}</p><a href="/contact">Contact</a>`
    const contact = '<h1>Contact</h1><a href="mailto:a@site.example">me</a>'
    expect(judged('lead-capture', { ...home(page), [`${at}/contact`]: contact }).result).toBe('warn')
  })

  test.each(['booking', 'pricing', 'newsletter', 'support'])(
    'in a language without words %s is not judged by what is absent',
    (check) => {
      const page = `<html lang="sv"><h1>Uthyrning</h1><p>${swedish.repeat(5)}</p><p>kapital 100.000 kr</p>`
      expect(judged(check, home(page)).result).toBe('unmeasured')
    },
  )

  test('a form is never asked for on the privacy notice', () => {
    const contact = '<h1>Privacy</h1><a href="tel:+443069990001">call</a>'
    const page = `<h1>Lab</h1>${offer}<p>${words(30)}</p><a href="/privacy">Contact</a><a href="/privacy">Privacy</a>`
    expect(fixOf(judged('lead-capture', { ...home(page), [`${at}/privacy`]: contact }))).not.toContain(
      '/privacy',
    )
  })

  test('an empty page about jobs gives no address', () => {
    const footer = '<footer>admin@site.example</footer>'
    const page = `<h1>Agency</h1><a href="/jobs">Jobs</a>${footer}`
    expect(judged('hiring', { ...home(page), [`${at}/jobs`]: `<title>Jobs</title>${footer}` }).result).toBe(
      'na',
    )
  })

  test('EmailJS takes what forms send', () => {
    const page =
      '<h1>Garden</h1><script src="https://cdn.jsdelivr.net/npm/@emailjs/browser@3/dist/email.min.js"></script>'
    expect(judged('crm-tags', home(page)).result).toBe('pass')
  })

  test.each(['<dt>Τηλέφωνο</dt><dd>2310236115</dd>', '<p>Điện thoại: 0912 345 678</p>'])(
    '%s is a telephone number',
    (html) => {
      expect(site(home(html)).pages[0]?.phones).toHaveLength(1)
    },
  )

  test('a street is named as missing where the language has no rules for streets: the block lacks it', () => {
    const page = `<html lang="sv"><title>Lind</title><h1>Lind</h1><h2>Tjänster</h2><p>${swedish.repeat(5)}</p><footer>Tel 08-123 456 79</footer>`
    const read = site(home(page))
    if (read.home === undefined) throw new Error('the site has no home page')
    expect(businessBlock(read, read.home, readFacts(read, read.home))?.block.missing.join()).toContain(
      'street',
    )
  })
})

describe('the name', () => {
  const talks = Object.fromEntries(
    ['Talks', 'Fees', 'Access', 'Rooms'].map((page) => [
      `${at}/${page}`,
      `<title>${page} | 第72回 航空学会</title>`,
    ]),
  )

  test('is the part that the other titles repeat, and not the theme of the home page', () => {
    const read = site({ ...home('<title>第72回 航空学会 | 空から宇宙へ</title>'), ...talks })
    expect(companyName(read)).toBe('第72回 航空学会')
  })

  test('does not stand in the title of a home page that lacks it', () => {
    const read = site({
      ...home('<title>Lessons and rates</title><footer>© 2026 Lind Rowing</footer>'),
      [`${at}/a`]: '<title>A | Lind Rowing</title>',
      [`${at}/b`]: '<title>B | Lind Rowing</title>',
    })
    expect(quotesOf(runCheck(entityTrust, 'brand-name', read))).toContain('the title: "Lessons and rates"')
  })

  test('is the same with an abbreviation in brackets behind it', () => {
    const page =
      '<title>Society of Rowing (SR)</title><meta property="og:site_name" content="Society of Rowing (SR)"><footer>© Society of Rowing (Company of Rowers)</footer>'
    expect(runCheck(entityTrust, 'brand-name', site(home(page))).result).toBe('pass')
  })

  test('is not looked for in the footers of article cards', () => {
    const page = '<title>Lind Log</title><article><footer>2026-05-15, 9 minutes</footer></article><p>end'
    expect(quotesOf(runCheck(entityTrust, 'brand-name', site(home(page))))).not.toContain('9 minutes"')
  })
})

describe('the text of pages', () => {
  test('figures are no file numbers, ordinals, session days or years', () => {
    const text = 'E. 2009/6705 T. 12.05.2009 and 12/4 Day 1 and 12/5 Day 2 and 第72回 and 25년 회고. '
    const outcome = runCheck(
      contentAnswerability,
      'evidence',
      site(home(`<main><h1>A</h1><p>${text}${words(120)}</p></main>`)),
    )
    expect(quotesOf(outcome)).toContain('0 figures')
  })

  test('a long text called "articles" is content, and a list of articles is none', () => {
    const statutes = `<main><h1>Articles</h1><p>${words(400)}</p></main>`
    const depth = (body: string) =>
      runCheck(
        contentAnswerability,
        'depth',
        site({ ...home(`<main><p>${words(310)}</p></main>`), [`${at}/articles.html`]: body }),
      )
    expect(depth(statutes)).toMatchObject({ reason: expect.stringContaining('2 of 2') })
    expect(depth(`<main>${'<a href="/p">A post</a> '.repeat(9)}</main>`)).toMatchObject({
      reason: expect.stringContaining('1 of 1'),
    })
  })

  test.each(['accessibility-statement', 'polityka-prywatnosci'])('%s is no page to write more on', (path) => {
    const outcome = runCheck(
      contentAnswerability,
      'depth',
      site({ ...home('<p>x</p>'), [`${at}/${path}.html`]: `<p>${words(90)}</p>` }),
    )
    expect(fixOf(outcome)).not.toContain(path)
  })

  test('a section named by its aria-label is about the firm', () => {
    const page = `<h1>Lab</h1><section aria-label="about"><h2>Special teeth</h2><p>${words(200)}</p></section><section id="team"><p>${words(35)}</p></section>`
    expect(runCheck(entityTrust, 'about', site(home(page))).result).toBe('pass')
  })

  test('a page that is empty for everybody is told to get a text, and no firewall is blamed', () => {
    const body = '<html><body><img src="/logo.svg" alt="Law firm"></body></html>'
    const read = site({ ...home(body), [`${at}/#browser`]: { purpose: 'home-browser', body } })
    expect(wallBlock(read)).toBeUndefined()
  })
})
