import { describe, expect, test } from 'vitest'
import { faultsOfListing } from '../../../src/cli/listing/listed-address.ts'
import { discovery } from '../../../src/doors/x402/wire/discovery.ts'

/** What `tollgate listing check` says of the address at which facilitators list something. */

const repeated = (url: string, tool: string | undefined) => ({
  resource: { url },
  extensions: { ...discovery({ method: 'POST' }, tool) },
})

describe('a tool', () => {
  test('whose server has an address is found', () => {
    const seen = repeated('https://pay.example.com/mcp', 'research_lead')
    expect(faultsOfListing(seen, '/mcp', 'research_lead')).toEqual([])
  })

  test('whose address names no host is listed where nothing can be called', () => {
    const seen = repeated('mcp://tool/research_lead', 'research_lead')
    expect(faultsOfListing(seen, '/mcp', 'research_lead')).toEqual([
      'a catalog lists it at null/research_lead, which leads nowhere',
    ])
  })

  test('that is declared as an operation over HTTP, or as another tool, is not found', () => {
    expect(
      faultsOfListing(repeated('https://pay.example.com/mcp', undefined), '/mcp', 'research_lead'),
    ).toEqual(['a catalog lists it as the tool undefined, and not as research_lead'])
    expect(
      faultsOfListing(repeated('https://pay.example.com/mcp', 'other'), '/mcp', 'research_lead'),
    ).toHaveLength(1)
  })
})

test('an operation is found at its own path alone, below the path of the base address', () => {
  const path = '/api/leads/research'
  for (const base of ['https://pay.example.com', 'https://example.com/pay'])
    expect(faultsOfListing(repeated(`${base}${path}?a=b`, undefined), path, undefined)).toEqual([])
  expect(faultsOfListing(repeated('https://pay.example.com/', undefined), path, undefined)).toHaveLength(1)
})
