import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, describeSettings, readConfig } from '../../src/config/config.ts'

const key = `0x${'11'.repeat(32)}`
const payTo = `0x${'22'.repeat(20)}`
const production = {
  NODE_ENV: 'production',
  NETWORK: 'base',
  RPC_URL: 'https://rpc.example.com',
  PAY_TO: payTo,
  SETTLER_KEY: key,
  DATABASE_URL: 'postgres://db.example.com/tollgate',
  BASE_URL: 'https://api.example.com',
  OPENAI_API_KEY: 'sk-test',
}
const noTestKey = () => false

function faultsOf(
  environment: Record<string, string>,
  isTestKey: (key: string) => boolean = noTestKey,
): readonly string[] {
  try {
    readConfig(environment, isTestKey)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('with nothing set, everything runs embedded on a local chain', () => {
  expect(readConfig({}, noTestKey)).toMatchObject({
    production: false,
    listen: { host: '127.0.0.1', port: 8402 },
    baseUrl: 'http://127.0.0.1:8402',
    paymentsBaseUrl: 'http://127.0.0.1:8402',
    store: { kind: 'embedded' },
    network: 'base-sepolia',
    chain: { kind: 'local', port: 8545 },
    text: { kind: 'local' },
  })
})

test('an empty value counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }, noTestKey).listen.port).toBe(8402)
})

test('a complete production environment is accepted', () => {
  expect(faultsOf(production)).toEqual([])
})

test('production names every missing setting at once', () => {
  const faults = faultsOf({ NODE_ENV: 'production' }).join('\n')
  for (const name of [
    'NETWORK',
    'RPC_URL',
    'PAY_TO',
    'SETTLER_KEY',
    'DATABASE_URL',
    'BASE_URL',
    'OPENAI_API_KEY',
  ]) {
    expect(faults).toContain(name)
  }
})

test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))(
  'production does not start without %s',
  (name) => {
    const rest = Object.fromEntries(Object.entries(production).filter(([other]) => other !== name))
    expect(faultsOf(rest).join('\n')).toContain(name)
  },
)

test('production refuses a published test key', () => {
  expect(faultsOf(production, (candidate) => candidate === key).join('\n')).toContain('published test key')
})

test.each([payTo, `0x${'0'.repeat(40)}`])(
  'production does not take payments to the well-known address %s',
  (address) => {
    const faults = faultsOf({ ...production, PAY_TO: address }, (candidate) => candidate === payTo)
    expect(faults.join('\n')).toContain('PAY_TO')
  },
)

test.each([
  [{ STORE: 'embedded', DATABASE_URL: 'postgres://db/x' }, 'STORE'],
  [{ TEXT_ENGINE: 'local', OPENAI_API_KEY: 'k' }, 'TEXT_ENGINE'],
  [{ NETWORK: 'base' }, 'RPC_URL'],
  [{ RPC_URL: 'https://rpc.example.com', SETTLER_KEY: key }, 'PAY_TO'],
  [{ RPC_URL: 'https://rpc.example.com', PAY_TO: payTo }, 'SETTLER_KEY or FACILITATOR_URL'],
  [{ SETTLER_KEY: key, FACILITATOR_URL: 'https://f.example.com' }, 'contradict'],
])('the contradiction %j is named', (environment, word) => {
  expect(faultsOf(environment).join('\n')).toContain(word)
})

test.each([
  ['PORT', '0'],
  ['PORT', 'http'],
  ['PAY_TO', '0x12'],
  ['SETTLER_KEY', 'secret'],
  ['DATABASE_URL', 'mysql://x'],
  ['NETWORK', 'mainnet'],
  ['BASE_URL', 'ftp://x'],
])('a malformed %s is named, without its value', (name, value) => {
  const [fault = ''] = faultsOf({ [name]: value })
  expect(fault).toContain(name)
})

test('a malformed secret is not repeated in the message', () => {
  expect(faultsOf({ SETTLER_KEY: 'hunter2-hunter2' }).join('\n')).not.toContain('hunter2')
})

test('the README tells every setting with its default and meaning, and no other', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? *\| (.+) \|$/gm)].map(
    ([, name, fallback, meaning]) => ({
      name,
      fallback: fallback ?? '',
      meaning,
    }),
  )
  expect(rows).toEqual(describeSettings())
})
