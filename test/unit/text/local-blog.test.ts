import { describe, expect, test } from 'vitest'
import { countWords } from '../../../src/products/text/count-words.ts'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import { tones } from '../../../src/products/text/local/article/tone.ts'
import { createLocalEngine } from '../../../src/products/text/local/local-engine.ts'
import { hostileTexts, markupIn } from './hostile.ts'
import { refusalOf } from './refusal.ts'

const engine = createLocalEngine()
const { signal } = new AbortController()

const topics = [
  'Reducing the hours we lose to paperwork',
  'Invoice processing and data entry',
  'Where should we start to automate?',
] as const

function occurrences(content: string, keyword: string): number {
  return content.toLowerCase().split(keyword.toLowerCase()).length - 1
}

describe.each(industrySlugs)('an article for %s', (industry) => {
  test.each(tones.map(({ id }) => id))(
    'in a %s tone has 800 to 1,200 words, one title, six sections, four questions and no foreign markup',
    async (tone) => {
      for (const topic of topics) {
        const { title, content } = await engine.blog({ topic, industry, tone }, signal)
        const words = countWords(content)
        expect(words, topic).toBeGreaterThanOrEqual(800)
        expect(words, topic).toBeLessThanOrEqual(1200)
        expect(content.match(/^# .+$/gm)).toEqual([`# ${title}`])
        expect(content.match(/^## .+$/gm)?.length).toBeGreaterThanOrEqual(6)
        const faq = content.split('\n## Frequently asked questions\n\n')[1] ?? ''
        expect(faq).toMatch(/^(?:### [^\n]+\?\n\n(?!#)[^\n]+(?:\n\n|$)){4,}$/)
        expect(markupIn(content)).toEqual([])
      }
    },
  )
})

test('a hostile topic or keyword is refused, or becomes an article of the right length without foreign markup', async () => {
  for (const text of hostileTexts) {
    for (const topic of [`Invoice processing ${text}`, 'Invoice processing']) {
      const request = { topic: topic.slice(0, 200), targetKeyword: `invoices ${text}`.slice(0, 100) }
      if (engine.refusals.blog(request)) continue
      const { content } = await engine.blog(request, signal)
      expect(countWords(content), text).toBeGreaterThanOrEqual(800)
      expect(countWords(content), text).toBeLessThanOrEqual(1200)
      expect(markupIn(content), text).toEqual([])
    }
  }
})

test.each([
  ['Reducing no-shows at dental clinics', 'appointment reminders'],
  ['How to answer tenants faster', 'property management automation'],
  ['Preventive maintenance in small plants', 'maintenance software'],
  ['Better client reporting', 'marketing dashboards'],
  ['Invoices', 'invoices'],
  ['Automation for small law firms', 'automation'],
])(
  'an article on %j names the keyword %j early, in a heading and in half a percent to 2.5 percent of its words',
  async (topic, targetKeyword) => {
    for (const { id: tone } of tones) {
      const { content } = await engine.blog({ topic, targetKeyword, tone }, signal)
      const [title = '', firstParagraph = ''] = content.split('\n\n')
      const share = occurrences(content, targetKeyword) / countWords(content)
      expect(occurrences(title + firstParagraph, targetKeyword), tone).toBeGreaterThan(0)
      expect(
        content.match(/^## .+$/gm)?.some((each) => occurrences(each, targetKeyword) > 0),
        tone,
      ).toBe(true)
      expect(share, tone).toBeGreaterThanOrEqual(0.005)
      expect(share, tone).toBeLessThanOrEqual(0.025)
    }
  },
)

test('a keyword that begins with a verb follows "how to"', async () => {
  const { content } = await engine.blog(
    { topic: 'Invoices', targetKeyword: 'automate invoices', tone: 'professional' },
    signal,
  )
  expect(content).toContain('how to automate invoices')
  expect(content).not.toMatch(/(?:about|on) automate invoices/)
})

test('no two tones share an opening, a first heading or a closing', async () => {
  const articles = await Promise.all(
    tones.map(({ id: tone }) => engine.blog({ topic: 'Client onboarding', industry: 'law', tone }, signal)),
  )
  const part = (pick: (content: string) => string | undefined) =>
    new Set(articles.map(({ content }) => pick(content))).size
  expect(part((content) => content.split('\n\n')[1])).toBe(tones.length)
  expect(part((content) => content.match(/^## .+$/gm)?.[0])).toBe(tones.length)
  expect(part((content) => content.split('\n## Frequently')[0]?.split('\n\n').at(-2))).toBe(tones.length)
})

test('casual tones use contractions and address the reader, formal tones use no contractions', async () => {
  const written = async (tone: string) =>
    (await engine.blog({ topic: 'Client onboarding', industry: 'law', tone }, signal)).content
  for (const tone of ['casual', 'friendly', 'playful', 'persuasive']) {
    const content = await written(tone)
    expect(
      content.match(/\b(?:it|that|don|doesn|you|can|isn|let)’(?:s|t|ll|re|ve)\b/gi)?.length,
      tone,
    ).toBeGreaterThan(3)
    expect(content.match(/\byou(?:r|’|\b)/gi)?.length, tone).toBeGreaterThan(4)
  }
  for (const tone of ['professional', 'authoritative', 'technical']) {
    expect(await written(tone), tone).not.toMatch(/\b(?:don|doesn|can|isn|won)’t\b|\bit’s\b/i)
  }
})

test.each([
  ['witty', 'playful'],
  ['Conversational', 'casual'],
  ['formal and serious', 'professional'],
  ['thought leadership', 'authoritative'],
  ['developer-focused, in-depth', 'technical'],
  ['warm & encouraging', 'friendly'],
  ['sales', 'persuasive'],
  ['', 'professional'],
])('the tone %j gives the article of the tone %s', async (tone, expected) => {
  const request = { topic: 'Client onboarding', industry: 'law' }
  expect(await engine.blog({ ...request, tone }, signal)).toEqual(
    await engine.blog({ ...request, tone: expected }, signal),
  )
})

test('a tone that no article is written in is refused, and the tones are named', async () => {
  const request = { topic: 'Client onboarding', industry: 'law', tone: 'angry pirate' }
  const error = engine.refusals.blog(request)
  expect(error).toMatchObject({ code: 'TEXT_NOT_KNOWN', details: { field: 'tone' } })
  expect(error?.hint).toContain('professional, friendly')
  expect((await refusalOf(engine.blog(request, signal))).code).toBe('TEXT_NOT_KNOWN')
})

test.each([
  ['healthcare', 'Prior authorization without faxes', 'Fewer no-shows'],
  ['retail', 'Returns and refunds', 'Planning shifts in summer'],
  ['finance', 'A shorter month-end close', 'KYC onboarding'],
])(
  'articles on two topics in %s share less than 60 percent of their sentences',
  async (industry, one, two) => {
    const first = (await engine.blog({ topic: one, industry }, signal)).content.split(/(?<=[.?])\s+/)
    const second = new Set(
      (await engine.blog({ topic: two, industry }, signal)).content.split(/(?<=[.?])\s+/),
    )
    const shared = first.filter((sentence) => second.has(sentence)).length
    expect(shared / first.length).toBeLessThan(0.6)
  },
)

test('an article borrows subjects of another industry when the topic asks for them', async () => {
  const { content } = await engine.blog({ topic: 'Lead scoring', industry: 'SaaS' }, signal)
  expect(content).toContain('lead routing')
})

test('the title is plain text, and a question stays a question', async () => {
  const asked = await engine.blog({ topic: 'Should we automate scheduling?' }, signal)
  expect(asked.title).toBe('Should we automate scheduling?')
  const odd = await engine.blog({ topic: 'Invoices *fast* <now>' }, signal)
  expect(odd.title.startsWith('Invoices *fast* <now>')).toBe(true)
})

test('two articles for the same request are equal to the byte', async () => {
  const request = {
    topic: 'Quality inspection reports',
    tone: 'playful',
    targetKeyword: 'quality inspection',
  }
  expect(await createLocalEngine().blog(request, signal)).toEqual(await engine.blog(request, signal))
})

test.each([
  'Dog grooming appointment booking',
  'Appointment reminders for dog groomers',
  'Pet grooming salon no-shows',
  'Barber shop booking',
  'Reducing no-shows at a massage studio',
])('“%s” gets an article on booking for small businesses', async (topic) => {
  const { content } = await engine.blog({ topic }, signal)
  expect(content).toContain('## Booking and reminders without phone calls')
  expect(content).toContain('small and medium businesses')
})

test.each([
  'Dog grooming tips',
  'Dog grooming at home',
  'How to groom a dog',
  'Dog training tips',
  'Best dog breeds for families',
  'Becoming a wedding photographer',
  'Massage techniques',
  'Barber haircuts for men',
  'Grooming of minors online',
])('“%s” is refused: a trade is no task, and a part of its name is no trade', async (topic) => {
  expect(await refusalOf(engine.blog({ topic }, signal))).toMatchObject({
    code: 'TEXT_NOT_KNOWN',
    details: { field: 'topic' },
  })
})

test('a business whose name is a trade is known, and asked only about its work', async () => {
  const businessName = 'Happy Paws Dog Grooming'
  const { industry, insights } = await engine.analyze(
    { businessName, question: 'How do we cut no-shows in our dog grooming salon?' },
    signal,
  )
  expect([industry, insights]).toEqual(['other', expect.stringContaining('online booking')])
  const other = engine.analyze({ businessName, question: 'Which shampoo is best for dogs?' }, signal)
  expect(await refusalOf(other)).toMatchObject({ code: 'TEXT_NOT_KNOWN', details: { field: 'question' } })
})
