import { expect, test } from 'vitest'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { readIndustry } from '../../../../src/products/scan/signals/industry/industry.ts'
import { isLinkOfKind, type PageKind } from '../../../../src/products/scan/site/kinds/page-kinds.ts'
import { site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** Verdicts that were false on public sites, in the smallest page that shows each. */

const at = 'https://site.example'
const home = (html: string, url = `${at}/`) => site({ [url]: html })
const words = (count: number) => 'word '.repeat(count)

test.each([
  ['Turkish', '<a href="/iletisim.html">İletişim</a>'],
  ['Russian in capitals', '<a href="/kontakty.html">КОНТАКТЫ</a>'],
  ['Arabic', '<a href="/feedback.html">شاركنا رأيك</a>'],
  ['Japanese', '<a href="/a">お問い合わせはこちら</a>'],
  ['Korean', '<a href="/a">문의하기</a>'],
  ['Chinese', '<a href="/a">聯絡我們</a>'],
  ['Portuguese', '<a href="/a">Fale conosco</a>'],
  ['WhatsApp', '<a href="https://wa.me/77050000000">Write</a>'],
  ['LINE', '<a href="https://line.me/R/ti/p/@shop">x</a>'],
  ['KakaoTalk', '<a href="https://pf.kakao.com/_abc">x</a>'],
  ['KakaoTalk', '<div data-channel-public-id="_abcDe" data-title="consult"></div>'],
  ['Telegram', '<a href="https://t.me/shopname">x</a>'],
  ['a telephone number as text', '<footer>Tel. +43 1 890 4217</footer>'],
])('a way of contact in %s is seen', (_, html) => {
  expect(runCheck(coreSnapshot, 'contact-path', home(html)).result).toBe('pass')
})

test.each([
  ['a link that shares the page', '<a href="https://wa.me/?text=look">Share</a>'],
  ['a demo of a program', '<a href="/demo-1">Demo</a>'],
  ['the programme of a conference', '<a href="/schedule">Schedule</a>'],
  ['a number of articles', '<footer>003.006.009</footer>'],
])('%s is no way of contact', (_, html) => {
  expect(runCheck(coreSnapshot, 'contact-path', home(html)).result).toBe('fail')
})

test('a site in a language without a dictionary has no verdict on its words', () => {
  const finnish =
    'Olemme pieni polkupyöräkorjaamo Tampereen keskustassa ja korjaamme kaikenlaisia polkupyöriä. '.repeat(5)
  expect(runCheck(coreSnapshot, 'contact-path', home(`<p>${finnish}</p>`))).toEqual({
    result: 'unmeasured',
    reason: 'The site is in Finnish, and this check has no words of that language.',
  })
})

test.each<[PageKind, string]>([
  ['about', 'О компании'],
  ['about', '会社概要'],
  ['about', 'Hakkımızda'],
  ['privacy', 'Политика обработки персональных данных'],
  ['privacy', 'Privacy & Cookies'],
  ['privacy', 'سياسة الخصوصية'],
  ['terms', '特定商取引法に基づく表記'],
  ['terms', 'Allgemeine Geschäftsbedingungen'],
  ['pricing', '料金・お支払い'],
  ['pricing', 'Unsere Preise'],
  ['booking', 'Randevu Al'],
  ['booking', '온라인예약'],
])('a link to the page of %s is known by "%s"', (kind, text) => {
  expect(isLinkOfKind({ url: `${at}/x1`, text, isInternal: true }, kind)).toBe(true)
})

test.each<[PageKind, string]>([
  ['pricing', 'Lesson plans'],
  ['booking', 'Book reviews'],
  ['about', '제품 소개'],
  ['pricing', '解决方案'],
])('a link to something else is no page of %s: "%s"', (kind, text) => {
  expect(isLinkOfKind({ url: `${at}/x1`, text, isInternal: true }, kind)).toBe(false)
})

test('a header that is never closed does not hide the page', () => {
  const html = `<body><header><h1>Shop</h1><section>${words(500)}</section>`
  expect(runCheck(coreSnapshot, 'ssr-text', home(html)).result).toBe('pass')
})

test('cards in article elements are not taken for the main part', () => {
  const html = `<body><h1>Firm</h1><article>${words(60)}</article><p>${words(400)}</p></body>`
  expect(home(html).home?.mainText.split(' ').length).toBeGreaterThan(400)
})

test.each([
  ['in a menu', '<nav><a href="/"><h1>Name</h1></a></nav><p>x</p>'],
  ['that is a picture', '<h1><img src="/a.png" alt="Sambori"></h1>'],
])('a main heading %s counts', (_, html) => {
  expect(runCheck(coreSnapshot, 'one-h1', home(html)).result).toBe('pass')
})

test.each([
  [
    '<title>Pagana Pastelería - Postres</title><footer>© 2024 Todos los Derechos Reservados por X</footer>',
    'https://pagana-pasteleria.example/',
    'Pagana Pastelería',
  ],
  [
    '<title>Pullat Suites Resort | Best Resort</title><footer>© 2024. All rights reserved</footer>',
    'https://pullatresort.example/',
    'Pullat Suites Resort',
  ],
  [
    '<title>MkDocs</title><h1>MkDocs</h1><footer>Copyright © 2014 Tom Christie</footer>',
    'https://mkdocs.example/',
    'MkDocs',
  ],
  [
    '<title>Home</title><img alt="Logo Fraschina Giardini" src="/l.png">',
    'https://fraschinagiardini.example/',
    'Fraschina Giardini',
  ],
  [
    '<title>Smart Engineering Solutions for Cities, Roads and Data</title><footer>© 2025 • ID Thriverse. All rights reserved</footer>',
    'https://idthriverse.example/',
    'ID Thriverse',
  ],
  [
    `<title>Tezos Systems - Live Dashboard</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"WebApplication","name":"Tezos Systems","publisher":{"@type":"Person","affiliation":{"@type":"Organization","name":"Tez Capital"}}}</script>`,
    'https://tezos.example/',
    'Tezos Systems',
  ],
])('%s names the business', (html, url, name) => {
  expect(companyName(home(html, url))).toBe(name)
})

test.each([
  ['other', '<title>Greg Weisheit Concrete Co - Professional Concrete Services</title>'],
  ['other', '<title>20bpizza – It’s all about pizza</title><h2>Our properties: fresh</h2>'],
  ['other', '<title>Food bank of Leeds</title><meta name="description" content="Volunteers help.">'],
  ['healthcare', '<title>Zahnarztpraxis Sugioarto</title>'],
  ['professional-services', '<title>LTB Avocat – TVA</title>'],
  [
    'professional-services',
    `<title>변호사 최우준</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"LegalService","employee":{"@type":"Person","alumniOf":{"@type":"EducationalOrganization"}}}</script>`,
  ],
  ['healthcare', '<title>ODONTO</title>'],
  ['healthcare', '<title>Speech-Language Pathologist</title>'],
  ['healthcare', '<title>Praktijk voor mondhygiëne</title>'],
  ['technology', '<title>استعادة بيانات متخصصة في الرياض</title>'],
  ['other', '<title>Nothing that tells</title><p>dentist bank software</p>'],
])('the industry is %s for %s', (industry, html) => {
  expect(readIndustry(home(html)).slug).toBe(industry)
})

test('an industry that nothing tells is said to be unclear', () => {
  expect(readIndustry(home('<title>Hello</title>'))).toEqual({ slug: 'other', how: 'unclear' })
})
