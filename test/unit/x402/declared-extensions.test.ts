import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createBuilderCode } from '../../../src/doors/x402/wire/builder-code.ts'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { paymentIdentifier } from '../../../src/doors/x402/wire/extensions.ts'
import { baseUrl, call, offer, operation, required, signer } from '../../support/chain/signed-offers.ts'

/** The extensions that a 402 declares. */

const { declared } = createBuilderCode('bc_tollgate')
const reply = new Challenges(offer, baseUrl, { signer, declared }).unpaid(call, operation)
const extensions = z.record(z.string(), z.custom<{ info: object; schema: object }>())
const all = extensions.parse(required(reply).extensions)

/** As clients and facilitators judge it. */
function fits(schema: object | undefined, info: object): boolean {
  return new Ajv2020({ strict: false }).validate(schema ?? false, info)
}

test('the info of each extension that a 402 declares is valid by its schema', () => {
  expect(Object.keys(all).sort()).toEqual(['builder-code', 'offer-receipt', 'payment-identifier', 'replay'])
  for (const { info, schema } of Object.values(all)) {
    expect(fits(schema, info)).toBe(true)
  }
  expect(fits(all['offer-receipt']?.schema, {})).toBe(false)
})

test('the payment identifier is declared for the client of @x402/extensions, which can fill it in', () => {
  expect(all['payment-identifier']?.info).toEqual(declarePaymentIdentifierExtension(false).info)
  expect(paymentIdentifier(true)['payment-identifier']?.info).toEqual(
    declarePaymentIdentifierExtension(true).info,
  )
  const tooShort = { required: false, id: 'order-17' }
  expect(fits(all['payment-identifier']?.schema, tooShort)).toBe(false)
  const echoed = appendPaymentIdentifierToExtensions(structuredClone(all), 'order-2026-03-01-000017')
  expect(validatePaymentIdentifier(echoed['payment-identifier'])).toEqual({ valid: true })
  expect(echoed['payment-identifier']).toHaveProperty('info.id', 'order-2026-03-01-000017')
})

test('the head of a 402 with all extensions stays below the 4 KB of the narrowest proxies', () => {
  const head = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  expect(head.join('').length).toBeLessThan(3_300)
})
