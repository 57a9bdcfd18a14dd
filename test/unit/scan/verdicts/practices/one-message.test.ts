import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { saidFacts } from '../../../../../src/products/scan/report/blocks/said-facts.ts'
import { viewOf } from '../../../../../src/products/scan/report/report-view.ts'
import { joinedToBlock } from '../../../../../src/products/scan/report/work/joined-questions.ts'
import { jointMessage } from '../../../../../src/products/scan/report/work/joint-message.ts'
import { datesIn, dayOf } from '../../../../../src/products/scan/site/dates.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { reasonOf, runCheck } from '../../../../support/scans/checks.ts'
import { at, page, read, words } from '../../../../support/scans/lind-site.ts'

/** What owners of practices stumbled over when all that they hand on was one message. */

const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const messageOf = (entries: Entries) =>
  viewOf(analysisOf(entries)).tasks.flatMap(({ handedOn }) => handedOn?.message ?? [])[0]

test('a notice that is whole but for lines of its template is filled in by the web person, and sends nobody to a lawyer', () => {
  const host = '<h2>Hébergeur</h2><p>Société : [À compléter]</p><p>Adresse : [À compléter]</p>'
  const notice = `<html lang="fr"><title>Mentions légales</title><body><h1>Mentions légales</h1><h2>Éditeur</h2><p>${words(60)}</p><h2>Politique de confidentialité</h2><p>${words(60)}</p>${host}`
  const entries = {
    [at()]: page(
      `<p>${words(300)}</p><footer><a href="/mentions-legales.html">Mentions légales</a> <a href="/mentions-legales.html">Politique de confidentialité</a></footer>`,
    ),
    [at('/mentions-legales.html')]: notice,
  }
  const { report } = analysisOf(entries)
  const open = (report.actions ?? []).filter(({ block, title }) =>
    /template (?:of|left)/.test(`${title} ${block?.text ?? ''}`),
  )
  expect(open).toHaveLength(1)
  expect(open[0]?.who).toMatch(/^Give this/)
  expect(open[0]?.settles).toContain('entity-trust/legal')
  expect(open[0]?.block?.text.match(/Fill in, or take out/g)).toHaveLength(1)
  expect(open[0]?.block?.missing).toEqual([
    'what belongs where the template left a line open, as far as you know it',
  ])
  expect(JSON.stringify(report.actions)).not.toContain('Ask your association or lawyer which notices')
})

test('a greeting of years ago is not named as a page that wants figures', () => {
  const greeting = `<html lang="en"><title>Happy new year</title><body><main><h1>Happy new year</h1><p>${words(400)}</p></main>`
  const found = runCheck(
    contentAnswerability,
    'evidence',
    read(`<p>${words(300)}</p><a href="/news/20210101/">News</a>`, { [at('/news/20210101/')]: greeting }),
  )
  expect(found).toMatchObject({ fix: expect.stringContaining('figures') })
  expect('evidence' in found && found.evidence[0]?.url).toBe(at())
})

test('a postcode of four digits and letters that stand apart are no figures', () => {
  const text = `${words(120)} 1066 CV Amsterdam. 4 T I J D E L I J K. ${words(120)}`
  const { reason } = runCheck(contentAnswerability, 'evidence', read(`<p>${text}</p>`))
  expect(reason).toContain('0 figures')
})

test.each([
  ['Lind Sorriso | Clínica Odontológica', 'Atendimento de qualidade.', 'Dentist'],
  ['Lind', 'Software and wholesale for a dental practice.', 'no Dentist'],
  ['Lind | Akademie für Zahnarzt-Teams', 'Kurse.', 'no Dentist'],
])('a site with the title %s and the description %s is a %s', (title, description, type) => {
  const html = `<html><head><title>${title}</title><meta name="description" content="${description}"></head><body><main><h1>Lind</h1><p>${words(40)}</p></main>`
  const text = JSON.stringify(analysisOf({ [at()]: html }).report.actions)
  expect(text.includes('\\"@type\\": \\"Dentist\\"')).toBe(type === 'Dentist')
})

test('a description of somebody on a deeper page is named where none tells who runs the site', () => {
  const node = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Hygiene',
    url: at('/hygiene'),
  })
  const { reason } = runCheck(
    structuredData,
    'organization',
    read('<a href="/hygiene">Hygiene</a>', {
      [at('/hygiene')]: page(`<script type="application/ld+json">${node}</script>`, 'Hygiene'),
    }),
  )
  expect(reason).toContain(`“Lind Hygiene” on ${at('/hygiene')} has another name or address`)
})

