import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkplace, projectRoot, type Workplace } from '../../support/gateways/process.ts'

/** `tollgate pricing` as an operator types it. Check and schema need no gateway. */

let workplace: Workplace

beforeAll(async () => {
  workplace = await openWorkplace()
})
afterAll(() => workplace.close())

const tollgate = (...args: string[]) => workplace.run('cli', { args })

test('pricing check finds no fault in the shipped catalog, nor in the one that CATALOG_FILE names', async () => {
  expect(await tollgate('pricing', 'check')).toMatchObject({
    code: 0,
    stdout: 'pricing/catalog.yaml: no faults\n',
  })
  const named = await workplace.run('cli', {
    args: ['pricing', 'check'],
    settings: { CATALOG_FILE: 'test/fixtures/catalog.yaml' },
  })
  expect(named).toMatchObject({ code: 0, stdout: 'test/fixtures/catalog.yaml: no faults\n' })
  const { code, stdout } = await tollgate('pricing', 'check', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    file: 'pricing/catalog.yaml',
    valid: true,
    faults: [],
    warnings: [],
  })
})

test('pricing check names every fault of a catalog with file, line and column, and exits with 1', async () => {
  const faulty = join(workplace.folder, 'faulty.yaml')
  await writeFile(
    faulty,
    `provider:
  name: Example
  description: An example.
operations:
  analyzeBusiness:
    access: price
    price: 0.10
    description: Analyses.
    deadline_seconds: 60
    validity_seconds: 300
  analyseBusiness:
    access: open
    description: Misspelt.
`,
  )

  const text = await tollgate('pricing', 'check', faulty)
  const json = await tollgate('pricing', 'check', faulty, '--json')

  expect([text.code, json.code]).toEqual([1, 1])
  expect(text.stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/faulty\.yaml:7:12 operations\.analyzeBusiness\.price: /),
    expect.stringMatching(/faulty\.yaml:11:3 operations\.analyseBusiness: no endpoint has this id/),
  ])
  expect(JSON.parse(json.stdout)).toMatchObject({
    file: faulty,
    valid: false,
    faults: [
      { line: 7, column: 12, path: 'operations.analyzeBusiness.price' },
      { line: 11, column: 3 },
    ],
  })
})

test('pricing check warns of what is allowed and gives away what is sold, and exits with 0', async () => {
  const file = join(workplace.folder, 'generous.yaml')
  await writeFile(
    file,
    `provider: { name: Example, description: An example. }
upstreams:
  web: { prefix: /web, targets: ["https://web.example"] }
  same: { prefix: /same, targets: ["https://web.example"] }
  keys: { prefix: /keys, targets: ["https://keys.example"] }
operations:
  buyPage: { access: price, upstream: web, route: GET /premium.html, price: "0.10", description: A page. }
  getPages: { access: open, upstream: same, route: GET /*, description: All others. }
  buyFile: { access: price, upstream: keys, route: GET /file.html, price: "0.10", description: A file. }
  getFiles: { access: key, upstream: keys, route: GET /*, description: All others. }
`,
  )

  const { code, stdout } = await tollgate('pricing', 'check', file)

  expect(code).toBe(0)
  expect(stdout).toMatch(
    /generous\.yaml: no faults\n\S+generous\.yaml:7:51 operations\.buyPage\.route: warning: an open or cheaper route stands beside it: getPages \(\/\*\)\. /,
  )
  // A call with a key costs nothing by itself.
  expect(stdout).toMatch(
    /:9:52 operations\.buyFile\.route: warning: .* stands beside it: getFiles \(\/\*\)\. /,
  )
})

test('pricing check of a missing file says so without a stack, and exits with 1', async () => {
  const { code, stdout, stderr } = await tollgate('pricing', 'check', 'nowhere.yaml')

  expect(code).toBe(1)
  expect(stdout).toMatch(/^nowhere\.yaml:1:1 cannot be read: ENOENT.*\n$/)
  expect(stderr).toBe('')
})

test('pricing schema prints the shipped JSON Schema', async () => {
  const { code, stdout } = await tollgate('pricing', 'schema')

  expect(code).toBe(0)
  expect(stdout).toBe(await readFile(join(projectRoot, 'pricing/catalog.schema.json'), 'utf8'))
})

test.each(['pricing', 'pricing check', 'pricing schema', 'pricing reload'])(
  'tollgate %s --help fits 80 columns and describes every option',
  async (command) => {
    const { code, stdout, stderr } = await tollgate(...command.split(' '), '--help')

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: tollgate ${command} `)
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => /^ +-.*--\S+( <\S+>)?$/.test(line))).toEqual([])
  },
)
