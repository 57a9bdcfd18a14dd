import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { isShell } from '../../../../src/products/scan/findings/scripted/shell.ts'
import { kindOfSite } from '../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** No check asks a parish for prices, and none calls missing what scripts write. */

const at = 'https://site.example'
const words = (count: number) => 'word '.repeat(count)
const titled = (title: string, url = `${at}/`) =>
  site({ [url]: `<title>${title}</title><p>${words(60)}</p>` })

test.each([
  ['Feuerwehrverein Raura Kaiseraugst', 'association'],
  ['Freiwillige Feuerwehr Musterstadt', 'association'],
  ['Ipswich Rowing Club', 'association'],
  ['Asociación de Vecinos de Gracia', 'association'],
  ['Paroisses du Pays de Châteaubriant', 'faith'],
  ['Parrocchie di Bergamo', 'faith'],
  ['The Parishes of Hull', 'faith'],
  ['Holy Family Syro Malabar Catholic Mission', 'faith'],
  ['Holy Family, Mass times', 'faith'],
  ['Приход святого Николая', 'faith'],
  ['ICSC (International Conference on Social Computing)', 'event'],
  ['第12回国際会議', 'event'],
  ['Research Group for Soft Matter', 'research'],
  ['田中研究室', 'research'],
  ['Stadtbibliothek Ulm', 'public'],
  ['Ayuntamiento de Soria', 'public'],
  ['Gemeente Zwolle', 'public'],
  ['Lohnsteuerhilfeverein Nord', 'unclear'],
  ['Conference Hotel Leeds', 'business'],
  ['Church Street Dental Clinic', 'business'],
  ['Bright Smile Dental', 'business'],
])('the site "%s" is known as %s', (title, kind) => {
  expect(kindOfSite(titled(title))).toBe(kind)
})

test.each([
  ['https://c4lab.bime.ntu.edu.tw/', 'research'],
  ['https://chem.ox.ac.uk/', 'research'],
  ['https://www.leeds.gov.uk/', 'public'],
  ['https://www.soumu.go.jp/', 'public'],
  ['https://www.go.de/', 'unclear'],
])('the host of %s tells its kind', (url, kind) => {
  expect(kindOfSite(titled('Home', url))).toBe(kind)
})

test('an association that publishes a list of prices stays one, so it is not asked for more', () => {
  const entries = { [`${at}/`]: '<title>Kunstverein Ulm</title><a href="/preise">Preise</a>' }
  expect(kindOfSite(site(entries))).toBe('association')
})

test('a club with a shop is a business', () => {
  const entries = { [`${at}/`]: '<title>Kunstverein Ulm</title><a href="/warenkorb">Warenkorb</a>' }
  expect(kindOfSite(site(entries))).toBe('business')
})

test('documentation that links its package is that of a library', () => {
  const entries = {
    [`${at}/`]: `<title>tqdm documentation</title><a href="https://pypi.org/project/tqdm">PyPI</a><p>${words(60)}</p>`,
  }
  expect(kindOfSite(site(entries))).toBe('library')
  expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('na')
})

test.each(['pricing', 'support', 'crm-tags'])('a parish is not asked for %s', (check) => {
  expect(runCheck(workflowAutomation, check, titled('Paroisses du Pays')).result).toBe('na')
})

test('a private blog is asked for a way to write, and for no street', () => {
  const blog = (html: string) =>
    site({
      [`${at}/`]: `<title>My personal blog</title><h1>A personal blog of mine</h1><p>my personal blog</p>${html}`,
    })
  expect(runCheck(entityTrust, 'nap', blog('')).result).toBe('fail')
  expect(JSON.stringify(runCheck(entityTrust, 'nap', blog('')))).not.toContain('street')
  expect(runCheck(entityTrust, 'nap', blog('<a href="https://github.com/jake">GitHub</a>')).result).toBe(
    'pass',
  )
})

test('nobody tells an association to write what it costs', () => {
  const entries: Entries = { [`${at}/`]: '<title>Feuerwehrverein Raura</title><main>Kurz und gut.</main>' }
  expect(runCheck(contentAnswerability, 'depth', site(entries))).toMatchObject({
    fix: expect.not.stringContaining('costs'),
  })
})

