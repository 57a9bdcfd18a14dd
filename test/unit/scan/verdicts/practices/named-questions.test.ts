import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { statedPrices } from '../../../../../src/products/scan/report/blocks/facts/stated-prices.ts'
import { factsFor } from '../../../../../src/products/scan/report/work/asked-facts.ts'
import { openingHoursIn } from '../../../../../src/products/scan/signals/contact/opening-hours.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What owners stumbled over: a question that did not name its link, and facts that were read wrong. */

const dead = (path: string) => ({ [at(path)]: { purpose: 'link' as const, status: 404 } })
const linksOf = (html: string, ...paths: string[]) =>
  runCheck(
    freshnessIndex,
    'internal-links',
    site({ [at()]: page(html), ...Object.assign({}, ...paths.map(dead)) }),
  )

describe('a link that leads to no page', () => {
  test.each([
    ['/index.htm', `<a href="/index.htm">Lind Dental</a>`, `lead to ${at()}`],
    [
      '/crowns.html.html',
      '<a href="/crowns.html.html">Crowns</a><a href="/crowns.html">All</a>',
      `lead to ${at('/crowns.html')}`,
    ],
    [
      '/www.nord.example/lind',
      '<a href="www.nord.example/lind">Our pictures</a>',
      'lead to https://www.nord.example/lind',
    ],
  ])('%s gets the address that is meant', (path, html, expected) => {
    const pages = { [at()]: page(html), [at('/crowns.html')]: page(`<p>${words(80)}</p>`), ...dead(path) }
    expect(fixOf(runCheck(freshnessIndex, 'internal-links', site(pages)))).toContain(expected)
  })

  test('is named by its other words where a picture is the first one', () => {
    const outcome = linksOf(
      '<a href="/offers"><img src="/logo.png" alt=""></a><a href="/offers">Offers</a>',
      '/offers',
    )
    expect(outcome).toMatchObject({ work: { asked: [{ url: at('/offers'), text: 'Offers' }] } })
  })

  test('without words is named by its picture and the heading above it, with its address decoded', () => {
    const outcome = linksOf(
      '<h2>What patients say.</h2><ul><li><a href="/servi%C3%A7os"><img src="/img/diego.png" alt=""></a></li><li><a href="/b">B</a></li></ul>',
      '/servi%C3%A7os',
    )
    expect(outcome).toMatchObject({
      work: { asked: [{ picture: 'diego.png', where: 'below “What patients say”' }] },
    })
    const [ask] = factsFor('', [], 'work' in outcome ? outcome.work : undefined)
    expect(ask).toContain('the picture “diego.png” below “What patients say” (/serviços)')
  })

  test('is named by its own box where another link has the same words', () => {
    const box = (name: string, rest = '') =>
      `<div><b>${name}</b><p>${rest}<a href="/${name}">Read more</a></p></div>`
    const outcome = linksOf(box('Crowns') + box('Bridges'), '/Crowns', '/Bridges')
    expect(outcome).toMatchObject({ work: { asked: [{ where: 'at “Crowns”' }, { where: 'at “Bridges”' }] } })
    expect(linksOf(box('Crowns'), '/Crowns')).not.toMatchObject({
      work: { asked: [{ where: 'at “Crowns”' }] },
    })
  })

  test('on the picture of a card is named by its heading, which stands below it and leads elsewhere', () => {
    const card = (name: string, link: string) =>
      `<div><a href="${link}"><img src="/${name}.jpg" alt="image"></a><h3><a href="/${name}">${name}</a></h3><p>Text</p></div>`
    const outcome = linksOf(card('Whitening', '/Whitening') + card('Veneers', '/details'), '/details')
    expect(outcome).toMatchObject({
      work: { asked: [{ text: '', picture: 'Veneers.jpg', where: 'at “Veneers”' }] },
    })
  })

  test('to the page of each of two people is asked for with both names', () => {
    const pages = {
      [at()]: page('<a href="/person">Dr. Lind</a>'),
      [at('/b')]: page('<a href="/person">Dr. Berg</a>'),
      ...dead('/person'),
    }
    const outcome = runCheck(freshnessIndex, 'internal-links', site(pages))
    expect(outcome).toMatchObject({ work: { asked: [{ text: 'Dr. Lind', otherTexts: ['Dr. Berg'] }] } })
    const [ask] = factsFor('', [], 'work' in outcome ? outcome.work : undefined)
    expect(ask).toContain('“Dr. Lind” and, if that differs, “Dr. Berg” (/person)')
  })

  test.each([
    ['/root-canal.html', '/root%20canal.html'],
    ['/denture%20.html', '/dentures.html'],
    ['/treatments/implants.html', '/implants.html'],
  ])('%s may be meant for %s, and the owner is asked', (path, near) => {
    const pages = { [at()]: page(`<a href="${path}">More</a>`), ...dead(path) }
    const more = (text: string) => ({ ...pages, [at(near)]: page(text).replace('<h1>Lind Dental</h1>', '') })
    const outcome = runCheck(freshnessIndex, 'internal-links', site(more(`<p>${words(80)}</p>`)))
    expect(fixOf(outcome)).toContain(`may be meant to lead to ${at(near)}`)
    expect(outcome).toMatchObject({ work: { asked: [{ url: at(path), guess: at(near) }] } })
    // A page without main text is no target.
    expect(fixOf(runCheck(freshnessIndex, 'internal-links', site(more(''))))).not.toContain(at(near))
  })

  test('gives its logo no name of another link', () => {
    const header = '<a href="/offers"><img src="/logo.png" alt=""></a><nav><a href="/offers">Offers</a></nav>'
    const found = runCheck(accessibilityActionability, 'names', read(header))
    expect(quotesOf(found)).not.toContain('"Offers"')
  })

  test('shares one question with many others, which names them all', () => {
    const asked = Array.from({ length: 6 }, (_, place) => ({ url: at(`/p${place}`), text: `P${place}` }))
    const [ask = '', ...others] = factsFor('', [], { kind: 'dead-links', areNotices: false, asked })
    expect(others).toEqual([])
    for (const { text } of asked) expect(ask).toContain(`“${text}” (/p`)
  })
})

