import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readServices } from '../../../../../src/products/scan/signals/services.ts'
import { site } from '../../../../support/scans/captured.ts'
import { fixOf, reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What the scan denied or asked for though it stands on the pages of a practice, as readers of its reports saw. */

describe('a first paragraph that says who does what', () => {
  const opening = (lang: string, text: string) =>
    runCheck(
      contentAnswerability,
      'answer-first',
      site({
        [at()]: `<html lang="${lang}"><title>Praxis</title><main><h1>Lind</h1><p>${text}</p></main></html>`,
      }),
    ).result

  test.each([
    [
      'pt',
      'Somos três dentistas da mesma família, unindo prevenção, estética e implantes em um cuidado próximo, honesto e acolhedor para todas as idades.',
    ],
    [
      'pt',
      'Somos dentistas em Lindau, unindo prevenção, estética e implantes em um cuidado próximo, honesto e acolhedor para todas as idades.',
    ],
    [
      'es',
      'Somos tres dentistas de la misma familia, con prevención, estética e implantes en un trato cercano, honesto y sereno para todas las edades.',
    ],
    [
      'fr',
      'Nous sommes trois dentistes à Lindau, avec prévention, esthétique et implants pour petits et grands, dans un cadre calme et près de chez vous.',
    ],
    [
      'it',
      'Siamo tre dentisti a Lindau, con prevenzione, estetica e impianti per grandi e piccoli, in un ambiente sereno e a due passi da voi.',
    ],
    [
      'de',
      'Wir sind drei Zahnärzte in Lindau, mit Vorsorge, Ästhetik und Implantaten für Groß und Klein, in ruhiger Lage und nah am Bahnhof.',
    ],
  ])('does so with a number or a bare noun behind its verb: %s, %s', (lang, text) => {
    expect(opening(lang, text)).toBe('pass')
  })

  test('does not where the number is that of the minutes to the station', () => {
    const text =
      'Wir sind drei Minuten vom Bahnhof, mit Blick auf den See, in ruhiger Lage und doch mitten im Leben, nah am Hafen und am Markt.'
    expect(opening('de', text)).not.toBe('pass')
  })
})

describe('space for an image', () => {
  const sized = (css: string, html: string) =>
    runCheck(renderPerformance, 'img-dims', read(`<style>${css}</style>${html}`)).result
  const strip = '<div class="strip"><a><img src="/one.jpg"></a><a><img src="/two.jpg"></a></div>'

  test('is kept by a rule for all children but the first', () => {
    expect(sized('.strip a:not(:first-child) img, .strip a:first-child img { height: 62px }', strip)).toBe(
      'pass',
    )
  })

  test.each([
    ['pass', '.strip { display: grid; grid-auto-rows: 62px } .strip img { height: 100% }'],
    ['pass', '.strip { grid-template-rows: repeat(2, 62px) } .strip img { width: 100%; height: 100% }'],
    ['warn', '.strip { grid-auto-rows: 62px } .strip img { height: auto }'],
    ['warn', '.strip { grid-auto-rows: minmax(62px, auto) } .strip img { height: 100% }'],
    ['warn', '.strip { grid-template-rows: 62px 1fr } .strip img { height: 100% }'],
  ])('is kept by rows of a fixed height that the image fills: %s, %s', (verdict, css) => {
    expect(sized(css, strip)).toBe(verdict)
  })
})

describe('a field for a name, a mailbox or a telephone', () => {
  const judged = (fields: string) =>
    runCheck(accessibilityActionability, 'autocomplete', read(`<form>${fields}<button>Send</button></form>`))
  const colleague =
    '<label>Your name <input name="dentist_name" autocomplete="name"></label><input type="email" name="practice_email" aria-label="E-mail" autocomplete="email">'
  const patient =
    '<input name="patient_name" aria-label="Name of the patient"><input type="tel" name="patient_phone" aria-label="Phone"><input type="email" name="patient_email" aria-label="E-mail">'

  test('of a patient whom a colleague refers holds nothing that a browser knows', () => {
    expect(judged(colleague + patient).result).toBe('pass')
    expect(judged(patient).result).toBe('fail')
  })

  test('is told by its label and its name before its type', () => {
    const outcome = judged(
      '<input type="email" name="phone" id="phone" placeholder="Teléfono *"><textarea name="message"></textarea>',
    )
    expect(fixOf(outcome)).toContain('Add autocomplete="tel" to <input type="email" name="phone" id="phone">')
    expect(fixOf(outcome)).toContain('make it type="tel"')
    expect(fixOf(judged('<input type="email" name="phone" placeholder="E-mail">'))).toContain(
      'autocomplete="email"',
    )
  })
})

describe('the page about the practice', () => {
  const home = page(
    `<section><h2>About the Practice</h2><p>${words(40)}</p></section><nav><a href="/about.html">About us</a></nav>`,
  )
  const filler = '<h2>Meet the team</h2><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>'
  const about = (count: number) =>
    runCheck(
      entityTrust,
      'about',
      site({ [at()]: home, [at('/about.html')]: page(`<p>${words(count)}</p>${filler}`, 'About us') }),
    )

  test('counts though the filler of its template stands for the team', () => {
    expect(about(200).result).toBe('pass')
    expect(reasonOf(about(200))).toContain('200 words')
  })

  test('comes before a part of the home page where it has little of its own', () => {
    expect(about(20).result).toBe('fail')
    expect(fixOf(about(20))).toContain(at('/about.html'))
  })
})

test.each([
  ['JivoChat', 's.src = "//code.jivosite.com/script/widget/b0"'],
  ['Smartsupp', 'c.src = "https://www.smartsuppchat.com/loader.js?"'],
  ['Chatwoot', 'window.chatwootSDK.run({ websiteToken: "x", baseUrl: "https://chat.lind.example" })'],
  ['Carrot quest', 't.src = "https://cdn.carrotquest.io/api.min.js"'],
])('the chat of %s keeps what visitors write', (name, script) => {
  const outcome = runCheck(workflowAutomation, 'crm-tags', read(`<script>${script}</script>`))
  expect([outcome.result, reasonOf(outcome)]).toEqual(['pass', `What visitors send is kept with ${name}.`])
})

const servicesAt = (script: string) => readServices(read(script).pages)

test.each([
  '<script src="https://cdn.bitrix24.eu/b1/crm/form/loader_1.js"></script>',
  '<script src="https://www.drift.com/images/x.js"></script>',
  '<script src="https://www.smartsupp.com/logo.js"></script>',
  '<script src="https://eu.fw-cdn.com/1/2.js"></script>',
  '<script src="https://lind.ladesk.com/logo.js"></script>',
])('no chat is seen where the firm of one serves something else: %s', (script) => {
  expect(servicesAt(script).filter(({ kinds }) => kinds.includes('chat'))).toEqual([])
})

test.each([
  ['Bitrix24', '<script>load("https://cdn.bitrix24.eu/b1/crm/site_button/loader_1.js")</script>'],
  ['Drift', '<script src="https://js.driftt.com/include/1/x.js"></script>'],
  ['Freshdesk', '<script src="//eu.fw-cdn.com/1/2.js" chat="true"></script>'],
  ['LiveAgent', '<script src="https://lind.ladesk.com/scripts/track.js"></script>'],
])('the chat of %s is seen by its own script', (name, script) => {
  expect(servicesAt(script).filter(({ kinds }) => kinds.includes('chat'))).toMatchObject([{ name }])
})

describe('what patients say', () => {
  const quotes =
    '<blockquote><p>« Calm, kind and never in a hurry, also with my children. »</p><cite>Maria K.</cite></blockquote><blockquote><p>« The first dentist whom my father is not afraid of. »</p><cite>Jan B.</cite></blockquote>'
  const proof = (heading: string, html: string) =>
    runCheck(entityTrust, 'proof', read(`<section><h2>${heading}</h2>${html}</section>`)).result

  test.each([
    'Avis de nos patients',
    'Avis patients',
    'Hasta yorumları',
    'Patientenstimmen',
    'Patient feedback',
    'Kind words',
    'Opinie pacjentów',
  ])('is found below "%s", and only where someone has signed it', (heading) => {
    expect(proof(heading, quotes)).toBe('pass')
    expect(proof(heading, '<p>Please write to us what we could do better for you and yours.</p>')).toBe(
      'fail',
    )
  })
})

describe('one word as the alternative text of many pictures', () => {
  const alt = (pictures: readonly string[]) =>
    runCheck(
      accessibilityActionability,
      'alt',
      read(pictures.map((src, at) => `<img src="${src}" alt="${at === 0 ? 'Our rooms' : 'da'}">`).join('')),
    ).result
  const files = (count: number) => Array.from({ length: count }, (_, at) => `/photo-${at}.jpg`)

  test('says nothing of them', () => {
    expect(alt(files(8))).toBe('fail')
  })

  test.each([
    ['five', files(6)],
    ['one picture that repeats', Array.from({ length: 8 }, () => '/photo.jpg')],
    ['icons', Array.from({ length: 8 }, (_, at) => `/icons/tooth-${at}.png`)],
  ])('may do for %s', (_, pictures) => {
    expect(alt(pictures)).toBe('pass')
  })
})
