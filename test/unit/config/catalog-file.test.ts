import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownEndpoints } from '../../../src/edge/handlers/table.ts'
import { CatalogError, checkCatalog, loadCatalog } from '../../../src/platform/config/catalog-file.ts'

const ids = ['analyzeBusiness', 'researchLead', 'writeBlog', 'getHealth', 'getPricing']
const own = { operationIds: ids, prefixes: ['/api/analyze', '/pricing'] }

function faultsOf(text: string): string[] {
  const result = checkCatalog(text, own)
  if (!('faults' in result)) return []
  return result.faults.map(({ line, column, path, message }) => `${line}:${column} [${path}] ${message}`)
}

const small = `provider:
  name: Example
  description: Sells examples.
operations:
  analyzeBusiness:
    access: price
    description: An analysis.
    price: "0.10"
`

test('a valid catalog is read, and missing keys get their defaults', () => {
  expect(checkCatalog(small, own)).toEqual({
    catalog: {
      provider: { name: 'Example', description: 'Sells examples.' },
      operations: {
        analyzeBusiness: {
          access: 'price',
          description: 'An analysis.',
          deadlineSeconds: 60,
          priced: {
            description: 'An analysis.',
            price: '0.10',
            settle: 'after',
            deadlineSeconds: 60,
            validitySeconds: 300,
          },
        },
      },
      tiers: {},
      upstreams: {},
    },
    warnings: [],
  })
})

test('every fault of a file is reported at once, with its own place, in the order of the file', () => {
  const text = `# a comment
provider:
  name: 12
  descripton: misspelt
operations:
  analyseBusiness:
    access: prise
  writeBlog:
    access: price
    description:
    price: 0.10
    prize: "1"
    deadline_seconds: 900
  researchLead:
    access: price
    description: No price is named.
  getHealth:
    access: open
    description: first
    description: second
    deadline_seconds: "5"
  Bad-Id: { access: open, description: No id looks like this. }
  getPricing: []
surplus: 1
`
  expect(faultsOf(text)).toEqual([
    '2:1 [provider.description] is missing',
    '3:9 [provider.name] must be in quotes: write "12"',
    '4:3 [provider.descripton] is not a known key; see pricing/README.md',
    '6:3 [operations.analyseBusiness] no endpoint has this id; did you mean "analyzeBusiness"?',
    '7:13 [operations.analyseBusiness.access] must be one of: open, optional, key, holder, price, tier',
    '8:3 [operations.writeBlog.validity_seconds] must be more than 60 seconds longer than deadline_seconds, so that a payment outlives the call it pays for and its settlement',
    '10:5 [operations.writeBlog.description] is empty',
    '11:12 [operations.writeBlog.price] must be in quotes: write "0.10"',
    '12:5 [operations.writeBlog.prize] is not a known key; see pricing/README.md',
    '14:3 [operations.researchLead.price] is missing',
    '20:5 [] Map keys must be unique',
    '21:23 [operations.getHealth.deadline_seconds] must be a plain number, without quotes',
    `22:3 [operations.Bad-Id] no endpoint has this id; the ids are: ${ids.join(', ')}`,
    '23:3 [operations.getPricing] Invalid input: expected object, received array',
    '24:1 [surplus] is not a known key; see pricing/README.md',
  ])
})

test.each(['0', '0.00', '-1', '1e3', '0.1234567', '01', '1,00', '$1', ' 1', ''])(
  'a price of "%s" is refused',
  (price) => {
    expect(faultsOf(small.replace('"0.10"', JSON.stringify(price)))).toEqual([
      '8:12 [operations.analyzeBusiness.price] must be a USDC amount above zero with at most six decimals, in quotes, like "0.10"',
    ])
  },
)