describe('a picture or an icon that is a link to nowhere', () => {
  test('is named by the heading of its tile', () => {
    const tiles = ['Crowns', 'Bridges'].map(
      (name) => `<div><a href="javascript:void(0)"><img src="/${name}.jpg" alt=""></a><h3>${name}</h3></div>`,
    )
    const found = runCheck(accessibilityActionability, 'names', read(tiles.join('')))
    expect(found).toMatchObject({
      work: { named: [`the picture at “Crowns” on ${at()}`, `the picture at “Bridges” on ${at()}`] },
    })
  })

  test('that leads to the top of the page needs a name, and no address', () => {
    const up = '<div class="backTop"><a href="#"><img src="/up-arrow.png" alt=""></a></div>'
    expect(quotesOf(runCheck(accessibilityActionability, 'names', read(up)))).not.toContain('an address')
  })
})

test('pages without a name behind their title are asked for one by one', () => {
  const unnamed = [at('/a'), at('/b')]
  expect(factsFor('', [], { kind: 'own-titles', unnamed })).toEqual(
    unnamed.map(
      (url) => `what the page ${url} is about, in two to five words that differ from all other titles`,
    ),
  )
})

describe('a form that is there and has to be finished', () => {
  const contact = (action: string) =>
    `<form action="${action}" method="post"><label>Name <input id="name"></label><label>E-mail <input type="email" name="mail"></label><textarea name="text" aria-label="Message"></textarea><button>Send</button></form>`
  const step = (action: string) => {
    const { actions = [] } = analyze(captured({ [at()]: page(contact(action)) }), defaultNow).analysis.report
    return JSON.stringify(actions.find(({ title }) => /placeholder/.test(title)) ?? '')
  }

  test('asks neither for its fields nor for the service that its address names', () => {
    const named = step('https://forms.nord.example/f/YOUR_FORM_ID')
    expect(named).toContain('identifier of the form at its service')
    expect(named).not.toMatch(/what the form shall ask|often send forms through a form service/)
    expect(step('/f/YOUR_FORM_ID')).toContain('often send forms through a form service')
  })

  test('names the fields of which a browser sends nothing', () => {
    const outcome = runCheck(
      workflowAutomation,
      'lead-capture',
      read(contact('https://nord.example/f/YOUR_FORM_ID')),
    )
    expect(quotesOf(outcome)).toContain('<input id="name"> has no name attribute')
    expect(quotesOf(outcome)).not.toContain('name="mail"')
  })
})