test('the picture of a preview that was taken from the page is told in words, and no drawing is taken', () => {
  const message = messageOf({
    [at()]: page(`<img src="/tooth.svg"><img src="/team.avif"><img src="/door.jpg"><p>${words(300)}</p>`),
  })
  expect(message?.says).toContain(`picture in previews: ${at('/door.jpg')}`)
})

test('which of two numbers is right is asked once, and answers the question for the number as well', () => {
  const parts = [
    { step: 2, asks: ['the telephone number that is right (telephone)'] },
    { step: 3, asks: ['your telephone number', 'your logo (logo)'] },
  ].map(({ step, asks }) => ({
    step,
    message: {
      to: 'whoever looks after your website',
      says: [],
      asks,
      text: `Do this.\n\nPlease use these facts:\n${asks.map((ask) => `- ${ask.replace('your', 'our')}: `).join('\n')}`,
      checks: [],
    },
  }))
  const joint = jointMessage(parts)
  expect(joint?.asks).toEqual(['the telephone number that is right (telephone)', 'your logo (logo)'])
  expect(joint?.text).toContain('1. the telephone number that is right (telephone) (parts 1 and 2): \n')
  expect(joint?.text).toContain('- our telephone number: see answer 1 above')
  expect(joint?.text).toContain('- our logo (logo): see answer 2 above')
})

test('a rating that machines alone read is taken out by the web person, and stands in no lines that we write', () => {
  const node = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Dentist',
    name: 'Lind Dental',
    telephone: '+44 1803 496021',
    aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.9', reviewCount: '127' },
  })
  const { report } = analysisOf({
    [at()]: page(
      `<p>${words(300)}</p><p>Call 01803 496021</p>`,
      'Lind Dental | Dentist in Torquay',
      `<script type="application/ld+json">${node}</script>`,
    ),
  })
  const rating = report.actions?.find(({ settles }) => settles.includes('entity-trust/proof'))
  expect(rating?.who).toMatch(/^Give this/)
  expect(rating?.steps).toBeUndefined()
  expect(rating?.block?.text).toContain('Take the rating out of the JSON-LD')
  const described = report.actions?.find(({ settles }) => settles.includes('structured-data/same-as'))
  expect(described?.block?.text).toContain('"Dentist"')
  expect(described?.block?.text).not.toContain('aggregateRating')
})

test('where a second page of prices was not read, it is not known whether prices are published', () => {
  const entries = (more: Entries) => ({
    [at()]: page('<a href="/cost">Prices</a> <p>Call 01803 496021 for an appointment.</p>'),
    [at('/cost')]: page(`<p>${words(100)}</p><a href="/cost/fees">Our fees</a>`, 'Prices'),
    ...more,
  })
  const of = (more: Entries) => runCheck(workflowAutomation, 'pricing', site(entries(more))).result
  expect(of({ [at('/cost/fees')]: page('<p>A visit with no figures.</p>', 'Fees') })).toBe('fail')
  expect(of({ [at('/cost/fees')]: { skipped: 'budget' } })).toBe('unmeasured')
})

test('an English page that kept the dialogs of its original is English', () => {
  const english =
    'We are a dental practice near the market square. We see families and children on each day of the week, and we take time for every question that you bring with you. '
  const german =
    'Unsere Praxis behandelt Kinder und Erwachsene, und ein Termin wird am Telefon oder an der Anmeldung vereinbart, während der Öffnungszeiten. '
  const html = `<html lang="en"><title>Lind</title><body><h1>Lind</h1><p>${english.repeat(8)}</p><div class="modal fade" id="a"><p>${german.repeat(24)}</p></div>`
  expect(runCheck(accessibilityActionability, 'lang', site({ [at()]: html })).result).toBe('pass')
})

test('two parts about the practice and its dentist are one text about the people', () => {
  const part = (id: string, title: string, count: number) =>
    `<section id="${id}"><h2>${title}</h2><p>${words(count)}</p></section>`
  const about = (...parts: string[]) => runCheck(entityTrust, 'about', read(parts.join('')))
  expect(about(part('about', 'About us', 100)).result).toBe('fail')
  expect(about(part('about', 'About us', 100), part('team', 'Our team', 90))).toMatchObject({
    result: 'pass',
    reason: '2 texts about the people or the company have 190 words.',
  })
})

