import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import { readSignals } from '../../../../src/products/scan/signals/signals.ts'
import { templateTextIn } from '../../../../src/products/scan/site/html/template-text.ts'
import type { Site } from '../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What belongs to somebody else, what stands in a section, and what a template left: read as it is. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const facts = (one: Site) => {
  if (one.home === undefined) throw new Error('There is no home page.')
  return readFacts(one, one.home)
}
const shop = '<a href="/shop">Shop</a><p>Honey, € 8.50</p>'

type Row = readonly [what: string, agent: Agent, check: string, entries: Entries, result: string]

const library: Entries = {
  [`${at}/`]:
    '<title>Fetcher</title><h1>Fetcher</h1><p>A Python library.</p><pre>pip install fetcher</pre><a href="https://github.com/makers/fetcher/">Repository</a>',
  [`${at}/contributing/`]:
    '<a href="https://github.com/makers/fetcher/issues/new">Issues</a><a href="https://github.com/makers/fetcher/discussions/1785">A thread</a><a href="https://github.com/others/tool/issues">Tool</a>',
}
const legalSite = home(
  `${shop}<a href="#legal">Legal</a><section id="legal"><h2>Información legal</h2><details open><summary><strong>Aviso legal</strong></summary><p>Responsable: Shop</p></details><details><summary>Términos y condiciones</summary><p>…</p></details><details><summary>Política de privacidad</summary><p>…</p></details></section>`,
)
const securityTxt = { [`${at}/.well-known/security.txt`]: { status: 404, purpose: 'well-known' as const } }

test.each<Row>([
  [
    'a box of the class testimonial with a quotation and a name is proof',
    entityTrust,
    'proof',
    home(
      `${shop}<div class="testimonial"><p>„Der Honig ist einfach köstlich, ich kaufe nur noch hier.“</p><strong>– Simone Haidinger</strong></div>`,
    ),
    'pass',
  ],
  [
    'a box of that class without a quotation is none',
    entityTrust,
    'proof',
    home(`${shop}<div class="testimonial"><p>Write us what you think of our honey.</p></div>`),
    'fail',
  ],
  [
    'the page of another language is as deep as that of the first',
    structuredData,
    'breadcrumbs',
    {
      ...home('<p>Home</p>'),
      [`${at}/en/index.html`]: '<p>Home</p>',
      [`${at}/en/rooms.html`]: '<p>Rooms</p>',
    },
    'na',
  ],
  [
    'the page of a folder is no level below it',
    structuredData,
    'breadcrumbs',
    { ...home('<p>Home</p>'), [`${at}/tools/index.html`]: '<p>Tools</p>' },
    'na',
  ],
  ['the summaries of a legal section are privacy and terms', entityTrust, 'legal', legalSite, 'pass'],
  ['and an imprint', entityTrust, 'accountability', { ...legalSite, ...securityTxt }, 'pass'],
  [
    'an imprint with the texts of its template names no one',
    entityTrust,
    'accountability',
    {
      ...home('<a href="/impressum">Impressum</a>'),
      [`${at}/impressum`]: "<p>Éditeur du site : [Nom de l'association ou du propriétaire]</p>",
      ...securityTxt,
    },
    'fail',
  ],
  [
    'the appointment of a person in a signed story is none with the site',
    workflowAutomation,
    'booking',
    {
      ...home('<h1>Datos</h1>'),
      [`${at}/issues/dos-ruedas.html`]: `<main><h1>Dos ruedas</h1><div>Por Dailene Doval, Ana Ruiz</div><p>Marina llamó a la embajada para pedir cita. ${'palabra '.repeat(320)}</p></main>`,
    },
    'na',
  ],
  ['the repository of a library is its contact', coreSnapshot, 'contact-path', library, 'pass'],
  ['also for the facts about it', entityTrust, 'nap', library, 'pass'],
  ['and nobody asks it for a form', workflowAutomation, 'lead-capture', library, 'na'],
  [
    'a form that is sent to a placeholder takes no enquiry',
    workflowAutomation,
    'lead-capture',
    home(
      '<form action="https://formspree.io/f/VOTRE_ID_FORMSPREE"><input type="email" name="email"><textarea name="message"></textarea><button>Envoyer</button></form>',
    ),
    'fail',
  ],
])('%s', (_what, agent, check, entries, result) => {
  expect(runCheck(agent, check, site(entries)).result).toBe(result)
})

