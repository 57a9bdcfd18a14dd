import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { hoursInGrids } from '../../../../../src/products/scan/signals/contact/grid-hours.ts'
import { comparedHours } from '../../../../../src/products/scan/signals/contact/site-hours.ts'
import { ownNameOf } from '../../../../../src/products/scan/signals/page-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { noticesOf } from '../../../../../src/products/scan/site/linked-pages.ts'
import { shownTrail } from '../../../../../src/products/scan/site/shown-trail.ts'
import { site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, onPages, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What readers of reports on shops, magazines, conferences, manuals and practices found to be false. */

describe('the profile of whoever made the site', () => {
  const own = (footer: string, more = '') =>
    runCheck(entityTrust, 'profiles', read(`${more}</main><footer>${footer}</footer><main>`)).result

  test.each([
    ['behind a year', '© 2018 <a href="https://facebook.com/larry">Larry</a>'],
    ['before "Design"', 'A <a href="https://facebook.com/larry">Larry</a> Design &amp; Production'],
    ['at GitHub', '<a href="https://github.com/larry">Larry</a>'],
  ])('%s is not that of the practice', (_, footer) => {
    expect(own(footer)).toBe('na')
  })

  test('at GitHub counts where it has the name of the site, or the site is one of code', () => {
    expect(own('<a href="https://github.com/lind-dental">Code</a>')).toBe('fail')
    expect(own('<a href="https://github.com/larry">Code</a>', '<pre>npm install lark</pre>')).toBe('fail')
  })
})

describe('a form that nothing sends', () => {
  const form = (attributes: string, script = '') =>
    `<form ${attributes}><input name="name"><input name="mail" type="email"><textarea name="text"></textarea><button>Send</button></form><script>${script}</script>`
  const leads = (body: string, headers = {}) =>
    runCheck(workflowAutomation, 'lead-capture', site({ [at()]: { body: page(body), ...headers } }))

  test('stops itself, and the enquiry gets nowhere', () => {
    const stopped = leads(form('action="#" method="post" onsubmit="return false;"'))
    expect(stopped.result).toBe('fail')
    expect(reasonOf(stopped)).toContain('keeps the browser from sending')
    const handler = 'document.querySelector("form").addEventListener("submit", () => { fetch("/x") })'
    expect(leads(form('action="#" onsubmit="return false"', handler)).result).toBe('pass')
  })

  test('was copied with its page from WordPress to a host without programs', () => {
    const html = `${form('class="wpcf7-form" action="/#wpcf7-f1" method="post" data-status="init"')}<script>var wpcf7 = {"api":{"root":"https:\\/\\/lind.example\\/wp-json\\/"}}</script>`
    expect(leads(html, onPages).result).toBe('fail')
    expect(leads(html).result).toBe('pass')
  })
})

describe('the kind of a site', () => {
  const kind = (body: string, title = 'Lind') => kindOfSite(site({ [at()]: page(body, title) }))

  test.each([
    ['event', '<p>LindConf is a 3-day event for developers.</p><a href="/">Services</a>', 'Lind 2015'],
    ['event', '<a href="/">Services</a>', 'LindConf'],
    ['publication', '<a href="/">Services</a>', 'Linux Gazette'],
    ['library', '<pre>install.packages("lark")</pre>', 'lark'],
    ['business', '<p>We plan each conference of yours.</p><h2>Our services</h2>', 'Lind Ltd'],
  ])('is %s', (expected, body, title) => {
    expect(kind(body, title)).toBe(expected)
  })

  test('of an archive asks for no news', () => {
    const note = '<p>This site will not be updated in the future and is kept as an archive.</p>'
    const post = { body: page(`${note}<time datetime="2015-01-01">2015</time>`, 'Post') }
    const archive = site({ [at()]: page(note), [at('/blog/one')]: post, [at('/blog/two')]: post })
    for (const [agent, id] of [
      [freshnessIndex, 'newest'],
      [freshnessIndex, 'feed'],
      [workflowAutomation, 'newsletter'],
    ] as const)
      expect(runCheck(agent, id, archive).result).toBe('na')
  })
})

test('a link to a blog that answers 404 makes no publication of a practice', () => {
  const broken = read('<a href="/blog.html">Online</a>', {
    [at('/blog.html')]: { status: 404, purpose: 'link' },
  })
  expect(runCheck(freshnessIndex, 'newest', broken).result).toBe('na')
})

test('what a program printed is no date of the site', () => {
  const manual = read('<a href="/blog/one">One</a><pre>1 CHPP 2021-07-07 06:40</pre>', {
    [at('/blog/one')]: page('<pre>2 CHPP 2021-07-08</pre>', 'One'),
  })
  expect(reasonOf(runCheck(freshnessIndex, 'newest', manual))).toContain('No date that says when')
})

describe('names of pages', () => {
  const trail = (name: string) =>
    `<ul><li><a href="/">Start</a></li><li><a href="/services.html">Services</a></li><li>${name}</li></ul>`
  const pages = site({
    [at()]: page('<a href="/a.html">image</a>'),
    [at('/services.html')]: page('<h3><a href="/b.html">Root canals</a></h3><a href="/a.html">image</a>'),
    [at('/a.html')]: page(`${trail('Implants')}<h2>Gums</h2>`),
    [at('/b.html')]: page('<h2>Long story?</h2>'),
  })
  const nameAt = (path: string) => {
    const found = pages.pages.find(({ url }) => url === at(path))
    return found === undefined ? '' : ownNameOf(found, pages.pages)
  }

  test('come from the way that a page shows, or from the card that leads there', () => {
    expect(nameAt('/a.html')).toBe('Implants')
    expect(nameAt('/b.html')).toBe('Root canals')
  })

  test('a list of treatments is no way to a page', () => {
    const list = '<ul><li><a href="/">Start</a></li><li><a href="/x">Gums</a></li></ul>'
    const [only] = site({ [at('/deep/page')]: page(list) }).pages
    expect(only === undefined ? only : shownTrail(only)).toBeUndefined()
  })

  test('that two pages share are told, and a copy at a second address is none', () => {
    const entries = (canonical: string) => ({
      [at()]: page('', 'Start'),
      [at('/a')]: page('<p>One text</p>', 'Services'),
      [at('/b')]: page('<p>One text</p>', 'Services', canonical),
      [at('/c')]: page('', 'Team'),
    })
    const shared = { ...entries(''), [at('/b')]: page('<p>Another text</p>', 'Services') }
    expect(runCheck(contentAnswerability, 'titles', site(shared)).result).toBe('fail')
    const copied = site(entries(`<link rel="canonical" href="${at('/a')}">`))
    expect(reasonOf(runCheck(contentAnswerability, 'titles', copied))).toContain('3 pages can be told apart')
  })
})

describe('the name of the business', () => {
  const name = (title: string, head: string, body: string) =>
    companyName(site({ [at()]: page(body, title, head) }))

  test.each([
    [
      'that stands beside the domain',
      'Lind Dental',
      name(
        'Welcome',
        '<meta property="og:site_name" content="lind.example"><meta property="og:title" content="Lind Dental | lind.example">',
        '<footer>Lind Dental</footer>',
      ),
    ],
    [
      'without the year of an earlier event',
      'Lind Fair',
      name('Archive of Lind Fair', '<meta property="og:site_name" content="Lind Fair 2019">', ''),
    ],
  ])('is the one %s', (_, expected, found) => {
    expect(found).toBe(expected)
  })
})

describe('the canonical addresses of pages', () => {
  test('on another domain are told, also where the home page is right', () => {
    const head = (url: string) => `<link rel="canonical" href="${url}">`
    const moved = site({
      [at()]: page('', 'Start', head(at())),
      [at('/a')]: page('A', 'A', head('https://old.example/a')),
      [at('/b')]: page('B', 'B', head('https://old.example/b')),
    })
    const outcome = runCheck(crawlAccess, 'canonical', moved)
    expect(outcome.result).toBe('fail')
    expect(reasonOf(outcome)).toContain('2 of 3 pages name a page of another site')
  })
})

test('a sitemap without whole addresses is none that engines can read', () => {
  const sitemap = '<urlset><url><loc>/team</loc></url><url><loc>/prices</loc></url></urlset>'
  const outcome = runCheck(coreSnapshot, 'sitemap', read('', { [at('/sitemap.xml')]: sitemap }))
  expect(outcome.result).toBe('fail')
  expect(fixOf(outcome)).toContain(`beginning with ${at()}`)
})

test('a feed that is served as HTML is no page', () => {
  const feed = '<?xml version="1.0"?><rss><channel><item><title>One</title></item></channel></rss>'
  const one = read('', {
    [at('/feed/')]: { body: feed, purpose: 'page', headers: { 'content-type': 'text/html' } },
  })
  expect(one.pages.map(({ url }) => url)).toEqual([at()])
})

describe('ways to write', () => {
  test.each(['lind (at) bakery (dot) example', 'E-mail: lind あっと bakery どっと org'])(
    'include an address that is spelled out: %s',
    (text) => {
      expect(runCheck(coreSnapshot, 'contact-path', read(`<p>${text}</p>`)).result).toBe('pass')
    },
  )

  test('are no words that look like one', () => {
    expect(runCheck(coreSnapshot, 'contact-path', read('<p>Look at example dot com</p>')).result).toBe('fail')
  })
})

test('a rating is no list of versions', () => {
  const versions = `<p>Made for RH4.2/5.0/5.1 and others. ${words(30)}</p>`
  expect(runCheck(entityTrust, 'proof', read(`<h2>Our services</h2>${versions}`)).result).toBe('fail')
})

test('a page of open work in a project takes no applications', () => {
  const jobs = (title: string, text: string) =>
    read('', { [at('/jobs.html')]: page(`<h2>${title}</h2><p>${text}</p>`, title) })
  expect(runCheck(workflowAutomation, 'hiring', jobs('Project Status', 'Yellow: help wanted')).result).toBe(
    'na',
  )
  expect(runCheck(workflowAutomation, 'hiring', jobs('Jobs', 'Soon.')).result).toBe('fail')
})

test('a button without an address that opens the menu of telephones is named, and not given an address', () => {
  const menu =
    '<a href="#" data-activates="slide-out" class="button-collapse"><i class="material-icons">dehaze</i></a>'
  const outcome = runCheck(accessibilityActionability, 'names', read(menu))
  expect(outcome.result).toBe('fail')
  expect(fixOf(outcome)).not.toContain('the address that it shall open')
})

test('a picture that is called by its file alone has no alternative text', () => {
  const outcome = runCheck(
    accessibilityActionability,
    'alt',
    read('<img src="/img/hNBvasls_400x400.jpg" alt="hNBvasls_400x400">'),
  )
  expect(outcome.result).toBe('fail')
})

test('fields for browsers without scripts are judged by nobody', () => {
  const outcome = runCheck(
    accessibilityActionability,
    'labels',
    read('<select class="single no-js"><option>1</select>'),
  )
  expect(outcome.result).toBe('na')
})

test('a number without its scheme is dialled, and no page is to be written for it', () => {
  const outcome = runCheck(
    freshnessIndex,
    'internal-links',
    read('<a href="+905528559086">Call</a>', { [at('/+905528559086')]: { status: 404, purpose: 'link' } }),
  )
  expect(fixOf(outcome)).toContain('lead to tel:+905528559086')
})

describe('a table with a column for each day', () => {
  const grid = (sunday: string) => {
    const cells = ['●', '／', '●', '●', '●', '●', sunday].map((mark) => `<td>${mark}</td>`).join('')
    const days = [...'月火水木金土日'].map((day) => `<th>${day}</th>`).join('')
    return `<table><tr><th>診療時間</th>${days}</tr><tr><th>9:30～13:00</th>${cells}</tr></table>`
  }
  const hoursOf = (html: string) => hoursInGrids(site({ [at()]: page(html) }).pages[0] ?? { elements: [] })

  test('is read, and a sign that is not known leaves its hours open', () => {
    expect(hoursOf(grid('休診'))).toEqual(['Mo,We,Th,Fr,Sa 09:30-13:00'])
    expect(hoursOf(grid('10:00-12:00'))).toEqual(['Mo,We,Th,Fr,Sa 09:30-13:00', 'Su 10:00-12:00'])
    expect(hoursOf(grid('△'))).toBe('partly')
    expect(hoursOf('<table><tr><th>Size</th><td>9:30～13:00</td></tr></table>')).toBeUndefined()
  })

  test('shows a day that the markup leaves out', () => {
    const data = JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Dentist',
      name: 'Lind Dental',
      openingHours: 'Mo,We-Sa 09:30-13:00',
    })
    const compared = comparedHours(read(`${grid('●')}<script type="application/ld+json">${data}</script>`))
    expect(compared?.isDifferent).toBe(true)
  })
})

