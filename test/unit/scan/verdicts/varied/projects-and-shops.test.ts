import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { securitySafety } from '../../../../../src/products/scan/agents/security-safety/security-safety.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { ownNameOf } from '../../../../../src/products/scan/signals/page-name.ts'
import { amountsIn, pricesIn } from '../../../../../src/products/scan/site/amounts.ts'
import { articlesOf } from '../../../../../src/products/scan/site/articles.ts'
import { noticesOf } from '../../../../../src/products/scan/site/linked-pages.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, onPages, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What readers of fresh sites found to be false: a museum, a tour firm, a newspaper, a laboratory, a library, a restaurant. */

test('a link to a part of its own page makes no page a notice', () => {
  const footer = '<footer><a href="#disclaimer">Disclaimer</a><p id="disclaimer">No advice.</p></footer>'
  const pages = read(`<a href="/fees">Fees</a>${footer}`, { [at('/fees')]: page(footer, 'Fees') })
  expect(noticesOf(pages).size).toBe(0)
})

test('amounts of other lands, and plugs that are no amounts', () => {
  expect(amountsIn('Check-up D 5,000, GMD 300', 9)).toEqual(['D 5,000', 'GMD 300'])
  expect(amountsIn('With RS232 and RS 485, for Rs 900. Vitamin D 5 mg', 9)).toEqual(['Rs 900'])
})

test('a linked script may write the year of the copyright line', () => {
  const year = (script: string) =>
    runCheck(
      freshnessIndex,
      'footer-year',
      read('<script src="/main.js"></script><footer>© 2016 Lind</footer>', {
        [at('/main.js')]: { purpose: 'script', body: script },
      }),
    ).result
  expect(year('document.querySelector("footer").innerHTML = new Date().getFullYear()')).toBe('na')
  expect(year('r=(new Date).getFullYear();return h("p",{},"\\xa9 2016 - ",r)')).toBe('na')
  expect(year('const end = new Date().getFullYear()')).toBe('fail')
})

test('text that Bootstrap does not draw is no text of the page', () => {
  expect(
    read('<h1 class="d-none">Unseen</h1><h1 class="d-none d-lg-block">Seen</h1>').pages[0]?.headings,
  ).toMatchObject([{ text: 'Lind Dental' }, { text: 'Seen' }])
  const modal = (opener: string, text: string) =>
    read(`${opener}<div class="modal" id="cite"><div class="modal-dialog">${text}</div></div>`).pages[0]?.text
  expect(modal('', 'Copy Download')).not.toContain('Copy')
  expect(modal('<button data-target="#cite">Cite</button>', 'Copy Download')).toContain('Copy')
  expect(modal('', words(150))).toContain('word')
})

test('times of one day are one date of change', () => {
  const times = Array.from({ length: 9 }, (_, n) => `2026-09-01T10:00:0${n}Z`)
  const entries = times.map((time, n) => `<url><loc>${at(`/${n}`)}</loc><lastmod>${time}</lastmod></url>`)
  const map = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
  expect(runCheck(freshnessIndex, 'lastmod', read('', { [at('/sitemap.xml')]: map })).result).toBe('fail')
})

test('a page is called by a question, and by the menu whether or not its address ends in .html', () => {
  const named = (main: string) => {
    const pages = read('<nav><a href="/why">Why us</a></nav>', { [at('/why.html')]: main }).pages
    return pages[1] && ownNameOf(pages[1], pages)
  }
  const why = (heading: string) => `<html><title>Lind Dental</title><main>${heading}<p>Text</p></main></html>`
  expect(named(why('<h1>Why Lind?</h1>'))).toBe('Why Lind?')
  expect(named(why('<h1>Lind Dental</h1>'))).toBe('Why us')
})

test('a link of the menu whose id names a part is no part of that name', () => {
  const about = (body: string) => reasonOf(runCheck(entityTrust, 'about', read(body)))
  expect(about('<nav><a href="#" id="nav-about">Home</a></nav>')).toContain('No page about')
  expect(about('<div id="about"><p>We are few.</p></div>')).toContain('3 words')
})