test('a label that only says that a field is required names no field', () => {
  const field = (attributes: string) =>
    read(`<form action="/send"><label for="a">Campo requerido</label><input id="a" ${attributes}></form>`)
  const named = runCheck(accessibilityActionability, 'autocomplete', field('placeholder="Nombre completo"'))
  expect(fixOf(named)).toContain('Add autocomplete="name"')
  expect(runCheck(accessibilityActionability, 'labels', field('')).result).toBe('fail')
})

test('a label may name an id with blanks', () => {
  const field =
    '<input type="radio" id="Too little space." name="a"><label for="Too little space.">Space</label>'
  expect(runCheck(accessibilityActionability, 'aria-valid', read(field)).result).toBe('pass')
})

test('a field for a name that is one for addresses gets the type of a text', () => {
  const form =
    '<form action="https://forms.nord.example"><label for="a">Nombre y apellido</label><input type="email" id="a"><label for="b">E-mail</label><input type="email" id="b"><textarea></textarea></form>'
  const fix = fixOf(runCheck(accessibilityActionability, 'autocomplete', read(form)))
  expect(fix).toMatch(/^Add autocomplete="name" to .+, and make it type="text"/)
})

test('a form that thanks in its own attribute sends nothing', () => {
  const form = (code: string) =>
    `<form onsubmit="${code}"><label>Name <input name="name"></label><label>E-mail <input type="email" name="mail"></label><textarea name="text" aria-label="Message"></textarea><button>Send</button></form>`
  const reason = (code: string) => reasonOf(runCheck(workflowAutomation, 'lead-capture', read(form(code))))
  expect(reason("event.preventDefault(); done.textContent = 'Thank you'; this.reset();")).toMatch(
    /sends? nothing/,
  )
  expect(reason("event.preventDefault(); fetch('/send'); this.reset();")).not.toMatch(/sends? nothing/)
})

test.each([
  ['Mon-Fri 8:30-17:30. Closed for lunch 13:00-14:00', ['Mo-Fr 08:30-13:00', 'Mo-Fr 14:00-17:30']],
  ['Mon - Thu 9am - 5pm, Fri 9am - 4pm', ['Mo-Th 09:00-17:00', 'Fr 09:00-16:00']],
  ['Telefonsprechzeiten Mo, Di: 7:00 - 18:00', undefined],
  ['Lunedì - Venerdì: 9:00 - 12:00, 15:00 - 17:30 Giovedì: 9:00 - 12:00 (pomeriggio chiuso)', 'partly'],
])('the hours of "%s"', (text, hours) => {
  expect(openingHoursIn(text)).toEqual(hours)
})

test('lowest fees are no prices, and the variant of a row belongs to its name', () => {
  const table = (head: string, row: string) =>
    `<table><tr><th>Treatment</th>${head}</tr><tr>${row}</tr></table>`
  const [prices] = site({
    [at('/prices')]: page(
      table('<th>Fee from</th>', '<td>Root canal</td><td>£895</td>') +
        table('<th>Kind</th><th>Fee</th>', '<td>Mouthguard</td><td>coloured</td><td>£130</td>'),
    ),
  }).pages
  expect(statedPrices(prices === undefined ? [] : [prices])).toEqual([
    { name: 'Mouthguard (coloured)', price: '130', currency: 'GBP' },
  ])
})