test('streets of Poland and Turkey are read, and the unit before a Canadian number', () => {
  const first = (text: string) => streetsIn(text)[0]?.written
  expect(first('ul. Wolska 81, Warszawa')).toBe('ul. Wolska 81')
  expect(first('Halaskargazi cad. No:38-66 Daire:29 ŞİŞLİ')).toBe('Halaskargazi cad. No:38-66 Daire:29')
  expect(first('9-170 Fuller Road, Ajax ON')).toBe('9-170 Fuller Road')
})

test('the text above the main heading opens a page that has it there', () => {
  const opening =
    'LindConf is a conference that brings developers of all languages together for talks, food and walks.'
  const outcome = runCheck(
    contentAnswerability,
    'answer-first',
    site({
      [at()]: `<html lang="en"><title>LindConf</title><body><main><p>${opening} ${words(10)}</p><h1>Tacos!</h1><p>Join us.</p></main>`,
    }),
  )
  expect(outcome.result).toBe('pass')
  expect(quotesOf(outcome)).toContain('LindConf is a conference')
})

test('two places on one page share no telephone number, and the owner is asked for that of each', () => {
  const place = (street: string, phone: string, mail: string) =>
    `<ul><li>${street}</li><li>${phone}</li><li><a href="mailto:${mail}">${mail}</a></li></ul>`
  const first = place('495 North East Road, Hillcrest SA 5086', '+61 (8) 8261 0755', 'a@hill.example')
  const second = place('241 Kensington Road, Kensington Park SA 5068', '+61 (8) 8331 9087', 'b@lind.example')
  const one = read(`<section id="contact"><h2>Contact</h2>${first}${second}</section>`)
  if (one.home === undefined) throw new Error('the site has no home page')
  const { telephone, email, conflicts } = readFacts(one, one.home)
  expect([telephone, email]).toEqual([undefined, undefined])
  expect(conflicts.telephone?.map(({ value }) => value)).toEqual(['+61 (8) 8261 0755', '+61 (8) 8331 9087'])
})