test('the street of a car park is not that of the practice', () => {
  const contact = page(
    '<p>82 Elizabeth street, Sydney 2000</p><p>Secure carpark (60 Elizabeth Street, Sydney)</p>',
  )
  const one = read('<a href="/contact">Contact</a>', { [at('/contact')]: contact })
  expect(one.home && readFacts(one, one.home).address?.streetAddress).toBe('82 Elizabeth street')
})

test('a feed that has the newest article is as new as it can be', () => {
  const post = (day: string) =>
    page(
      words(60),
      'Post',
      `<meta property="og:type" content="article"><meta property="article:published_time" content="${day}">`,
    )
  const feed = (day: string) =>
    `<?xml version="1.0"?><rss version="2.0"><channel><item><title>A</title><link>${at('/blog/a')}</link><pubDate>${day}</pubDate></item></channel></rss>`
  const judged = (day: string) =>
    runCheck(
      freshnessIndex,
      'feed',
      read('<a href="/blog/a">A</a>', {
        [at('/blog/a')]: post(day),
        [at('/feed.xml')]: {
          purpose: 'feed',
          headers: { 'content-type': 'application/rss+xml' },
          body: feed('Mon, 01 Feb 2021 10:00:00 GMT'),
        },
      }),
    ).result
  expect(judged('2021-02-01')).toBe('na')
  expect(judged('2025-02-01')).toBe('fail')
})

test('a page below the articles that calls itself one is one, whatever its headings are', () => {
  const post = page(
    `<h1>One</h1><h1>Two</h1>${words(60)}`,
    'Post',
    '<meta property="og:type" content="article">',
  )
  expect(articlesOf(read('', { [at('/articles/a')]: post }))).toHaveLength(1)
  expect(articlesOf(read('', { [at('/treatments/a')]: post }))).toHaveLength(0)
})

describe('a repository', () => {
  const owner = 'https://github.com/lind/lark'
  const asked = (body: string) =>
    runCheck(coreSnapshot, 'contact-path', read(body, { [at('/code')]: page(words(40), 'Code') })).result

  test('whose issues are linked is a way to write, for whatever the site is', () => {
    const tracker = `<a href="${owner}/issues">提交问题</a>`
    expect(asked(tracker)).toBe('pass')
    expect(asked(`<a href="${owner}">Code</a>`)).toBe('fail')
  })

  test('has the terms of a library in its licence', () => {
    const legal = (link: string) =>
      reasonOf(runCheck(entityTrust, 'legal', read(`<pre>npm install lark</pre>${link}`)))
    expect(legal(`<a href="${owner}/blob/main/LICENSE">MIT</a>`)).not.toContain('terms is linked')
    expect(legal(`<a href="${owner}">Code</a>`)).toContain('terms is linked')
  })
})

test('a profile that a script links is linked', () => {
  const markup = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', name: 'Lind Dental', url: at(), sameAs: ['https://www.linkedin.com/company/lind'] })}</script>`
  const profiles = (code: string) =>
    runCheck(entityTrust, 'profiles', read(`${markup}<script>${code}</script>`)).result
  expect(profiles('brand.innerHTML = \'<a href="https://www.linkedin.com/company/lind">in</a>\'')).toBe(
    'pass',
  )
  expect(profiles('let a = 1')).toBe('fail')
})

test('a profile in the middle of a sentence is offered to nobody as his own', () => {
  const quotes = (body: string) => quotesOf(runCheck(structuredData, 'same-as', read(body)))
  const link = '<a href="https://twitter.com/evilchelu">Cristi Balan</a>'
  expect(
    quotes(
      `<p>The whole site was made by ${link} in some weeks of the summer, with many helpers of his town.</p>`,
    ),
  ).not.toContain('evilchelu')
  expect(quotes(`<p>${link}</p>`)).toContain('evilchelu')
})

test('a form that comes into view and goes to a program of a host without any delivers nothing', () => {
  const form = `<form action="forms/contact.php" method="post" data-aos="fade-up"><input name="name"><input name="mail" type="email"><textarea name="text"></textarea><button>Send</button></form>`
  const leads = (more: object) =>
    runCheck(workflowAutomation, 'lead-capture', site({ [at()]: { body: page(form), ...more } })).result
  expect(leads(onPages)).toBe('fail')
  expect(leads({})).toBe('pass')
})