describe('a sum is no fixed price', () => {
  const namesIn = (tables: string) => {
    const [prices] = site({ [at('/prices')]: page(tables) }).pages
    return statedPrices(prices === undefined ? [] : [prices]).map(({ name }) => name)
  }
  const crown = '<tr><td>Crown</td><td>£600</td></tr>'

  test.each([
    ['its caption says "from"', `<table><caption>Prices from</caption>${crown}</table>`],
    ['its heading says where prices start', `<h3>Prices start at</h3><table>${crown}</table>`],
    ['the line above says "from"', `<p>All prices from:</p><table>${crown}</table>`],
    ['the note below says so', `<table>${crown}</table><p>These are starting prices only.</p>`],
    ['the table holds fees for absence', `<h3>Missed appointments</h3><table>${crown}</table>`],
  ])('where %s', (_where, tables) => {
    expect(namesIn(tables)).toEqual([])
  })

  test.each(
    'Min, Minimum fee, Mindestpreis, Prix minimum, Old price, You save, Ersparnis, Deposit, Anzahlung, Per month, Mensualité, Kassenzuschuss, Plan members'.split(
      ', ',
    ),
  )('below the head %s', (head) => {
    expect(namesIn(`<table><tr><th>Treatment</th><th>${head}</th></tr>${crown}</table>`)).toEqual([])
  })

  test.each(['Missed appointment', 'Ausfallhonorar', 'Veneers (from)', 'Aligners per month'])(
    'in the row %s',
    (item) => {
      const row = `<tr><td>${item}</td><td>£30</td></tr>`
      expect(namesIn(`<table>${crown}${row}</table>`)).toEqual(['Crown'])
    },
  )

  test.each([
    ['a date stands in the caption', `<table><caption>Prices from 1 May</caption>${crown}</table>`],
    [
      'another column has the minutes',
      `<table><tr><th>Treatment</th><th>Min.</th><th>Fee</th></tr><tr><td>Crown</td><td></td><td>£600</td></tr></table>`,
    ],
    ['a row asks for a deposit', `<table>${crown}<tr><td>Deposit</td><td>£50</td></tr></table>`],
    ['a row has a lowest fee', `<table>${crown}<tr><td>Bridge</td><td>from £900</td></tr></table>`],
    ['the heading tells of cancelling, too', `<h3>Fees and late cancellation</h3><table>${crown}</table>`],
    ['the text before tells of deposits', `<p>We ask for a deposit.</p><table>${crown}</table>`],
    [
      'a note asks for a deposit',
      '<table><tr><td>Crown</td><td>£600</td><td>We ask for a deposit</td></tr></table>',
    ],
    ['a heading says "minimally"', `<h3>Minimally invasive</h3><table>${crown}</table>`],
    ['a head tells of non-members', `<table><tr><th></th><th>Non-members</th></tr>${crown}</table>`],
  ])('but one is where %s', (_where, tables) => {
    expect(namesIn(tables).map((name) => name.replace(/^.*: /, ''))).toEqual(['Crown'])
  })
})

test('a page that scripts fill gets no texts before its code has them', () => {
  const shell =
    '<html lang="en"><title>Lind Dental</title><body><h1>Lind Dental</h1><div id="hero"></div><script src="/data.js"></script><script src="/render.js"></script></body></html>'
  const { actions = [] } = analyze(captured({ [at()]: shell }), defaultNow).analysis.report
  const titles = actions.map(({ title }) => title).join('\n')
  expect(titles).toMatch(/^(?:Have the texts that scripts put into|Render )/m)
  expect(titles).not.toMatch(/more words/)
})

test('a few words that are missing are told in tens', () => {
  const fix = fixOf(runCheck(contentAnswerability, 'depth', read(`<p>${words(285)}</p>`)))
  expect(fix).toContain('Write 20 more words')
})