test('a part of a page that an empty link with a name marks is known', () => {
  const team = `<a href="/#team">Our team</a><a name="team"></a><section><h2>Health and teeth</h2><p>${words(200)}</p></section>`
  expect(runCheck(entityTrust, 'about', read(team)).result).toBe('pass')
})

test.each(['Janeiro de 2025 · 8 min de leitura', 'January 2025'])(
  'an article below “%s” has a date, of which the month is known',
  (line) => {
    const post = page(
      `<span class="post-date">${line}</span><p>November 2026</p><p>${words(200)}</p>`,
      'Implants',
    )
    const found = runCheck(
      freshnessIndex,
      'newest',
      read('<a href="/blog/implants">Blog: implants</a>', { [at('/blog/implants')]: post }),
    )
    expect(reasonOf(found)).toContain('(month of a post) is from January 2025')
  },
)

test('contact facts that the markup lacks are a part of the message with the description, which asks for them', () => {
  const issue = {
    agent: 'entity-trust',
    check: 'nap',
    title: 'T',
    weight: 1,
    result: 'fail' as const,
    reason: 'R',
    fix: 'F',
    evidence: [],
    work: { kind: 'contact-markup' as const },
  }
  const block = { kind: 'html' as const, where: 'W', text: 'T', missing: [] }
  const joined = (says: string[]) => joinedToBlock({ ...block, says }, [issue]).map((one) => one.issue.check)
  expect(joined(['what you are: dentist'])).toEqual(['nap'])
  expect(joined(['picture in previews: x'])).toEqual([])
})

test('a flat without its street is published nowhere, and the address is asked for', () => {
  const told = (line: string) => {
    const { report } = analysisOf({
      [at()]: page(`<p>${words(300)}</p><p>Call <a href="tel:+35722496021">22 496021</a></p>`, 'Lind Dental'),
      [at('/contact')]: page(`<h2>Contact</h2><p>${line}</p>`, 'Contact'),
    })
    return JSON.stringify(report.actions)
  }
  expect(told('12 Harbour Street, Torquay TQ1 2AB')).toContain('12 Harbour Street')
  expect(told('15 Androkleous Str., Flat 403, 1061 Nicosia')).not.toContain('\\"streetAddress\\"')
})

test('the list of appointments of a member is no page that wants more text', () => {
  const list = `<html lang="en"><title>My appointments</title><body><nav>${words(200)}</nav><main><h1>Tracking</h1><p>${words(30)}</p></main>`
  const found = runCheck(
    contentAnswerability,
    'boilerplate',
    read(`<p>${words(300)}</p><a href="/appointment-tracking.html">Appointments</a>`, {
      [at('/appointment-tracking.html')]: list,
    }),
  )
  expect(found.result).toBe('pass')
})

test('what a part of a description says of its address is told in words', () => {
  const said = saidFacts({
    '@type': 'Dentist',
    department: { '@type': 'Dentist', name: 'Lind North', address: { streetAddress: '3 Mill Lane' } },
  })
  expect(said).toContain('department: Lind North, address 3 Mill Lane')
})

test.each([
  ['10 Haziran 2026', '2026-06-10'],
  ['3 lutego 2025', '2025-02-03'],
  ['5 августа 2024', '2024-08-05'],
])('%s is a day', (text, day) => {
  expect(datesIn(text).map(dayOf)).toEqual([day])
})

test('a profile of one of the staff is no page that wants 300 words, and Doctoralia of Chile takes bookings', () => {
  const profile = `<html lang="en"><title>Ada Lind | Lind Dental</title><body><main><h1>Ada Lind</h1><h2>Education &amp; Training</h2><p>${words(60)}</p></main>`
  const depth = runCheck(
    contentAnswerability,
    'depth',
    read(`<p>${words(320)}</p><a href="/ada.html">Ada Lind</a>`, { [at('/ada.html')]: profile }),
  )
  expect(depth.result).toBe('pass')
  const booked = runCheck(
    workflowAutomation,
    'booking',
    read('<h2>Book an appointment</h2><a href="https://www.doctoralia.cl/ada-lind/dentista">Agenda</a>'),
  )
  expect(booked.result).toBe('pass')
})

test('a number that non-breaking hyphens part is shown as it is dialled', () => {
  const link = '<a href="tel:+380502957525">+38 (050) 295\u201175\u201125</a>'
  expect(JSON.stringify(analysisOf({ [at()]: page(`<p>${words(300)}</p>${link}`) }).report)).not.toContain(
    'dials',
  )
})