test('a table is booked in the window of a service', () => {
  const button = '<p>Book a table</p><span class="glf-button" data-glf-reservation="true">Book a Table</span>'
  const booking = (script: string) =>
    runCheck(workflowAutomation, 'booking', read(`<h2>Our menu</h2>${button}${script}`)).result
  expect(booking('<script src="https://www.fbgcdn.com/embedder/js/ewm2.js"></script>')).toBe('pass')
})

test('figures stand before Chinese words, and are counted once', () => {
  const evidence = (text: string) =>
    reasonOf(runCheck(contentAnswerability, 'evidence', read(`<p>${text}</p>`)))
  expect(evidence(`测试10GB文件合并 ${words(120)}`)).toContain('1 figure')
  const twice = evidence(`Una casa di 400 metri quadri. ${words(300)}`)
  expect(twice).toContain('1 figure')
  expect(twice).not.toContain('may count')
})

test('what invites visitors is no question', () => {
  const questions = (heading: string) =>
    quotesOf(
      runCheck(
        contentAnswerability,
        'question-blocks',
        read(`<h2>${heading}</h2><p>${words(30)}</p><p>${words(90)}</p>`),
      ),
    )
  expect(questions('Sei interessato alle nostre proposte?')).toContain('no question')
  expect(questions('准备好开始高效处理文件了吗？')).toContain('no question')
  expect(questions('Quanto dura una visita?')).toContain('Quanto dura')
})

test('addresses of a project at its host lose the name of the project at a domain of its own', () => {
  const map = (loc: string) => `<urlset><url><loc>${loc}</loc></url></urlset>`
  const fix = (loc: string, more: Entries = {}) =>
    fixOf(runCheck(coreSnapshot, 'sitemap', read('', { [at('/sitemap.xml')]: map(loc), ...more })))
  expect(fix('https://lind.github.io/lark/')).toContain('example https://lind.example/.')
  expect(fix('https://lind.github.io/lark/about')).toContain('https://lind.example/about.')
  expect(fix('https://lind.github.io/about', { [at('/about')]: page(words(30)) })).toContain(
    'https://lind.example/about.',
  )
})

test('a preview has its picture under either name of the protocol', () => {
  const graph = (name: string) =>
    reasonOf(
      runCheck(
        structuredData,
        'open-graph',
        site({ [at()]: page('', 'Lind', `<meta property="${name}" content="https://lind.example/a.png">`) }),
      ),
    )
  expect(graph('og:image:url')).not.toContain('og:image')
  expect(graph('og:audio')).toContain('og:image')
})

test('the password of a mail account in a script is a leak', () => {
  const script = (account: string) =>
    runCheck(
      securitySafety,
      'leaked-keys',
      read(`<script>Email.send({ ${account}, To: "lind@lind.example" })</script>`),
    )
  const leaked = script(
    'Host: "smtp.elasticemail.com", Username: "lind@gmail.com", Password: "23C5D0F1A7EA08"',
  )
  expect(leaked.result).toBe('fail')
  expect(quotesOf(leaked)).not.toContain('23C5')
  expect(script('SecureToken: "C973D7AD-F097-4B95-91F4-40ABC5567812"').result).toBe('pass')
})

test('a form with nameless fields sends nothing to a service either', () => {
  const form = (name: string) =>
    `<form method="post" action="https://formspree.io/lind@lind.example"><input type="text" name="${name}"><input type="email" name=""><textarea name=""></textarea><button>Send</button></form>`
  expect(runCheck(workflowAutomation, 'lead-capture', read(form(''))).result).toBe('fail')
  expect(runCheck(workflowAutomation, 'lead-capture', read(form('name'))).result).toBe('pass')
})

