import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { applyWireForm } from '../../../src/core/documented/wire-forms.ts'
import type { EndpointRows } from '../../../src/core/endpoint.ts'
import { table } from '../../../src/edge/handlers/table.ts'

/** What the endpoint table says of itself, for all documents that are written from it. */

const rows: EndpointRows = table
const described = Object.entries(rows).flatMap(([id, { docs, ...row }]) =>
  docs ? [{ id, docs, ...row }] : [],
)

describe.each(described)('$id', ({ params, query, body, response, docs }) => {
  test('has a summary that fits a list, and details that end as sentences do', () => {
    expect(docs.summary).toMatch(/^[A-Z].{4,48}[^.]$/)
    expect(docs.details).toMatch(/^$|^[A-Z0-9].*[.]$/s)
  })

  test('has an example that its own schemas take', () => {
    const { example } = docs
    expect(params.safeParse(example.params ?? {}).error).toBeUndefined()
    expect(query.safeParse(example.query ?? {}).error).toBeUndefined()
    expect(body.safeParse(example.body ?? {}).error).toBeUndefined()
    if (!('reply' in example)) return
    const { data } = response.safeParse(example.reply)
    // What a schema does not name, it leaves out.
    expect(data).toEqual(example.reply)
  })

  test('says of each field that it takes what it is', () => {
    for (const schema of [params, query, body]) {
      const { properties = {} } = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: applyWireForm,
      })
      for (const [name, part] of Object.entries(properties)) {
        const isExplained = typeof part === 'object' && (part.description ?? part.enum)
        expect([name, Boolean(isExplained)]).toEqual([name, true])
      }
    }
  })
})

test('all but the operator’s operations are described', () => {
  const silent = Object.values(rows).filter(({ docs }) => !docs)
  expect(new Set(silent.map(({ operation }) => operation?.access))).toEqual(new Set(['operator']))
})
