import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { isSidePage } from '../../../../../src/products/scan/findings/side-pages.ts'
import { businessType } from '../../../../../src/products/scan/report/blocks/business-type.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { ownerTitle } from '../../../../../src/products/scan/report/work/owner-titles.ts'
import { industryOf } from '../../../../../src/products/scan/signals/industry/industry.ts'
import { ownNameOf } from '../../../../../src/products/scan/signals/page-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What owners of ten more practices stumbled over, most of them small and in languages that the scan has few words of. */

const homeOf = ({ home }: Site) => home ?? expect.fail('the home page was not read')
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []

describe('a dentist', () => {
  test.each([
    ['sv', 'Tandläkare Rosen'],
    ['no', 'Tannlege Hov'],
    ['da', 'Tandlæge Holm'],
    ['fi', 'Hammaslääkäri Koski'],
    ['sr', 'Stomatološka ordinacija Lind'],
    ['cs', 'Zubní ordinace Lind'],
    ['hu', 'Fogorvosi rendelő Lind'],
    ['sl', 'Zobna ordinacija Lind'],
    ['el', 'Οδοντιατρείο Λιντ'],
    ['vi', 'Nha khoa Lind'],
    ['th', 'คลินิกทันตกรรมลินด์'],
  ])('is known by the word for it: %s, %s', (lang, name) => {
    const one = site({
      [at()]: `<html lang="${lang}"><title>${name}</title><main><h1>${name}</h1><a href="tel:+46214196400">+46 21 419 64 00</a></main>`,
    })
    expect([industryOf(one), kindOfSite(one)]).toEqual(['healthcare', 'business'])
    expect(businessType(homeOf(one), readFacts(one, homeOf(one)), one)).toBe('Dentist')
  })
})

describe('the telephone number', () => {
  const numberOf = (html: string) => {
    const one = read(`<section id="contact">${html}</section>`)
    return readFacts(one, homeOf(one)).telephone
  }

  test('of holidays and nights is not that of the practice, also where it is the only linked one', () => {
    expect(
      numberOf(
        '<a href="">021-41 96 40</a><p>Jour under helgdagar kl 9.00-11.00</p><a href="tel:0702479530">070 247 95 30</a>',
      ),
    ).toBe('021-41 96 40')
    expect(numberOf('<p>Jour kl 9.00-11.00</p><a href="tel:0702479530">070 247 95 30</a>')).toBe(
      '070 247 95 30',
    )
  })

  test('may have a blank behind its plus', () => {
    expect(numberOf('<p>+ 387 66 801 241</p>')).toBe('+387 66 801 241')
  })
})

test('only the owner knows which of three similar languages the pages are in', () => {
  const text =
    'Naša stomatološka ordinacija pruža usluge cijeloj porodici. Pacijenti dolaze iz svih krajeva i uvijek su zadovoljni našim radom. '
  const body = `<html><title>Ordinacija Lind</title><main><h1>Ordinacija Lind</h1><p>${text.repeat(12)}</p></main></html>`
  const outcome = runCheck(accessibilityActionability, 'lang', site({ [at()]: body }))
  expect(outcome).toMatchObject({ result: 'fail', work: { kind: 'choose-language' } })
  const action = actionsOf({ [at()]: body }).find(({ settles }) =>
    settles.includes('accessibility-actionability/lang'),
  )
  expect(action?.block?.text).toContain('the language of the pages: Serbian, Croatian or Bosnian')
})

test('the words of a link to another language are no name of a page', () => {
  const one = read('<nav><a href="/en/">EN</a><a href="/team">Team</a></nav>', {
    [at('/en/')]: page('<h2>Dentist in the old town</h2>', 'Lind Dental'),
    [at('/team')]: page('<h2>Team</h2>', 'Lind Dental'),
  })
  const named = (path: string) =>
    ownNameOf(one.pages.find(({ url }) => url === at(path)) ?? expect.fail('not read'), one.pages)
  expect(named('/en/')).not.toBe('EN')
  expect(named('/team')).toBe('Team')
})

describe('a link to "#"', () => {
  const linked = (html: string) =>
    runCheck(
      freshnessIndex,
      'internal-links',
      site({ [at()]: `<html><title>Lind</title><body>${html}<main><h1>Lind</h1></main></body></html>` }),
    ).result

  test.each([
    ['not faulty', '<header><a href="#" class="site-brand">Lind Dental</a></header>'],
    ['faulty', '<header><a href="#" class="button">Book now</a></header>'],
    ['faulty', '<p><a href="#" class="brand">Our partners</a></p>'],
  ])('is %s: %s', (verdict, html) => {
    expect(linked(html) === 'warn' || linked(html) === 'fail').toBe(verdict === 'faulty')
  })
})

test('a list of links to pages is a menu, whatever it is called', () => {
  const script = '<div id="header"></div><script>document.getElementById("header").append(film)</script>'
  const list = (count: number) =>
    `<ul>${Array.from({ length: count }, (_, number) => `<li><a href="/page-${number}">Page ${number}</a></li>`).join('')}</ul>`
  const shell = (html: string) => {
    const body = `<html><title>Lind</title><body>${script}<div class="right">${html}</div><div><h1>Lind</h1><p>${words(80)}</p></div></body></html>`
    return runCheck(renderPerformance, 'js-shell', site({ [at()]: body }))
  }
  expect(reasonOf(shell(list(2)))).toContain('header, menu and footer have no link')
  expect(shell(list(5)).result).toBe('pass')
})

