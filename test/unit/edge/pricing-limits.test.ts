import { expect, test } from 'vitest'
import { allowance } from '../../../src/core/catalog/limits.ts'
import { limitsText } from '../../../src/edge/discovery/pricing/tiers.ts'

test.each([
  '3/day',
  '1000/month',
  '200000 tokens/day',
  '5000000 bytes/month',
  '60 seconds/day',
  '9 items/month',
])('an allowance of %s is written in documents as in the catalog', (text) => {
  expect(limitsText([allowance.parse(text)], undefined)).toBe(text)
  expect(limitsText([allowance.parse(text)], { calls: 6, seconds: 60 })).toBe(`${text}, 6/minute`)
})