test('a grant is no price, and the price of a cart is one', () => {
  const text = 'He was awarded over $100,000 in research grants. Crowns $900'
  expect(pricesIn(text, 9)).toEqual(['$900'])
  expect(amountsIn(text, 9)).toEqual(['$100,000', '$900'])
  const price = (body: string) =>
    runCheck(workflowAutomation, 'pricing', read(`<h2>Our services</h2><p>Tiles</p>${body}`)).result
  expect(price('<input class="item_price" value="25.00">')).toBe('pass')
  expect(price('<input class="amount" value="25.00">')).toBe('fail')
})

test('the number with the zeros of its country is read to its end', () => {
  expect(read('<p>Telefon: (0049) 69-568 07 116</p>').home?.phones).toContain('(0049) 69-568 07 116')
})

test('the floor above a street is a part of the address', () => {
  const contact = page('<p>Level 1</p><p>82 Elizabeth street, Sydney 2000</p>')
  const one = read('<a href="/contact">Contact</a>', { [at('/contact')]: contact })
  expect(one.home && readFacts(one, one.home).address?.streetAddress).toBe('Level 1, 82 Elizabeth street')
})

describe('who stands behind a site', () => {
  const about = (body: string, more: Entries = {}) => runCheck(entityTrust, 'about', read(body, more)).result

  test('is told by the pages of its board', () => {
    const member = (title: string) => ({ [at('/ada')]: page(words(200), title) })
    expect(about('<a href="/ada">Ada</a>', member('Lind: Board Member'))).toBe('pass')
    expect(about('<a href="/ada">Ada</a>', member('Lind: Surfing'))).toBe('fail')
  })

  test('is told by a home page that says so in the plural', () => {
    const history = `The band was formed in 1990. We are friendly. ${words(150)}`
    expect(about(`<p>${history}</p>`)).toBe('pass')
    expect(about(`<p>The law was formed in 1990. ${words(150)}</p>`)).toBe('fail')
  })
})

test('seats in a band are no jobs', () => {
  const vacancies = (text: string) =>
    runCheck(
      workflowAutomation,
      'hiring',
      read('<a href="/vacancies">Vacancies</a>', {
        [at('/vacancies')]: page(`<p>${text} ${words(40)}</p>`, 'Vacancies'),
      }),
    ).result
  expect(vacancies('We are always open to new players. Front Row Cornet, Euphonium.')).toBe('na')
  expect(vacancies('We need new players for a full-time job. Apply with a salary in mind.')).toBe('fail')
})

test('notices whose titles are no headings are notices', () => {
  const legal = (text: string) => reasonOf(runCheck(entityTrust, 'legal', read(`<p>${text}</p>`)))
  const notices =
    'AUSFÜHRLICHE DATENSCHUTZERKLÄRUNG (DSGVO) 1. Verantwortlicher Ada. ALLGEMEINE GESCHÄFTSBEDINGUNGEN (AGB) 1. Geltungsbereich'
  expect(legal(notices)).toContain('open')
  expect(legal('Es gilt die Datenschutzerklärung.')).toContain('No page about privacy')
})

test('addresses of a sitemap with a query stand for the page of the menu', () => {
  const map = `<urlset><url><loc>${at('/template?type=baby')}</loc></url></urlset>`
  const menu = '<nav><a href="/template?type=dog">Dogs</a></nav>'
  expect(runCheck(freshnessIndex, 'coverage', read(menu, { [at('/sitemap.xml')]: map })).result).toBe('pass')
})

test("what a network says of itself is nobody's profile", () => {
  const profiles = (path: string) =>
    runCheck(entityTrust, 'profiles', read(`<footer><a href="https://twitter.com/${path}">X</a></footer>`))
      .result
  expect([profiles('privacy'), profiles('lind')]).toEqual(['na', 'fail'])
})

test('a post in microdata is an article', () => {
  const post = (type: string) =>
    `<article itemscope itemtype="https://schema.org/${type}"><h2 itemprop="headline">A</h2><div itemprop="articleBody">${words(60)}</div></article>`
  const articles = (type: string) =>
    articlesOf(read('<a href="/a">A</a>', { [at('/a')]: page(post(type)) })).length
  expect([articles('BlogPosting'), articles('Product')]).toEqual([1, 0])
})

