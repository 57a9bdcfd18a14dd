import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Texts about the people behind a site, and what others say of it. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)

test('a page about the company is as long as its own text, without the menu around it', () => {
  const about = `<body id="about"><nav><a href="/">${words(60)}</a></nav><main><h1>About us</h1><p>${words(100)}</p></main><footer>${words(60)}</footer></body>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<a href="/about">About us</a><p>${words(200)}</p>`, [`${at}/about`]: about }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('102 words') })
})

test('more is asked for on the page about the people, though a part of the home page has more words', () => {
  const outcome = runCheck(
    entityTrust,
    'about',
    site({
      [`${at}/`]: `<a href="/about">About us</a><section><h2>About us</h2><p>${words(90)}</p></section>`,
      [`${at}/about`]: `<main><h1>About us</h1><p>${words(40)}</p></main>`,
    }),
  )
  expect(outcome.result === 'fail' && outcome.fix).toContain(`${at}/about`)
})

test('a part under "The therapist" is a text about the person', () => {
  const part = `<section id="therapist"><p class="eyebrow">The therapist</p><h2>Vera Lind</h2><p>${words(90)}</p></section>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<main><h1>Therapy in Kiel</h1><p>${words(200)}</p>${part}</main>` }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringMatching(/has 9\d words/) })
})

test('what a customer says below "Our team" is no text about the company', () => {
  const quote = `<section><h2>Our Team</h2><blockquote>${words(86)}</blockquote><a href="/contact">Get a quote</a></section>`
  const menu = `<main><h1>Menus</h1><p>${words(200)}</p>${quote}</main>`
  const outcome = runCheck(
    entityTrust,
    'about',
    site({ [`${at}/`]: `<a href="/menus">Menus</a><p>${words(200)}</p>`, [`${at}/menus`]: menu }),
  )
  expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining('No page about') })
})

test.each(['Équipe professionnelle', 'Our professionals', 'Medical team'])(
  'a part under "%s" tells of the people',
  (heading) => {
    const part = `<section><h2>${heading}</h2><p>${words(170)}</p></section>`
    const page = `<main><h1>Family house</h1><p>${words(50)}</p>${part}</main>`
    expect(runCheck(entityTrust, 'about', site({ [`${at}/`]: page })).result).toBe('pass')
  },
)

test('a part under "About Dr. Lind" tells of the people', () => {
  const part = `<section><h2>👩‍⚕️ About Dr. Vera Lind</h2><p>${words(170)}</p></section>`
  const page = `<main><h1>Dr. Vera Lind</h1>${part}</main>`
  const entries = { [`${at}/`]: `<a href="/dr-lind">Clinic</a><p>${words(200)}</p>`, [`${at}/dr-lind`]: page }
  expect(runCheck(entityTrust, 'about', site(entries)).result).toBe('pass')
})

test.each([
  '<p>Bewertungen</p><div><strong>5,0</strong> <small>aus 18 Bewertungen</small></div>',
  '<div>4.9 <span>based on 120 Google reviews</span></div>',
  '<p>Note moyenne, basée sur 34 avis</p>',
])('%s shows what others say', (html) => {
  const page = `<main><h1>Tree care</h1><p>We care for the trees of our customers. ${words(60)}</p>${html}</main>`
  expect(runCheck(entityTrust, 'proof', site({ [`${at}/`]: page })).result).toBe('pass')
})

describe('testimonials without quotation marks', () => {
  const card = (className: string, signature: string) =>
    `<div class="${className}"><p>They flagged the real risks early and told us of each one.</p>${signature}</div>`
  const read = (html: string) =>
    runCheck(
      entityTrust,
      'proof',
      site({
        [`${at}/`]: `<title>Nord Plumbing</title><h1>Plumbing</h1><a href="tel:+442079460018">Call our office</a>${html}`,
      }),
    ).result

  test.each([
    ['a heading', '<h4>Mr. Ali Hassan</h4>'],
    ['a class', '<span class="client-name">Ali Hassan</span>'],
  ])('count where %s names who speaks', (_, signature) =>
    expect(
      read(
        `<section class="testimonials"><h2>Client perspective</h2>${card('review-card', signature)}</section>`,
      ),
    ).toBe('pass'),
  )

  test.each([
    [
      'nobody is named',
      `<section class="testimonials"><h2>Client perspective</h2>${card('review-card', '')}</section>`,
    ],
    ['the box is that of a product', card('review-card', '<h4>Tempo Max</h4>')],
    [
      'only the part has a heading',
      '<section class="testimonials"><div class="testimonial-grid"></div><h3>Your words</h3><p>Tell us and other readers how you liked our work.</p></section>',
    ],
  ])('do not count where %s', (_, html) => expect(read(html)).toBe('fail'))
})

test('a page about the people is counted once, without its menu', () => {
  const outcome = runCheck(
    entityTrust,
    'about',
    site({
      [`${at}/`]: '<title>Nord</title><a href="/chi-siamo.html">Chi siamo</a>',
      [`${at}/chi-siamo.html`]: `<html lang="it"><header><h1>Chi siamo</h1><nav>${'<a href="/">Home</a> '.repeat(40)}</nav></header><p>${words(40)}</p></html>`,
    }),
  )
  expect(quotesOf(outcome)).toBe('42 words')
})

describe('the words of patients in a script without capitals', () => {
  const told = 'لقد أعادت إلي ثقتي بنفسي وجعلتني أبتسم بثقة كل يوم'
  const proofOf = (box: string) =>
    runCheck(entityTrust, 'proof', site({ [`${at}/`]: `<h1>Nord</h1><p>${words(50)}</p>${box}` }))

  test.each([
    [
      'by a name behind a dash',
      `<div class="testimonial-item"><p>"${told}"</p><h4 class="testimonial-author">- عبد الله</h4><p>زراعة الأسنان</p></div>`,
    ],
    [
      'by a name with an age',
      `<div class="testimonial-item"><p>"${told}"</p><h4 class="testimonial-author">- إلهام، 40 عامًا</h4></div>`,
    ],
    ['by a name at the end of a box', `<div class="review"><p>"${told}"</p><span>– إلهام</span></div>`],
    [
      'below a heading that says so',
      `<section><h2>ماذا يقول مرضانا</h2><blockquote>${told}</blockquote><cite>أم رائد</cite></section>`,
    ],
  ])('are proof where they are signed %s', (_, box) => {
    expect(proofOf(box).result).toBe('pass')
  })

  test.each([
    ['unsigned', `<div class="testimonial-item"><p>"${told}"</p><a href="/more">اقرأ المزيد</a></div>`],
    [
      'beside the field of a form',
      `<section><h2>ماذا يقول مرضانا</h2><blockquote>${told}</blockquote><form><label class="name">الاسم</label><input name="n"></form></section>`,
    ],
  ])('are none where they stand %s', (_, box) => {
    expect(proofOf(box).result).not.toBe('pass')
  })
})