describe('a site whose own script writes header and footer', () => {
  const page = `<title>Imkerei Moser</title><script src="/js/main.js"></script><header></header><main><h1>Honig</h1><p>${words(80)}</p><a href="/produkte.html">Zu den Produkten</a></main>`
  const scripted = site({
    [`${at}/`]: page,
    [`${at}/produkte.html`]: page,
    [`${at}/.well-known/security.txt`]: { status: 404 },
    [`${at}/js/main.js`]: {
      purpose: 'script',
      headers: { 'content-type': 'text/javascript' },
      body: 'document.body.innerHTML += `<nav><a href="impressum.html">Impressum</a></nav><footer></footer>`',
    },
  })

  test.each(['legal', 'accountability', 'nap', 'about', 'brand-name'])(
    'is not told that %s is missing',
    (check) => {
      expect(runCheck(entityTrust, check, scripted)).toMatchObject({
        result: 'unmeasured',
        reason: expect.stringContaining('In the HTML as sent'),
      })
    },
  )

  test('is told the cause once', () => {
    expect(runCheck(renderPerformance, 'js-shell', scripted)).toMatchObject({
      result: 'warn',
      reason: expect.stringContaining('/js/main.js writes them'),
    })
  })
})

test.each([
  ['/contact.php', 'unmeasured'],
  ['/mail/contact.php', 'fail'],
] as const)(
  '%s in a script is %s: facts stand on a page, and not in a program that takes a form',
  (path, result) => {
    const entries = {
      [`${at}/`]: `<title>Moser Ltd</title><script src="/a.js"></script><nav><a href="/a">A</a></nav><p>${words(80)}</p><a href="tel:+443069990001">x</a>`,
      [`${at}/a`]: '<p>A</p>',
      [`${at}/a.js`]: {
        purpose: 'script' as const,
        body: `$.ajax({ url: "${path}" })`,
        headers: { 'content-type': 'text/javascript' },
      },
    }
    expect(runCheck(entityTrust, 'nap', site(entries)).result).toBe(result)
  },
)

test('a site with its menu in a div has one', () => {
  const entries = {
    [`${at}/`]: `<script src="/a.js"></script><div class="top-menu"><a href="/a">A</a></div><p>${words(80)}</p>`,
    [`${at}/a.js`]: {
      purpose: 'script' as const,
      body: 'box.innerHTML = "<nav></nav>"',
      headers: { 'content-type': 'text/javascript' },
    },
  }
  expect(runCheck(renderPerformance, 'js-shell', site(entries)).result).toBe('pass')
})

test('a navigation that a script writes is not called missing', () => {
  const links = ['/a', '/b', '/c'].map((href) => `<a href="${href}">x</a>`).join('')
  const entries = {
    [`${at}/`]: `<header>${links}</header><main>${words(60)}</main><script>menu.innerHTML = '<nav class="top">'</script>`,
  }
  expect(runCheck(accessibilityActionability, 'landmarks', site(entries)).result).toBe('unmeasured')
})

test('prices that stand in a script are told from prices that are not there', () => {
  const script = 'const goods = [{preco: 2.00}, {preco: 0.90}]; list.innerHTML = goods'
  const outcome = runCheck(
    workflowAutomation,
    'pricing',
    site({
      [`${at}/`]: `<main><h2>Our services</h2>${words(60)}</main><a href="/x">x</a><script>${script}</script>`,
    }),
  )
  expect(outcome).toMatchObject({ reason: expect.stringContaining('In the HTML as sent') })
  expect(quotesOf(outcome)).toBe('prices in a script')
})

test('a template that a script fills is a shell, in spite of links without an address and a search', () => {
  const template = site({
    [`${at}/`]:
      '<title>Accueil</title><h1></h1><a href="[lien]">[libelle]</a><a href="/">x</a><form action="/recherche/" class="search-box"><input></form><script src="/main.js"></script>',
  })
  expect(isShell(template)).toBe(true)
  expect(runCheck(renderPerformance, 'js-shell', template).result).toBe('fail')
})