test('a link that leads nowhere is quoted with the words of each page', () => {
  const outcome = runCheck(
    freshnessIndex,
    'internal-links',
    site({
      [at()]: page('<a href="/ada">Ada</a><a href="/ben">Ben</a>'),
      [at('/ada')]: page('<a href="/details">Dr. Ada Lind</a>', 'Ada'),
      [at('/ben')]: page('<a href="/details">Dr. Ben Lind</a>', 'Ben'),
      [at('/details')]: { purpose: 'link', status: 404 },
    }),
  )
  expect(quotesOf(outcome)).toContain(
    `linked on ${at('/ada')} as "Dr. Ada Lind", and on ${at('/ben')} as "Dr. Ben Lind"`,
  )
})

test.each([
  ['/blog/2011/01/', true],
  ['/blog/2011/01/index.html', true],
  ['/blog/2011/01/new-chairs/', false],
  ['/blog/2011/01/new-chairs.html', false],
])('%s is the list of a month: %s', (path, isList) => {
  expect(isSidePage({ url: at(path), title: 'Blog' })).toBe(isList)
})

test('a mailing service in a script of a theme is no newsletter where no page asks for an address', () => {
  const newsletter = (html: string) =>
    runCheck(
      workflowAutomation,
      'newsletter',
      site({
        [at()]: page(`<script src="/theme.js"></script>${html}`),
        [at('/theme.js')]: {
          purpose: 'script',
          body: '$(".newsletter-form").ajaxChimp({ url: "https://maker.us20.list-manage.com/subscribe/post?u=60e1ffe2e8a68ce1204cd39a5" })',
        },
      }),
    ).result
  expect(newsletter('')).not.toBe('pass')
  expect(
    newsletter('<form class="newsletter-form"><input type="email" name="EMAIL"><button>Go</button></form>'),
  ).toBe('pass')
})

describe('the part about the people', () => {
  const parts = (people: string) =>
    read(
      `<nav><a href="#people">Unsere Zahnärzte</a><a href="#ideas">Philosophie</a></nav><div id="people">${people}</div><div id="ideas"><h2>Philosophie</h2><p>${words(60)}</p></div>`,
    )

  test('is told to grow, and not that on the philosophy', () => {
    const outcome = runCheck(entityTrust, 'about', parts('<p>Dr. Lind und Dr. Berg</p>'))
    expect(fixOf(outcome)).toContain('below "Unsere Zahnärzte"')
  })

  test('counts a whole sentence that is marked as a heading', () => {
    const told = `<h3>Seit Februar 1992 sind wir in der Mitte der Stadt tätig ${words(160)}</h3>`
    expect(runCheck(entityTrust, 'about', parts(told)).result).toBe('pass')
  })
})

test('a note on the Flash player is no opening of a page', () => {
  const note =
    '<div><p>If your are reading this you either have javascript disabled or are missing the flash plugin. Scroll down to see the text version of the site.</p></div>'
  const outcome = runCheck(
    contentAnswerability,
    'answer-first',
    read(`${note}<p>Lind Dental is a dental practice in Totnes that treats the whole family.</p>`),
  )
  expect(quotesOf(outcome)).toContain('Lind Dental is a dental practice')
})

describe('what describes the practice', () => {
  const described = (body: string, title = 'Tandläkare Lind') => {
    const one = site({ [at()]: `<html lang="sv"><title>${title}</title><body><main>${body}</main>` })
    return readFacts(one, homeOf(one)).description
  }
  const cv =
    '<p>Har jobbat sedan 1986 och började med implantat redan 1992, av Försvarsmakten utsedd flygtandläkare.</p>'

  test('speaks of it by its name or as "we", and is not the life of one dentist', () => {
    expect(described(`<h1>Tandläkare Lind</h1><h1>Pris</h1>${cv}`)).toBeUndefined()
    expect(
      described(
        `<h1>Tandläkare Lind</h1><h1>Pris</h1>${cv}<p>Vi tar emot hela familjen på vår mottagning mitt i staden, alla dagar.</p>`,
      ),
    ).toMatch(/^Vi tar emot/)
  })

  test('may stand below the only main heading', () => {
    expect(described(`<h1>Tandläkare Lind</h1>${cv}`)).toMatch(/^Har jobbat/)
  })
})

test('the title of a step speaks of one page where it is about one', () => {
  const id = 'accessibility-actionability/lang'
  expect(ownerTitle(id, `Write lang="sv" into the html element of ${at()}.`, at())).toBe(
    `Have ${at()} say in which language it is written.`,
  )
  expect(
    ownerTitle(id, `Write lang="sv" into the html element of ${at()}. Do the same on 2 more pages.`, at()),
  ).toBe(`Have each page say in which language it is written, beginning with ${at()}.`)
})