test.each([
  ['Mit Unterstützung von <a href="mailto:helper@gmx.at">Günther Danninger</a>'],
  ['Website by Pixel Studio, helper@gmx.at'],
  ['Webmaster: helper@gmx.at'],
  ['Hébergeur : Free, 8 rue de Paris, helper@gmx.at'],
])('the address in "%s" is not that of the site', (credit) => {
  const one = site({
    [`${at}/`]: `<footer><p>© 2025 Honey | ${credit}</p></footer>`,
    [`${at}/kontakt.html`]: `<p>E-Mail: owner@gmx.net</p><footer><p>© 2025 Honey | ${credit}</p></footer>`,
  })
  const nap = runCheck(entityTrust, 'nap', one)
  expect(quotesOf(nap)).toContain('owner@gmx.net')
  expect(quotesOf(nap)).not.toContain('helper@gmx.at')
  expect(facts(one).email).toBe('owner@gmx.net')
  expect(readSignals(one).leads.evidence.map(({ value }) => value)).toEqual(['owner@gmx.net'])
})

test('a webmaster at the own domain belongs to the site', () => {
  const one = site(home('<footer><p>Webmaster: web@site.example</p></footer>'))
  expect(facts(one).email).toBe('web@site.example')
})

test('the street of the host is not that of the site, and the own one below it stays', () => {
  const notice =
    'Contact : contact@moulin.example<br>Hébergeur : Free (Iliad), 8 rue de la Ville, 75008 Paris<br>'
  const nap = (html: string) =>
    quotesOf(
      runCheck(
        entityTrust,
        'nap',
        site({ ...home('<title>Moulin SARL</title>'), [`${at}/mentions-legales.html`]: html }),
      ),
    )
  expect(nap(`<p>${notice}</p>`)).not.toContain('rue')
  expect(nap(`<p>${notice}Association : 14 rue du Moulin, 13000 Gouré</p>`)).toContain('14 rue du Moulin')
})

test('a guest house that writes "Hébergement" before its address keeps it', () => {
  const one = site(
    home(
      '<title>Gîte du Moulin</title><footer><p>Hébergement : 8 rue du Moulin, gite@orange.example</p></footer>',
    ),
  )
  expect(quotesOf(runCheck(entityTrust, 'nap', one))).toContain('8 rue du Moulin')
  expect(facts(one).email).toBe('gite@orange.example')
})

test.each([
  ['Hosted by Anna Berg, anna@orange.example'],
  ['Création de bijoux par Anna, anna@orange.example'],
])('the maker in "%s" is no web designer', (line) => {
  expect(facts(site(home(`<footer><p>${line}</p></footer>`))).email).toBe('anna@orange.example')
})

test('a mailto address with slashes is read without them', () => {
  const one = site(home('<footer><a href="mailto://social@postdata.club">Mail</a></footer>'))
  expect(facts(one).email).toBe('social@postdata.club')
  expect(readSignals(one).contactPath?.value).toBe('mailto://social@postdata.club')
})

test('the logo is no language switch, no flag and no picture without an address', () => {
  const logo = (html: string) => facts(site(home(`<header>${html}</header>`))).logo
  const own = '<img class="logo" src="/logo.svg">'
  expect(logo(`<img class="language-switch-logo" src="/england.webp">${own}`)).toBe(`${at}/logo.svg`)
  expect(logo(`<img class="logo" src="/flags/de.svg">${own}`)).toBe(`${at}/logo.svg`)
  expect(logo(`<img id="logo-img" src="">${own}`)).toBe(`${at}/logo.svg`)
  expect(logo('<img id="logo-img" src="">')).toBeUndefined()
  expect(logo('<img alt="Switch logo" src="/a.svg">')).toBe(`${at}/a.svg`)
})

