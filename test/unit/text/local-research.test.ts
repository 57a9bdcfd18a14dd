import { expect, test } from 'vitest'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'
import { knowledge } from '../../../src/products/text/knowledge/knowledge.ts'
import { createLocalEngine } from '../../../src/products/text/local/local-engine.ts'
import { hostileTexts, markupIn } from './hostile.ts'

const engine = createLocalEngine()
const { signal } = new AbortController()

test.each(industrySlugs)(
  'research for %s has its four parts and at least four questions',
  async (industry) => {
    const { research } = await engine.research({ companyName: 'Example Ltd', industry }, signal)
    for (const part of [
      'Company overview',
      'Pain-point analysis',
      'Outreach angle',
      'Conversation starters',
    ]) {
      expect(research).toContain(`## ${part}\n`)
    }
    const starters = research.split('## Conversation starters')[1]?.match(/^\d+\. .+\?$/gm)
    expect(starters?.length).toBeGreaterThanOrEqual(4)
    expect(new Set(starters).size).toBe(starters?.length)
    expect(research.match(/\*\*Sign to look for:\*\*/g)?.length).toBeGreaterThanOrEqual(3)
  },
)

test('the overview says that it is a pattern of the industry and not facts about the company', async () => {
  const { research } = await engine.research({ companyName: 'Zed Dental' }, signal)
  expect(research).toContain('not as facts about Zed Dental')
  expect(research).toContain('No website and no internal figures were looked at.')
})

test.each([
  ['retail', 'Head of E-Commerce', 'Head of e-commerce'],
  ['retail', 'COO', 'Operations or supply manager'],
  ['healthcare', 'CFO', 'Revenue cycle manager'],
  ['healthcare', 'Dentist and practice owner', 'Physician owner or medical director'],
  ['technology', 'VP of Customer Success', 'Head of Customer Success or Support'],
  ['manufacturing', 'maintenance lead', 'Maintenance or engineering lead'],
  ['marketing', 'HR director', 'HR or people lead'],
])('in %s the role %j uses the profile %j', async (industry, targetRole, profile) => {
  const { research } = await engine.research({ companyName: 'Zed', industry, targetRole }, signal)
  const role = [...Object.values(knowledge)]
    .flatMap(({ buyers }) => buyers.roles)
    .find(({ title }) => title === profile)
  expect(research).toContain(`**Written for:** ${targetRole}`)
  expect(research).toContain(`This person cares about ${role?.cares}.`)
})

test('research takes the usual first contact without a role, and refuses a role that it does not know', async () => {
  const usual = await engine.research({ companyName: 'Zed', industry: 'education' }, signal)
  expect(usual.research).toContain('**Written for:** Head of school or principal, the usual first contact')
  const odd = engine.refusals.research({ companyName: 'Zed Dental', targetRole: 'Chief Xyzzy' })
  expect(odd).toMatchObject({ code: 'TEXT_NOT_KNOWN', details: { field: 'targetRole' } })
  expect(odd?.hint).toContain('Practice manager')
})

test('two roles in one company get different outreach angles', async () => {
  const request = { companyName: 'Zed', industry: 'manufacturing' }
  const owner = await engine.research({ ...request, targetRole: 'quality manager' }, signal)
  const buyer = await engine.research({ ...request, targetRole: 'purchasing manager' }, signal)
  const angle = (text: string) => text.split('## Outreach angle')[1]?.split('## Conversation')[0]
  expect(angle(owner.research)).not.toBe(angle(buyer.research))
})

test('two profiles for the same request are equal to the byte', async () => {
  const request = { companyName: 'Zed Dental', targetRole: 'owner' }
  expect(await createLocalEngine().research(request, signal)).toEqual(await engine.research(request, signal))
})

test('no field of a caller becomes markup in a profile', async () => {
  for (const text of hostileTexts) {
    const { research } = await engine.research(
      { companyName: text, industry: 'retail', website: text, targetRole: `owner ${text}` },
      signal,
    )
    expect(markupIn(research), text).toEqual([])
  }
})