test('every fault of a free quota or a tier is reported, and a misspelled operation of a tier with a suggestion', () => {
  const text = `${small}  researchLead:
    access: optional
    description: Nothing limits it.
  writeBlog:
    access: optional
    description: Limited by what is no limit.
    free: 3/week
    rate: 60
tiers:
  Pro: { description: In capitals., operations: {} }
  starter:
    description: For a start.
    price: 9
    rate: 5/day
    operations:
      analyzeBusines: unlimited
      Write-Blog: unlimited
      analyzeBusiness: [20/day, 30/day]
      researchLead: often
      getHealth: []
`
  const limits =
    'must be unlimited, a number of calls or units per day or month like 100/day or 200000 tokens/month, or a list of one per day and one per month'
  expect(faultsOf(text)).toEqual([
    '9:3 [operations.researchLead.free] needs free or rate: an operation without a limit is `access: open`',
    '15:11 [operations.writeBlog.free] must be a number of calls, tokens, bytes, seconds or items per day or month, like 100/day or 200000 tokens/day',
    '16:11 [operations.writeBlog.rate] must be in quotes: write "60"',
    '18:3 [tiers.Pro] tiers are lower-case words',
    '21:12 [tiers.starter.price] must be in quotes: write "9"',
    '22:11 [tiers.starter.rate] must be a number of calls per second, minute or hour, like 60/minute',
    '24:7 [tiers.starter.operations.analyzeBusines] no endpoint has this id; did you mean "analyzeBusiness"?',
    '25:7 [tiers.starter.operations.Write-Blog] no endpoint has this id; did you mean "writeBlog"?',
    `26:7 [tiers.starter.operations.analyzeBusiness] ${limits}`,
    `27:21 [tiers.starter.operations.researchLead] ${limits}`,
    `28:7 [tiers.starter.operations.getHealth] ${limits}`,
  ])
})

test('a price that is given twice is refused, and the second place is named', () => {
  expect(faultsOf(`${small}    price: "0.01"\n`)).toEqual(['9:5 [] Map keys must be unique'])
})

test('a missing part and a faulty entry do not hide what contradicts the others', () => {
  const text = `upstreams:
  one: { prefix: /api/analyze, targets: ["http://127.0.0.1:1"], balanse: round-robin }
  two: { targets: "https://two.example", privat: true }
operations:
  analyzeBusiness: { access: open, upstream: one, route: GET /a }
  getA: { access: price, price: { per: bytes, units: 0 }, upstream: three, route: GET /a }
  getB: { access: optional, upstream: two, route: GET /b, free: 5 tokens/day, deadline: 5 }
  getC: { access: optional, upstream: two, route: GET /b, descripton: misspelt }
`
  expect(faultsOf(text).map((fault) => fault.replace(/^\S+ /, ''))).toEqual([
    '[provider] is missing',
    '[upstreams.one.prefix] would hide our own paths, such as /api/analyze: choose another',
    '[upstreams.one.targets.0] is on this machine or in a private network, which needs private: true',
    '[upstreams.one.balanse] is not a known key; see pricing/README.md',
    '[upstreams.two.prefix] needs prefix or host, and not both',
    '[upstreams.two.targets] must be a list: write ["https://two.example"]',
    '[upstreams.two.privat] is not a known key; see pricing/README.md',
    '[operations.analyzeBusiness] is one of our own operations, which no upstream can serve: choose another id',
    '[operations.analyzeBusiness.description] is missing',
    '[operations.getA.description] is missing',
    '[operations.getA.price.max] is missing',
    '[operations.getA.price.output] needs a price: input, output or both',
    '[operations.getA.price.units] Too small: expected number to be >=1',
    '[operations.getA.upstream] there is no upstream with this name; there are: one, two',
    '[operations.getB.description] is missing',
    '[operations.getB.free] counts tokens, and the price of this operation is not per tokens',
    '[operations.getB.deadline] is not a known key; see pricing/README.md',
    '[operations.getC.description] is missing',
    '[operations.getC.free] needs free or rate: an operation without a limit is `access: open`',
    '[operations.getC.route] getB has the same route',
    '[operations.getC.descripton] is not a known key; see pricing/README.md',
  ])
})

test('an anchor is refused at its own place, also where nothing refers to it', () => {
  const text = small.replace('operations:', 'operations: &all').replace('"0.10"', '&price "0.10"')
  const reason = 'a catalog has no anchors and no aliases: write the price of each operation in its own entry'
  expect(faultsOf(text)).toEqual([`4:13 [] &all: ${reason}`, `8:12 [] &price: ${reason}`])
  expect(faultsOf(small.replace('An analysis.', '"Q&A, R &D *"'))).toEqual([])
})

test('an alias hides no other fault, also in what it stands for', () => {
  const text = `provider: { name: a, description: b }
operations:
  readAll: &all { access: opne, description: c }
  getPricing: *all
extra: 1
`
  const places = faultsOf(text).map((fault) => fault.split(' ', 1).join())
  expect(places).toEqual(['3:3', '3:12', '3:27', '4:3', '4:15', '5:1'])
})