test('the name of the site in the link home is no heading where another page has its own', () => {
  const banner = '<header><a href="index.html"><h1>Lind Studio</h1></a></header>'
  const html = `<html lang="en"><title>Lind</title><body>${banner}<main><h1>Fees</h1><p>${words(30)}</p><h4>Lessons</h4><p>${words(30)}</p></main>`
  const quotes = (path: string) =>
    quotesOf(
      runCheck(contentAnswerability, 'hierarchy', read('<a href="/fees">Fees</a>', { [at(path)]: html })),
    )
  expect(quotes('/fees')).toContain('"Lind Studio" is the first heading, and becomes a paragraph')
  expect(quotes('/fees')).not.toContain('"Fees"')
  const home = quotesOf(runCheck(contentAnswerability, 'hierarchy', site({ [at()]: html })))
  expect(home).toContain('h1 "Fees" becomes h2')
})

test('an entry on a portal is not that of a library', () => {
  const link = '<a href="https://www.zocdoc.com/doctor/nathan-58078">doctor profiles</a>'
  const quotes = (more: string) =>
    quotesOf(runCheck(structuredData, 'same-as', read(`${more}<p>${link}</p>`)))
  expect(quotes('<pre>npm install lark</pre>')).not.toContain('zocdoc')
  expect(quotes('<h2>Our services</h2>')).toContain('zocdoc')
})

test('a mailing list is a way to write to a project', () => {
  const asked = (link: string) =>
    runCheck(coreSnapshot, 'contact-path', read(`<a href="${link}">List</a>`)).result
  expect(asked('http://groups.google.com/group/lark')).toBe('pass')
  expect(asked('http://groups.google.com/')).toBe('fail')
})

test('what a script puts into the pages is no page, also where a sitemap lists it', () => {
  const script =
    '<script>fetch("/footer.html").then((r) => r.text()).then((t) => { document.getElementById("foot").innerHTML = t })</script>'
  const footer = '<p>© Lind</p><p>Call us in the office</p>'
  const one = read(`<a href="/a">A</a><div id="foot"></div>${script}`, {
    [at('/a')]: page(words(30), 'A'),
    [at('/footer.html')]: footer,
  })
  expect(one.pages.map(({ url }) => url)).toEqual([at(), at('/a')])
})

test('an imprint in bold on the page for contact is the legal notice', () => {
  const legal = (text: string) =>
    reasonOf(
      runCheck(
        entityTrust,
        'legal',
        read('<a href="/kontakt">Kontakt</a>', { [at('/kontakt')]: page(text, 'Kontakt') }),
      ),
    )
  expect(legal('<strong>Impressum</strong><br>Lind e.V., Registergericht: München')).not.toContain(
    'terms is linked',
  )
  expect(legal('<strong>Impressum</strong><br>Lind')).toContain('terms is linked')
})

test('a span of years is a figure, and the day of a date is none', () => {
  const evidence = (text: string) =>
    reasonOf(runCheck(contentAnswerability, 'evidence', read(`<p>${text} ${words(250)}</p>`)))
  expect(evidence('It lasts 15-20 years.')).toContain('1 figure ')
  expect(evidence('2023-04-28 家用游戏博物馆站点建立')).toContain('0 figures')
})

test('a label with a star stands beside its field, and is tied to nothing', () => {
  const labels = (label: string) =>
    runCheck(
      accessibilityActionability,
      'labels',
      read(`<form>${label}<input id="a" name="a" placeholder="Ada"></form>`),
    ).result
  expect(labels('<label>Your name <span>*</span></label>')).toBe('fail')
  expect(labels('<label for="a">Your name <span>*</span></label>')).toBe('pass')
})

test('what a template says of each picture is no alternative text', () => {
  const alt = (text: string) =>
    runCheck(accessibilityActionability, 'alt', read(`<img src="/a.jpg" alt="${text}">`)).result
  for (const text of ['Card image cap', 'First slide', 'zdjęcie', 'Highslide JS'])
    expect(alt(text)).toBe('fail')
  expect(alt('The first slide shows our practice')).toBe('pass')
})
