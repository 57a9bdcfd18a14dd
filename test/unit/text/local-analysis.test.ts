import { expect, test } from 'vitest'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import { createLocalEngine } from '../../../src/products/text/local/local-engine.ts'
import { hostileTexts, markupIn } from './hostile.ts'
import { refusalOf } from './refusal.ts'

const engine = createLocalEngine()
const { signal } = new AbortController()

function rankingOf(insights: string): readonly string[] {
  return [...insights.matchAll(/^### (\d\. .*)$/gm)].map(([, title = '']) => title)
}

test('the local engine has the id local', () => {
  expect(engine.id).toBe('local')
})

test.each(industrySlugs)(
  'an analysis for %s has three opportunities, hours, tools and a quick win',
  async (industry) => {
    const { insights } = await engine.analyze({ businessName: 'Example Ltd', industry }, signal)
    expect(rankingOf(insights)).toHaveLength(3)
    expect(insights.match(/\*\*Time saved:\*\* \d+ to \d+ hours a month\. Basis: \d+/g)).toHaveLength(3)
    expect(insights.match(/\*\*Recommended tools:\*\* \S+/g)).toHaveLength(3)
    expect(insights).toMatch(/\*\*Together:\*\* \d+ to \d+ hours a month/)
    expect(insights).toMatch(/## Quick win for this week: .+\n\n.+\n\n1\. .+\n2\. .+\n3\. /)
    expect(insights).toContain('For Example Ltd, ')
    expect(insights.match(/^# /gm)).toHaveLength(1)
  },
)

test('the total of an analysis is the sum of its three ranges', async () => {
  const { insights } = await engine.analyze({ businessName: 'Example', industry: 'retail' }, signal)
  const ranges = [...insights.matchAll(/\*\*Time saved:\*\* (\d+) to (\d+) hours/g)]
  const least = ranges.reduce((sum, [, from]) => sum + Number(from), 0)
  const most = ranges.reduce((sum, [, , to]) => sum + Number(to), 0)
  expect(insights).toContain(`**Together:** ${least} to ${most} hours a month`)
})

test('two analyses of the same request are equal to the byte', async () => {
  const request = {
    businessName: 'Fern & Co',
    industry: 'consulting',
    question: 'How do we write proposals faster?',
  }
  expect(await createLocalEngine().analyze(request, signal)).toEqual(await engine.analyze(request, signal))
})

test.each([
  ['Bright Smile Dental', 'How do we cut no-shows?', 'appointment reminders'],
  ['Bright Smile Dental', 'Why are so many insurance claims denied?', 'denial'],
  ['Bluebird SaaS', 'Which answers should security questionnaires get?', 'security questionnaires'],
  ['Corner Bakery', 'How much time goes into staff shifts?', 'shift plans'],
  ['Harbor Property', 'Tenants keep calling about repairs', 'repair requests'],
  ['Northwind CNC machining', 'How do we quote faster?', 'quotes'],
])('for %s asking %j the first opportunity is about %j', async (businessName, question, expected) => {
  const { insights } = await engine.analyze({ businessName, question }, signal)
  expect(rankingOf(insights)[0]?.toLowerCase()).toContain(expected)
})

test.each([
  { businessName: 'Bright Smile Dental' },
  { businessName: 'Lind', industry: 'dental practice' },
  { businessName: 'Lind', industry: 'healthcare', website: 'lind-dental.example' },
])('a dental practice gets the work of dental practices: %j', async (request) => {
  const { insights, industry } = await engine.analyze(request, signal)
  expect(industry).toBe(request.industry ?? 'healthcare')
  expect(insights).toContain('two dentists, two hygienists')
  expect(insights).toContain('recall')
  expect(insights).not.toMatch(/nurse|refill|clinician/i)
})

test('an analysis leaves out work that such a business does not have', async () => {
  const shop = await engine.analyze({ businessName: 'Harbor Street Coffee' }, signal)
  expect(shop.insights).not.toMatch(/returns|parcel/i)
  const vet = await engine.analyze({ businessName: 'Green Valley Vets' }, signal)
  expect(vet.insights).not.toMatch(/denial|prior authorization/i)
})

test('an analysis quotes and answers the question in its own section, and has no such section without a question', async () => {
  const request = { businessName: 'Bright Smile Dental' }
  const asked = await engine.analyze({ ...request, question: 'Is texting patients HIPAA safe?' }, signal)
  expect(asked.insights).toMatch(/## Your question\n\n> Is texting patients HIPAA safe\?\n\n/)
  expect(asked.insights).toContain('What to be careful about: ')
  expect(asked.insights).toContain('business associate agreement')
  const unasked = await engine.analyze(request, signal)
  expect(unasked.insights).not.toContain('## Your question')
})

test.each([
  ['Which tools should we use for time tracking?', 'Which tools: '],
  ['How much time would timesheets save?', 'How much time: '],
  ['What does time tracking cost?', 'prices change too often'],
  ['Where should we start with timesheets?', 'Where to start: '],
  ['How do we measure success with timesheets?', 'How to measure it: '],
])('the answer to %j has what the question asks for', async (question, expected) => {
  const { insights } = await engine.analyze({ businessName: 'Acme LLP', industry: 'law', question }, signal)
  expect(insights).toContain(expected)
})

test.each([
  [{ businessName: 'Oakwood Dental Clinic' }, 'healthcare'],
  [{ businessName: 'Bluebird', question: 'Our SaaS trial users never activate' }, 'technology'],
  [{ businessName: 'Luigi’s Pizzeria' }, 'other'],
  [{ businessName: 'Müller', industry: 'Law firm' }, 'Law firm'],
  [{ businessName: 'Zed', industry: 'other' }, 'other'],
])('the industry of %j is %s', async (request, industry) => {
  expect((await engine.analyze(request, signal)).industry).toBe(industry)
})

test('an analysis says when the industry was inferred', async () => {
  const inferred = await engine.analyze({ businessName: 'Oakwood Dental Clinic' }, signal)
  expect(inferred.insights).toContain('No industry was named; it was inferred')
})

test.each([
  [
    'twelve dental clinics',
    {
      businessName: 'Acme',
      industry: 'healthcare',
      question: 'We run twelve dental clinics. How do we cut no-shows?',
    },
  ],
  [
    'one plumber',
    { businessName: 'Joe’s Plumbing', question: 'I am one plumber. How do I get invoices paid?' },
  ],
])('volumes follow the size that the caller names: %s', async (size, request) => {
  const { insights } = await engine.analyze(request, signal)
  const usual = await engine.analyze({ ...request, question: 'Where should we start?' }, signal)
  const total = (text: string) => Number(/\*\*Together:\*\* (?:\d+ to )?(\d+) hour/.exec(text)?.[1])
  expect(insights).toContain(`“${size}”`)
  const factor = total(insights) / total(usual.insights)
  expect(size === 'one plumber' ? factor : 1 / factor).toBeLessThan(0.2)
  expect(insights).not.toContain('At volumes typical of')
})

test('a person who works alone gets no work of teams', async () => {
  const { insights } = await engine.analyze(
    { businessName: 'Joe’s Plumbing', industry: 'plumber, self-employed' },
    signal,
  )
  expect(rankingOf(insights)).toHaveLength(3)
  expect(insights).not.toMatch(/new colleague|shared inbox|walks around|meeting notes/i)
})

test.each([
  ['a name that says nothing', { businessName: 'Zed' }, 'industry'],
  ['a blank industry', { businessName: 'Zed', industry: '  ' }, 'industry'],
  ['an industry without a profile', { businessName: 'Oakwood Dental', industry: 'xyzzy' }, 'industry'],
  [
    'an industry that only begins with a known word',
    { businessName: 'Acme', industry: 'Veterinary ultrasound devices' },
    'industry',
  ],
  ['a food bank, which is no bank', { businessName: 'Riverside Food Bank' }, 'industry'],
  [
    'twelve hospitals',
    {
      businessName: 'Mercy',
      industry: 'healthcare',
      question: 'We run twelve hospitals. Where should we start?',
    },
    'question',
  ],
  [
    'a size far from the profile',
    { businessName: 'Mercy Dental', question: 'We are 4,000 people. How do we cut no-shows?' },
    'question',
  ],
  [
    'a question about nothing known',
    { businessName: 'Bright Smile Dental', question: 'What is the meaning of xyzzy?' },
    'question',
  ],
  [
    'a question in German',
    { businessName: 'Bright Smile Dental', question: 'Wie können wir Rechnungen automatisieren?' },
    'question',
  ],
  [
    'a question in Japanese',
    { businessName: 'Bright Smile Dental', question: '予約を自動化するには？' },
    'question',
  ],
])('the engine refuses %s, names the field, and says what to send', async (_, request, field) => {
  const error = engine.refusals.analysis(request)
  expect(error).toMatchObject({ code: 'TEXT_NOT_KNOWN', details: { field } })
  expect(error?.hint).toMatch(/Send industry as one of|Its profiles are|Ask /)
  expect((await refusalOf(engine.analyze(request, signal))).code).toBe('TEXT_NOT_KNOWN')
})

test('a name that says nothing is no refusal before its website is read', () => {
  expect(engine.refusals.analysis({ businessName: 'Zed', website: 'zed.example' })).toBeUndefined()
})

test('no field of a caller becomes markup in an analysis', async () => {
  for (const text of hostileTexts) {
    const request = { businessName: `Dental ${text}`, industry: 'healthcare', website: text }
    const { insights } = await engine.analyze(request, signal)
    expect(markupIn(insights), text).toEqual([])
    const asked = { ...request, question: `How do we cut no-shows ${text}` }
    if (engine.refusals.analysis(asked)) continue
    expect(markupIn((await engine.analyze(asked, signal)).insights), text).toEqual([])
  }
})

test('an aborted analysis rejects with the reason of the signal', async () => {
  const reason = new Error('the caller left')
  await expect(engine.analyze({ businessName: 'Zed Dental' }, AbortSignal.abort(reason))).rejects.toBe(reason)
})
