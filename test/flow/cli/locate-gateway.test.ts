import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { operatorFile, readOperatorFile } from '../../../src/platform/config/operator-file.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { startStandIn } from '../../support/servers/stand-in.ts'

/** How the operator's commands find their gateway, and which servers get its token. */

let workplace: Workplace
let dataDir: string
let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  workplace = await openWorkplace()
  dataDir = join(workplace.folder, 'data')
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl, { DATA_DIR: dataDir, OPERATOR_TOKEN: '' })
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
  await workplace.close()
})

const tollgate = (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = { DATA_DIR: dataDir },
) => workplace.run('cli', { args, settings })
const ledger = (...args: string[]) => tollgate(['ledger', ...args])
const file = (name: string) => join(workplace.folder, name)
const token = async () => (await readOperatorFile(operatorFile(dataDir)))?.token ?? ''

describe('an operator command', () => {
  test('finds its gateway by DATA_DIR, --url, --token-file or OPERATOR_TOKEN', async () => {
    const { url } = gateway
    const tokenFile = file('token')
    await writeFile(tokenFile, `${await token()}\n`)
    const nowhere = { DATA_DIR: file('nowhere') }
    const answers = await Promise.all([
      tollgate(['ledger', 'totals'], { DATA_DIR: dataDir }),
      tollgate(['ledger', 'totals', '--url', `${url.replace('127.0.0.1', 'localhost')}/`], {
        DATA_DIR: dataDir,
      }),
      tollgate(['ledger', 'totals', '--url', url, '--token-file', tokenFile], nowhere),
      tollgate(['ledger', 'totals', '--url', url], { ...nowhere, OPERATOR_TOKEN: await token() }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1)
  })

  test.each<[string, () => Promise<[string[], Record<string, string>]>, RegExp]>([
    [
      'no gateway has run',
      async () => [[], { DATA_DIR: file('nowhere') }],
      /^No gateway was found: neither --url nor OPERATOR_URL is set, and \S+operator\.json names none\. Start/,
    ],
    [
      'the gateway has stopped',
      async () => [['--url', `http://127.0.0.1:${await freePort()}`], { DATA_DIR: dataDir }],
      /^The gateway at http:\/\/127\.0\.0\.1:\d+ does not answer: connect ECONNREFUSED.*npm start/,
    ],
    [
      'the address has no scheme',
      async () => [['--url', '127.0.0.1:8402'], { DATA_DIR: dataDir }],
      /is not an http\(s\) address/,
    ],
    [
      'the token belongs to another gateway',
      async () => [[], { DATA_DIR: dataDir, OPERATOR_TOKEN: 'x'.repeat(40) }],
      /refuses this operator token \(OPERATOR_TOKEN_INVALID\)/,
    ],
    [
      'there is no token',
      async () => [['--url', 'http://example.com'], { DATA_DIR: dataDir }],
      /^There is no operator token for http:\/\/example\.com: set OPERATOR_TOKEN/,
    ],
    [
      'the token file is missing',
      async () => [['--token-file', '/nowhere'], { DATA_DIR: dataDir }],
      /^The token file cannot be read: ENOENT/,
    ],
    [
      'the token file holds more than a token',
      async () => [['--token-file', 'README.md'], { DATA_DIR: dataDir }],
      /must hold the token alone/,
    ],
  ])(
    'when %s, it says so and what to do, without a stack, and exits with 1',
    async (_case, given, message) => {
      const [args, settings] = await given()
      for (const command of [
        ['ledger', 'totals', '--json'],
        ['refund', '0x12', '--yes'],
      ]) {
        const refused = await tollgate([...command, ...args], settings)
        expect(refused).toMatchObject({ code: 1, stdout: '' })
        expect(refused.stderr).toMatch(message)
        expect(refused.stderr).not.toMatch(/^\s+at /m)
      }
    },
  )

  test('sends the token of the data folder only to this machine, and never to the target of a redirect', async () => {
    const target = await startStandIn((_req, res) => res.writeHead(200).end('{}'))
    const server = await startStandIn((_req, res) => res.writeHead(307, { location: target.url }).end())
    const elsewhere = server.url.replace('127.0.0.1', '0.0.0.0')

    const kept = await ledger('totals', '--url', elsewhere)
    const redirected = await ledger('totals', '--url', server.url)
    await server.close()
    await target.close()

    expect(kept.stderr).toContain('There is no operator token for')
    expect(redirected.code).toBe(1)
    expect(server.credentials).toEqual([`Bearer ${await token()}`])
    expect(target.credentials).toEqual([])
  })

  test.each([
    ['another program', 200, '<html>hello</html>', /not in the form of this version of tollgate/],
    ['another version', 200, '{"taken":1}', /not in the form of this version of tollgate/],
    ['a broken proxy', 502, 'Bad Gateway', /answers 502, but not in the form of a tollgate gateway/],
    ['a server that sends control characters', 409, '{"code":"X","message":"a\\u001b[2Kb"}', /^a\?\[2Kb$/m],
  ])('recognizes %s, and prints nothing that moves the cursor', async (_server, status, body, message) => {
    const server = await startStandIn((_req, res) => res.writeHead(status).end(body))
    const refused = await ledger('totals', '--url', server.url)
    await server.close()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(message)
  })
})

test('no operator command prints the operator token', async () => {
  const printed = await Promise.all([ledger('totals', '--json'), ledger('list', '--since', 'never')])
  for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toContain(await token())
})

test.each([
  'ledger',
  'ledger list',
  'ledger show',
  'ledger totals',
  'ledger export',
  'ledger reconcile',
  'ledger strangers',
  'ledger adopt',
  'ledger dismiss',
  'refund',
])('tollgate %s --help fits 80 columns and describes every option', async (command) => {
  const { code, stdout, stderr } = await tollgate([...command.split(' '), '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Usage: tollgate ${command} `)
  const shown = stdout.split('\n')
  expect(shown.filter((line) => line.length > 80)).toEqual([])
  expect(shown.filter((line) => /^ +-.*--\S+( <\S+>)?$/.test(line))).toEqual([])
})