test('a lawyer who is paid by what he wins has no prices to publish', () => {
  const lawyer = (text: string) =>
    runCheck(workflowAutomation, 'pricing', read(`<h2>Our services</h2><p>${text}</p>`)).result
  expect(lawyer('No fees unless we win.')).toBe('na')
  expect(lawyer('Fees by agreement.')).toBe('fail')
})

test('a program that is installed is no application on the web', () => {
  const program = (operatingSystem: string) =>
    read(
      `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'SoftwareApplication', name: 'Aya', operatingSystem })}</script>`,
    ).profile.app
  expect(program('WINDOWS')).toBe(false)
  expect(program('Windows 10, macOS 12')).toBe(false)
  expect(program('Any')).toBe(true)
})

test('a licence tells the terms of a program', () => {
  const linked = (link: string, path: string) =>
    noticesOf(read(link, { [at(path)]: page(words(60), 'Other') })).size
  expect(linked('<a href="/eula">Legal agreement</a>', '/eula')).toBe(1)
  expect(linked('<a href="/about">About</a>', '/about')).toBe(0)
})

test('the first heading below the main one may hold the sentence that opens a page', () => {
  const line =
    'Lind Dental is a practice that treats children and adults in Dublin, with five dentists and open evenings for all of them.'
  expect(
    runCheck(contentAnswerability, 'answer-first', read(`<h2>${line}</h2><p>Version 2</p>`)).result,
  ).toBe('pass')
})
