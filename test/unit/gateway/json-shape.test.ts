import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/core/errors.ts'
import { isBeyondShape } from '../../../src/core/text/json-shape.ts'
import { parseBody } from '../../../src/gateway/body.ts'

/** Bodies whose shape alone would take long to parse are refused before they are parsed. */

const bytes = (text: string) => Buffer.from(text)

test.each([
  ['{"a":[1,2,{"b":"[[[,,,"}]}', { depth: 3, values: 6 }, false],
  ['{"a":[1,2,{"b":"[[[,,,"}]}', { depth: 2, values: 6 }, true],
  ['{"a":[1,2,{"b":"[[[,,,"}]}', { depth: 3, values: 4 }, true],
  ['"\\"[[["', { depth: 0, values: 0 }, false],
  ['[{"a":1,"b\\"":":"},{"b\\"" :2,"a":":"}]', { depth: 2, values: 9, names: 2 }, false],
  ['[{"a":1,"b":2},{"b":3,"c":4}]', { depth: 2, values: 9, names: 2 }, true],
])('%s is beyond %j: %s', (text, shape, isBeyond) => {
  expect(isBeyondShape(bytes(text), shape)).toBe(isBeyond)
})

function parse(text: string): unknown {
  try {
    return parseBody({ bytes: bytes(text), contentType: 'application/json' }, {})
  } catch (error) {
    return error instanceof GatewayError ? error.code : error
  }
}

test('a body of ours with tens of thousands of values, or nested thousands deep, is refused as faulty', () => {
  expect(parse(`[${'[],'.repeat(30_000)}[]]`)).toBe('VALIDATION_ERROR')
  expect(parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`)).toBe('VALIDATION_ERROR')
  const text = `, {"a":[${'x, '.repeat(30_000)}`
  expect(parse(JSON.stringify({ text }))).toEqual({ text })
})