describe('a file that is not valid YAML is refused with the line of the fault:', () => {
  test.each([
    ['several syntax errors', 'a: b: c\nd: "open\n', [1, 3]],
    ['a tab as indentation', `${small}\tx: 1\n`, [9]],
    ['a second document', `${small}---\n${small}`, [9]],
    ['an alias', 'provider: &p { name: a, description: b }\noperations: *p\n', [1, 2]],
    ['a merge key', 'provider:\n  <<: { name: a }\n  name: a\n  description: b\noperations: {}\n', [2]],
    ['a tag', small.replace('Example', '!!binary aGk='), [2]],
    ['the 1.1 directive, whose merge keys stay off', `%YAML 1.1\n---\n${small}<<: { a: b }\n`, [11]],
  ])('%s', (_name, text, expected) => {
    const result = checkCatalog(text, own)
    const lines = 'faults' in result ? result.faults.map(({ line }) => line) : []
    expect([...new Set(lines)]).toEqual(expected)
  })
})

test('aliases that would unfold to billions of nodes are refused without unfolding them', () => {
  const levels = Array.from({ length: 12 }, (_, i) => {
    const above = `*a${i}`
    return `a${i + 1}: &a${i + 1} [${Array.from({ length: 10 }, () => above).join(', ')}]`
  })
  const result = checkCatalog(`a0: &a0 [x]\n${levels.join('\n')}\n`, own)
  expect('faults' in result && result.faults.every(({ message }) => message.includes('no aliases'))).toBe(
    true,
  )
})

test.each([
  ['an empty file', '', '1:1 [] is empty'],
  ['a list', '- a\n', '1:1 [] Invalid input: expected object, received array'],
])('%s is refused', (_name, text, fault) => {
  expect(faultsOf(text)).toEqual([fault])
})

test('a key named __proto__ is reported like any unknown key', () => {
  const text = `${small}  __proto__: { access: open, description: a }\n__proto__: 1\n`
  expect(faultsOf(text)).toEqual([
    `9:3 [operations.__proto__] no endpoint has this id; the ids are: ${ids.join(', ')}`,
    '10:1 [__proto__] is not a known key; see pricing/README.md',
  ])
})

describe('loading from disk', () => {
  async function fileWith(content: string | Uint8Array): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'catalog.yaml')
    await writeFile(path, content)
    return path
  }

  test('a faulty file throws one error that lists every fault with file, line and column', async () => {
    const path = await fileWith(`${small.replace('"0.10"', '0.10')}surplus: 1\n`)
    const error = await loadCatalog(path, own).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CatalogError)
    expect(error).toMatchObject({
      file: path,
      faults: [{ line: 8 }, { line: 9 }],
      message: [
        `${path}:8:12 operations.analyzeBusiness.price: must be in quotes: write "0.10"`,
        `${path}:9:1 surplus: is not a known key; see pricing/README.md`,
      ].join('\n'),
    })
  })

  test('a missing file is named with the reason', async () => {
    await expect(loadCatalog('/nowhere/catalog.yaml', own)).rejects.toThrow(
      /^\/nowhere\/catalog\.yaml:1:1 cannot be read: ENOENT/,
    )
  })

  test('a folder is refused as a catalog, with the reason', async () => {
    await expect(loadCatalog(tmpdir(), own)).rejects.toThrow(/cannot be read: EISDIR/)
  })

  test('a file of more than 1 MB is refused without reading all of it', async () => {
    await expect(loadCatalog(await fileWith(`${small}#${' '.repeat(1_048_576)}`), own)).rejects.toThrow(
      /larger than 1 MB/,
    )
    await expect(loadCatalog('/dev/zero', own)).rejects.toThrow(/larger than 1 MB/)
  })

  test('a file that is not UTF-8 is refused instead of being read with replacement characters', async () => {
    const path = await fileWith(Buffer.from(small.replace('Example', 'Caf\u00e9'), 'latin1'))
    await expect(loadCatalog(path, own)).rejects.toThrow(/is not UTF-8 text/)
  })

  test('the shipped catalog is valid, names every own operation, and has the specified prices', async () => {
    const path = new URL('../../../pricing/catalog.yaml', import.meta.url).pathname
    const { operations, tiers } = await loadCatalog(path, ownEndpoints)
    expect(Object.keys(operations).sort()).toEqual([...ownEndpoints.operationIds].sort())
    expect(operations.analyzeBusiness).toMatchObject({ access: 'price', priced: { price: '0.10' } })
    expect(operations.researchLead).toMatchObject({ access: 'price', priced: { price: '0.25' } })
    expect(operations.writeBlog).toMatchObject({ access: 'price', priced: { price: '1.00' } })
    // A default client of x402 pays no more than 1.00 USDC, so it can buy a key of this tier only.
    expect(Object.values(tiers).map(({ price }) => price)).toContain('1.00')
    expect(await readFile(path, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/catalog\.schema\.json\n/,
    )
  })
})
