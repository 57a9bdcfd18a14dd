import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers } from '../../src/chain/dev-accounts.ts'
import { startTestChain, type TestChain } from '../support/chain.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { projectRoot } from '../support/process.ts'
import { decode } from '../support/wallet.ts'

/** What README.md tells a stranger to type, typed. */

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text = '']) => text)
const address = 'http://127.0.0.1:8402'

let chain: TestChain
let gateway: TestGateway

beforeAll(async () => {
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl)
})
afterAll(async () => {
  await gateway.close()
  await chain.close()
})

/** The one block that contains this and not that, with the address of the running gateway. */
function blockWith(part: string, absent?: string): string {
  const found = blocks.filter((text) => text.includes(part) && !(absent && text.includes(absent)))
  expect(found).toHaveLength(1)
  return (found[0] ?? '').replaceAll(address, gateway.url)
}

const run = promisify(execFile)
const options = {
  cwd: projectRoot,
  env: { ...process.env, PATH: `${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}` },
}

test('the first code block holds the command to see it and the command to prove it, and no other', () => {
  const commands = (blocks[0] ?? '').trimEnd().split('\n')
  expect(commands.map((line) => line.replace(/ +#.*$/, ''))).toEqual([
    'npm install && npm run demo',
    'npm install && npm test',
  ])
})

test('the JavaScript example runs as it stands and prints a paid answer with its receipt', async () => {
  const program = blockWith('wrapFetchWithPayment')

  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], options)

  expect(stdout).toMatch(/success: true/)
  expect(stdout).toMatch(/businessName: 'Bright Smile Dental'/)
  expect(decode(/(\S+)\n$/.exec(stdout)?.[1])).toMatchObject({ success: true, network: 'eip155:84532' })
})

test('the line that pays prints the answer', async () => {
  const { stdout } = await run('sh', ['-c', blockWith('tollgate -- pay')], options)

  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    analysis: { businessName: 'Bright Smile Dental' },
  })
})

/** Takes the place of curl where it is not installed: sends the same, by fetch. */
const standIn = `#!/usr/bin/env node
const { parseArgs } = require('node:util')
const { values, positionals } = parseArgs({
  options: {
    include: { type: 'boolean', short: 'i' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
})
const headers = values.header.map((line) => line.split(': '))
fetch(positionals[0], { method: 'POST', headers, body: values.data }).then(async (response) => {
  console.log('HTTP/1.1', response.status)
  for (const [name, value] of response.headers) console.log(name + ': ' + value)
  console.log()
  console.log(await response.text())
})
`

describe.each(isInstalled('curl') ? ['curl', 'fetch'] : ['fetch'])('sent by %s', (program) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-readme-'))
    if (program === 'fetch') await writeFile(join(folder, 'curl'), standIn, { mode: 0o755 })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const type = (block: string) =>
    run('sh', ['-c', block], { ...options, env: { ...options.env, PATH: `${folder}:${options.env.PATH}` } })

  test('the request without a payment is told the price in the three places that are named', async () => {
    const { stdout } = await type(blockWith('curl -i', '$payment'))

    expect(stdout).toMatch(/^HTTP\/1\.1 402/)
    for (const place of [/^payment-required: \S/im, /^x-payment: \S/im, /"accepts":\[/])
      expect(stdout).toMatch(place)
  })

  test('the signed request is paid and answered with the receipt that is described', async () => {
    const { stdout } = await type(blockWith('X-Payment-Signature: $payment'))

    expect(stdout).toMatch(/^HTTP\/1\.1 200/)
    expect(stdout).toContain('"businessName":"Bright Smile Dental"')
    const receipt = decode(/^payment-response: (\S+)/im.exec(stdout)?.[1])
    expect(receipt).toMatchObject({ success: true, payer: devPayers[0].address, network: 'eip155:84532' })
    expect(receipt).toHaveProperty('transaction')
  })
})

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}
