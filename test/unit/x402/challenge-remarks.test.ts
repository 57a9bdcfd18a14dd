import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Reply } from '../../../src/core/reply.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { chatCall, offer, operation } from '../../support/chain/upto.ts'

const challenges = new Challenges(offer, 'https://pay.example.com')
const read = ({ body }: Reply) =>
  z
    .looseObject({ message: z.string(), details: z.looseObject({}) })
    .parse(JSON.parse(Buffer.from(body).toString()))

test('a 402 whose price is the maximum says why', () => {
  const whyMaximum = 'the price is counted from the body, and this request has none'
  expect(read(challenges.unpaid(chatCall, { ...operation, whyMaximum })).details).toMatchObject({
    why_maximum: whyMaximum,
  })
  expect(read(challenges.unpaid(chatCall, operation)).details).not.toHaveProperty('why_maximum')
})

test('a 402 with a remark is given to its caller only', () => {
  const remark = { hint: 'The tier of this key does not cover it.', details: { tier: 'starter' } }
  const remarked = read(challenges.unpaid(chatCall, operation, remark))
  expect(remarked.message).toContain(remark.hint)
  expect(remarked.details).toMatchObject(remark.details)
  const plain = challenges.unpaid(chatCall, operation)
  expect(read(plain).message).not.toContain(remark.hint)
})