test('the project whose repository the home page links is asked, and not another', () => {
  expect(readSignals(site(library)).contactPath?.value).toBe(
    'link to https://github.com/makers/fetcher/issues/new',
  )
})

test('the fix for a missing language names the one that the text is in', () => {
  const dutch =
    'De kinderen spelen elke dag buiten in de tuin van het dagverblijf en eten daarna samen een boterham met kaas aan de grote tafel. '
  const outcome = runCheck(
    accessibilityActionability,
    'lang',
    site(home(`<main><p>${dutch.repeat(5)}</p></main>`)),
  )
  expect(outcome).toMatchObject({
    result: 'fail',
    fix: expect.stringContaining('<html lang="nl">'),
  })
})

test('one page without landmarks is no matter of the template of all pages', () => {
  const fix = (entries: Entries) => runCheck(accessibilityActionability, 'landmarks', site(entries))
  const all = expect.stringContaining('Put the content of each page into <main>')
  expect(fix({ ...home('<p>A</p>'), [`${at}/b`]: '<main>B</main>' })).not.toMatchObject({ fix: all })
  expect(fix({ ...home('<p>A</p>'), [`${at}/b`]: '<p>B</p>' })).toMatchObject({ fix: all })
})

test('a form that is sent to a placeholder is quoted with what to replace', () => {
  const outcome = runCheck(
    workflowAutomation,
    'lead-capture',
    site(
      home(
        '<form action="/f/YOUR_FORM_ID"><input type="email" name="a"><textarea name="b"></textarea></form>',
      ),
    ),
  )
  expect(quotesOf(outcome)).toContain('YOUR_FORM_ID')
  expect(outcome).toMatchObject({ fix: expect.stringContaining('Replace the placeholder') })
})

test.each([
  ['a service for notices', 'https://www.iubenda.com/privacy-policy/123', 'Privacy Policy'],
  ['a service that the link does not name', 'https://app.termly.io/document/privacy-policy/abc', 'Read it'],
  ['the group of the firm', 'https://group.example/datenschutz', 'Datenschutz'],
  ['the group, as one of its policies', 'https://group.example/privacy-policy', 'Policies'],
])('a notice on another domain is not missing: %s', (_, url, text) => {
  const footer = `<footer><a href="${url}">${text}</a> <a href="/terms">Terms</a></footer>`
  expect(runCheck(entityTrust, 'legal', site(home(footer))).result).toBe('unmeasured')
})

test.each([
  'https://policies.google.com/privacy',
  'https://www.hcaptcha.com/privacy',
  'https://stripe.com/privacy',
  'https://datenschutz-generator.de/',
])('the notice of a firm behind a form is not that of the site: %s', (url) => {
  const form = `<p>Protected by a captcha. <a href="${url}">Privacy Policy</a></p><a href="/terms">Terms</a>`
  expect(runCheck(entityTrust, 'legal', site(home(form)))).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('privacy'),
  })
})

test.each(['<à compléter>', '[TODO]', '{da completare}', 'XXX XXX XXX'])(
  '%s is text that the template left',
  (text) => expect(templateTextIn(`SIRET : ${text}.`)).toBe(text),
)

test.each(['Article XXX', '[email protected]', '<5 %>'])('%s is no text of a template', (text) =>
  expect(templateTextIn(text)).toBeUndefined(),
)

test.each([
  ['with a footer', '<footer>© Lind</footer>', 'in the footer of https://site.example/'],
  [
    'with a part called footer',
    '<div class="site-footer">© Lind</div>',
    'in the footer of https://site.example/',
  ],
  ['without a footer', '<p>© Lind</p>', 'at the end of https://site.example/'],
])('advice names a place that the page has: %s', (_, html, place) => {
  const one = site(home(`<h2>Our services</h2>${html}`))
  for (const check of ['legal', 'nap'])
    expect(runCheck(entityTrust, check, one)).toMatchObject({ fix: expect.stringContaining(place) })
  const name = site(home(`<title>Lind Ltd</title><meta property="og:site_name" content="Lind Ltd">${html}`))
  expect(quotesOf(runCheck(entityTrust, 'brand-name', name))).toContain(
    place.includes('footer') ? 'the footer' : 'the last line',
  )
})
