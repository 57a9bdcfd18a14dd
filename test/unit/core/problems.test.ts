import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, type EndpointRow, endpoint } from '../../../src/core/endpoint.ts'
import { GatewayError } from '../../../src/core/errors.ts'
import { json } from '../../../src/core/reply.ts'
import { table } from '../../../src/edge/handlers/table.ts'

/** What a caller reads about a faulty field, for every field of every endpoint. */

const long = 'x'.repeat(10_000)
const texts: readonly unknown[] = [
  '',
  ' ',
  'x',
  '1e2',
  '0x10',
  '+5',
  ' 5',
  '5.0',
  '05',
  '-1',
  '\0',
  long,
  ['a', 'b'],
]
const values: readonly unknown[] = [undefined, null, true, 0, -1, 1.5, 1e300, [], [1], {}, { a: 1 }, ...texts]

const issues = z.array(z.strictObject({ field: z.string(), problem: z.string() }))
/** As the specification shows a 400 (part 7). */
const details = z.strictObject({ field: z.string(), expected: z.string().min(1), issues })
const rows = Object.entries(table)

/** The problems of an endpoint with these inputs; none when they are accepted. */
function problemsOf(row: EndpointRow, raw: Parameters<Endpoint['prepare']>[0]) {
  try {
    endpoint('any', row, () => json(200, {})).prepare(raw)
    return []
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'VALIDATION_ERROR') throw error
    const { field, issues: found } = details.parse(error.details)
    expect(found[0]?.field).toBe(field)
    return found
  }
}

/** Phrases of zod, and of a program that talks about itself. */
const schemaTalk =
  /received|invalid|expected|unrecognized|too (?:small|big)|\bNaN\b|undefined|regex|pattern|\bZod/i

test.each(rows)('a faulty field of %s is described in words that say what is expected', (_id, row) => {
  const wrong: z.infer<typeof issues> = []
  for (const part of ['params', 'query', 'body'] as const) {
    const names = Object.keys(row[part].shape)
    for (const value of part === 'body' ? values : texts) {
      for (const name of names) wrong.push(...problemsOf(row, { [part]: { [name]: value } }))
      wrong.push(...problemsOf(row, { [part]: value }))
    }
  }
  for (const { field, problem } of wrong) {
    expect(problem, field).not.toMatch(schemaTalk)
    expect(problem, field).toMatch(/^(?:must|is|has|cannot|names|does)\b/)
    expect(problem, field).not.toBe('does not fit this field')
    expect(problem, field).not.toBe('is not written as this field asks')
  }
})

test('a number in a query is written in plain digits', () => {
  const limit = (text: unknown) => problemsOf(table.listScans, { query: { limit: text } })
  for (const text of ['1', '20', '100']) expect(limit(text)).toEqual([])
  const problem = 'must be a whole number from 1 to 100, in plain digits'
  for (const text of ['1e2', '0x10', '+5', ' 5', '5.0', '05', '-1', '', '0', '101', 'ten', '٣', ['1', '2']]) {
    expect(limit(text)).toEqual([{ field: 'limit', problem }])
  }
})

test('a number beyond what JavaScript counts exactly gets one problem, with the limit of the field', () => {
  expect(problemsOf(table.askWithBody, { body: { query: { text: 'prices', max_results: 1e99 } } })).toEqual([
    { field: 'query.max_results', problem: 'must be at most 50' },
  ])
})

/** Clients of NLWeb send many fields that no answer needs. RFC 6749 section 3.1 has unknown ones ignored. */
const lenient: ReadonlySet<string> = new Set(['ask', 'authorize'])
const strict = rows.filter(([id]) => !lenient.has(id))

test.each(strict)('%s refuses a query parameter that it does not know', (_id, row) => {
  expect(problemsOf(row, { query: { utm_source: 'x' } })).toContainEqual({
    field: 'utm_source',
    problem: 'is not a query parameter of this operation',
  })
})
