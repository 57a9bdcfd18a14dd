import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../src/platform/config/config.ts'
import { ConfigError } from '../../../src/platform/config/config-error.ts'
import { describeSettings } from '../../../src/platform/config/env.ts'

const key = `0x${'11'.repeat(32)}`
const otherKey = `0x${'ab'.repeat(32)}`
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
  SMTP_URL: 'smtps://mail.example.com',
}
const noTestKey = () => false

function faultsOf(
  environment: Record<string, string>,
  isTestKey: (key: string) => boolean = noTestKey,
): readonly string[] {
  try {
    readSettings(environment, isTestKey)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('with nothing set, everything runs embedded on a local chain', () => {
  const { config, secrets } = readSettings({}, noTestKey)
  expect(config).toMatchObject({
    production: false,
    listen: { host: '127.0.0.1', port: 8402 },
    baseUrl: 'http://127.0.0.1:8402',
    paymentsBaseUrl: 'http://127.0.0.1:8402',
    store: 'embedded',
    network: 'base-sepolia',
    chain: { kind: 'local', port: 8545 },
    facilitators: [{ kind: 'local', settler: { kind: 'test-account' } }],
    shutdownDelayMs: 0,
    maxPaymentsInFlight: 100,
    settleFirstAfter: 3,
    maxRefusedPayments: 100,
    maxWaitingBodyBytes: 200_000_000,
    maxReplyStoreBytes: 1_000_000_000,
  })
  expect(secrets).toMatchObject({ databaseUrl: undefined, rpcUrl: undefined, modelApiKey: undefined })
})

test('an empty value counts as unset', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' }, noTestKey).config.listen.port).toBe(8402)
})

test('a complete production environment is accepted', () => {
  expect(faultsOf(production)).toEqual([])
})

test('production goes on serving for five seconds when it stops, unless another delay is set', () => {
  const delayOf = (more: Record<string, string>) =>
    readSettings({ ...production, ...more }, noTestKey).config.shutdownDelayMs
  expect([delayOf({}), delayOf({ SHUTDOWN_DELAY_MS: '0' })]).toEqual([5_000, 0])
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

test('a malformed setting hides no other fault and is not reported as missing', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    PORT: 'http',
    RPC_URL: 'rpc.example.com',
    DATABASE_URL: 'mysql://x',
    FACILITATOR_URL: 'cdp,elsewhere',
    OIDC_ISSUER: 'https://id.example.com',
    DRY_RUN: 'true',
  })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'RPC_URL',
    'FACILITATOR_URL, number 2',
    'PAY_TO',
    'OIDC_AUDIENCE',
    'CDP_API_KEY_ID',
    'CDP_API_KEY_SECRET',
    'DRY_RUN',
    'NETWORK',
    'BASE_URL',
    'OPENAI_API_KEY',
    'SMTP_URL',
  ])
})

test('a malformed NODE_ENV that means production names what production misses', () => {
  expect(faultsOf({ NODE_ENV: 'prod' }).join('\n')).toContain('BASE_URL')
  expect(faultsOf({ NODE_ENV: 'dev' })).toHaveLength(1)
})

test('a missing setting is named together with the misspelt one that is set', () => {
  const { PAY_TO, DATABASE_URL, SETTLER_KEY, ...rest } = production
  const misspelt = { PAYTO: PAY_TO, DATABASE_URI: DATABASE_URL, SETLER_KEY: SETTLER_KEY }
  expect(faultsOf({ ...rest, ...misspelt })).toEqual([
    expect.stringMatching(/^PAY_TO: .*\. PAYTO is set; did you mean PAY_TO\?$/),
    expect.stringMatching(/^SETTLER_KEY or .*\. SETLER_KEY is set; did you mean SETTLER_KEY\?$/),
    expect.stringMatching(/^DATABASE_URL: .*\. DATABASE_URI is set; did you mean DATABASE_URL\?$/),
  ])
})

test('a login shell’s MAIL, which names a mailbox, is not the setting', () => {
  expect(faultsOf({ MAIL: '/var/mail/root' })).toEqual([])
  const { SMTP_URL: _, ...rest } = production
  expect(faultsOf({ ...rest, MAIL: '/var/mail/root' }).join('\n')).toContain('SMTP_URL')
})

test.each([
  [{ PORT: '9000', OPERATOR_PORT: '9000', RPC_URL: 'x' }, 'PORT and OPERATOR_PORT: give each its own port'],
  [{ PORT: '8545' }, 'PORT and DEV_CHAIN_PORT: give each its own port'],
  [{ OPERATOR_PORT: '8545' }, 'OPERATOR_PORT and DEV_CHAIN_PORT: give each its own port'],
  [{ OPERATOR_HOST: '0.0.0.0' }, 'OPERATOR_PORT: OPERATOR_HOST needs it'],
])('%j is refused', (environment, fault) => {
  expect(faultsOf(environment)).toContain(fault)
})

test('production refuses a dry run', () => {
  expect(faultsOf({ ...production, DRY_RUN: 'true' })).toEqual([
    'DRY_RUN: production takes money for what it sells',
  ])
  expect(faultsOf({ ...production, DRY_RUN: 'false' })).toEqual([])
  expect(faultsOf({ DRY_RUN: 'true' })).toEqual([])
})

test('production refuses a published test key', () => {
  expect(faultsOf(production, (candidate) => candidate === key).join('\n')).toContain('published test key')
})

test.each(['SETTLER_KEY', 'REFUND_KEY', 'RECEIPT_KEY'])(
  'production refuses a published test key as %s, in upper or lower case',
  (name) => {
    const settings = { ...production, [name]: otherKey.toUpperCase().replace('0X', '0x') }
    const faults = faultsOf(settings, (candidate) => candidate === otherKey)
    expect(faults).toEqual([`${name}: this is a published test key; anyone can use it`])
  },
)

test('production refuses a published test key at any place of a list', () => {
  const faults = faultsOf({ ...production, SETTLER_KEY: `${key},${otherKey}` }, (one) => one === otherKey)
  expect(faults.join('\n')).toContain('published test key')
})

test.each([
  [{ SETTLER_KEY: `${otherKey},${key}`, REFUND_KEY: key }, 'SETTLER_KEY and REFUND_KEY'],
  [{ SETTLER_KEY: key, RECEIPT_KEY: key.toUpperCase().replace('0X', '0x') }, 'SETTLER_KEY and RECEIPT_KEY'],
  [{ REFUND_KEY: otherKey, RECEIPT_KEY: otherKey }, 'REFUND_KEY and RECEIPT_KEY'],
])('production refuses one key in two roles: %j', (keys, named) => {
  expect(faultsOf({ ...production, ...keys })).toEqual([`${named}: give each its own key`])
})

test.each([payTo, `0x${'0'.repeat(40)}`])(
  'production refuses to be paid at the well-known address %s',
  (address) => {
    const faults = faultsOf({ ...production, PAY_TO: address }, (candidate) => candidate === payTo)
    expect(faults.join('\n')).toContain('PAY_TO')
  },
)

test.each([
  [{ STORE: 'embedded', DATABASE_URL: 'postgres://db/x' }, 'STORE'],
  [{ TEXT_ENGINE: 'local', OPENAI_API_KEY: 'k' }, 'TEXT_ENGINE'],
  [{ TRUST_FORWARDED_HOST: 'true' }, 'TRUST_PROXY'],
  [{ NETWORK: 'base' }, 'RPC_URL'],
  [{ RPC_URL: 'https://rpc.example.com', SETTLER_KEY: key }, 'PAY_TO'],
  [{ RPC_URL: 'https://rpc.example.com', PAY_TO: payTo }, 'SETTLER_KEY or FACILITATOR_URL'],
  [{ PAY_TO: payTo, REFUSED_PAY_TO: `0x${'9'.repeat(40)}, ${payTo.toLowerCase()}` }, 'contradict'],
  [{ SETTLER_KEY: key, FACILITATOR_URL: 'https://f.example.com' }, 'contradict'],
  [{ SETTLER_KEY: key, FACILITATOR_URL: 'https://f.example.com,cdp' }, 'contradict'],
  [{ SETTLER_KEY: key, CDP_SETTLER_ACCOUNT: 'gas' }, 'contradict'],
  [{ CDP_SETTLER_ACCOUNT: 'gas', FACILITATOR_URL: 'https://f.example.com' }, 'contradict'],
  [{ FACILITATOR_URL: 'cdp' }, 'RPC_URL'],
  [{ FACILITATOR_URL: 'https://f.example.com,cdp' }, 'CDP_API_KEY_ID'],
  [{ FACILITATOR_URL: 'cdp' }, 'CDP_API_KEY_SECRET'],
  [{ CDP_SETTLER_ACCOUNT: 'gas' }, 'CDP_API_KEY_ID'],
  [{ CDP_SETTLER_ACCOUNT: 'gas' }, 'CDP_API_KEY_SECRET'],
  [{ CDP_SETTLER_ACCOUNT: 'gas' }, 'CDP_WALLET_SECRET'],
  [
    { RPC_URL: 'https://rpc.example.com', PAY_TO: payTo, FACILITATOR_URL: 'https://f.example.com,local' },
    'SETTLER_KEY or CDP_SETTLER_ACCOUNT',
  ],
  [{ NODE_ENV: 'production', FACILITATOR_URL: 'local' }, 'SETTLER_KEY or CDP_SETTLER_ACCOUNT'],
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
  ['FACILITATOR_URL', 'https://f.example.com,elsewhere'],
  ['FACILITATOR_URL', 'https://f.example.com,https://f.example.com/'],
  ['FACILITATOR_URL', 'https://f.example.com,'],
  ['SETTLER_KEY', `${key},${key}`],
  ['SETTLER_KEY', `0x${'0'.repeat(64)}`],
  ['REFUND_KEY', `0x${'f'.repeat(64)}`],
  ['RECEIPT_KEY', '0x12'],
  ['CDP_SETTLER_ACCOUNT', 'two words'],
  ['CDP_API_KEY_ID', 'two words'],
  ['CDP_API_KEY_SECRET', 'c2VjcmV0'],
  ['CDP_API_KEY_SECRET', '-----BEGIN EC PRIVATE KEY-----'],
  ['CDP_WALLET_SECRET', 'c2VjcmV0'],
  ['CDP_API_URL', 'api.cdp.coinbase.com'],
  ['GAS_WARNING_PAYMENTS', '249'],
  ['SHUTDOWN_DELAY_MS', '-1'],
  ['MAX_GAS_SHARE', '0'],
  ['ETH_PRICE_USDC', '3,000'],
  ['ETH_PRICE_USDC', '0.00'],
  ['MAX_GAS_PRICE_GWEI', '1e3'],
  ['MAX_GAS_PRICE_GWEI', '-1'],
  ['MAX_GAS_PRICE_GWEI', '0.0'],
  ['MAX_GAS_PRICE_GWEI', '0.0000000001'],
  ['BUILDER_CODE', 'Has-Capitals'],
  ['MAX_PAYMENTS_IN_FLIGHT', '0'],
  ['SETTLE_FIRST_AFTER', '1.5'],
  ['MAX_REFUSED_PAYMENTS', '0'],
  ['MAX_WAITING_BODIES_MB', '39'],
  ['REPLY_STORE_MB', 'much'],
  ['OPERATOR_TOKEN', 'x'.repeat(31)],
  ['OPERATOR_TOKEN', `${'x'.repeat(31)} y`],
])('a malformed %s is named, without its value', (name, value) => {
  const [fault = ''] = faultsOf({ [name]: value })
  expect(fault).toContain(name)
  // The message about a short value may contain one of its digits by chance.
  if (value.length > 3) expect(fault).not.toContain(value)
})

test('a malformed secret is not repeated in the message', () => {
  expect(faultsOf({ SETTLER_KEY: 'hunter2-hunter2' }).join('\n')).not.toContain('hunter2')
})

test.each(['10.0.0.7', 'shop.example', '127.0.0.1:99999', 'a=b=127.0.0.1:1', 'localhost:9000'])(
  'of several private targets a faulty one (%s) is named by its number',
  (entry) => {
    const faults = faultsOf({ ALLOW_PRIVATE_TARGETS: `127.0.0.1:9000, ${entry},shop.example=127.0.0.1:9001` })
    expect(faults).toEqual([expect.stringMatching(/^ALLOW_PRIVATE_TARGETS, number 2: must be an address/)])
  },
)

test('a faulty member of a list is named by its number', () => {
  const [fault] = faultsOf({ SETTLER_KEY: `${key}, hunter2` })
  expect(fault).toBe('SETTLER_KEY, number 2: must be a 0x private key of 64 hex digits')
})

describe('the facilitators', () => {
  const rpc = { RPC_URL: 'https://rpc.example.com', PAY_TO: payTo }
  const cdp = { CDP_API_KEY_ID: 'key-id', CDP_API_KEY_SECRET: `${'A'.repeat(86)}==` }
  const read = (settings: Record<string, string>) => readSettings({ ...rpc, ...settings }, noTestKey)

  test('keep the order of the list, each with its own settings', () => {
    const settings = {
      ...cdp,
      FACILITATOR_URL: 'https://f.example.com/x402/ , cdp, local',
      FACILITATOR_TIMEOUT_MS: '1500',
      CDP_API_URL: 'https://cdp.example.com/',
      SETTLER_KEY: key,
      SETTLER_LEASE_MS: '5000',
      SETTLEMENT_TIMEOUT_MS: '2500',
      MAX_GAS_PRICE_GWEI: '0.25',
      MAX_GAS_SHARE: '15',
      ETH_PRICE_USDC: '2750.50',
      GAS_WARNING_PAYMENTS: '500',
    }
    const { config, secrets } = read(settings)
    expect(config.facilitators).toEqual([
      { kind: 'remote', url: 'https://f.example.com/x402', timeoutMs: 1500 },
      { kind: 'cdp', apiUrl: 'https://cdp.example.com', timeoutMs: 1500 },
      {
        kind: 'local',
        settler: { kind: 'keys' },
        leaseMs: 5000,
        settlementTimeoutMs: 2500,
        maxGasPriceWei: 250_000_000n,
        maxGasSharePercent: 15,
        ethPrice: 2_750_500_000n,
        gasWarningPayments: 500,
      },
    ])
    expect(secrets).toMatchObject({
      cdpApiKey: { id: 'key-id', secret: cdp.CDP_API_KEY_SECRET },
      settlerKeys: [key],
    })
  })

  test('settle from several accounts when there are several keys, in their order', () => {
    const { config, secrets } = read({ SETTLER_KEY: `${key}, ${otherKey}` })
    expect(config.facilitators).toMatchObject([{ kind: 'local', settler: { kind: 'keys' } }])
    expect(secrets.settlerKeys).toEqual([key, otherKey])
  })

  test('settle from a CDP server wallet instead of a key', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const walletSecret = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
    const settings = { ...cdp, CDP_SETTLER_ACCOUNT: 'gas-1', CDP_WALLET_SECRET: walletSecret }
    const { config, secrets } = read(settings)
    expect(config.facilitators).toMatchObject([
      { kind: 'local', settler: { kind: 'cdp', name: 'gas-1', apiUrl: 'https://api.cdp.coinbase.com' } },
    ])
    expect(secrets.cdpWalletSecret).toBe(walletSecret)
  })

  test.each(['pkcs8', 'sec1'] as const)(
    'take an EC secret of a CDP API key as PEM of %s, also on one line',
    (type) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const pem = privateKey.export({ type, format: 'pem' }).toString()
      for (const secret of [pem, pem.replaceAll('\n', '\\n')]) {
        const { secrets } = read({ ...cdp, FACILITATOR_URL: 'cdp', CDP_API_KEY_SECRET: secret })
        const normalized = secrets.cdpApiKey?.secret ?? ''
        expect(normalized).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
        expect(createPublicKey(normalized).equals(publicKey)).toBe(true)
      }
    },
  )
})

test('no secret is in the configuration', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const walletSecret = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const given = {
    DATABASE_URL: 'postgres://user:password@db.example.com/tollgate',
    REDIS_URL: 'redis://:password@redis.example.com',
    RPC_URL: 'https://rpc.example.com/v2/rpc-secret',
    SMTP_URL: 'smtps://user:password@mail.example.com',
    OPERATOR_TOKEN: 'operator-token'.repeat(3),
    SETTLER_KEY: key,
    REFUND_KEY: otherKey,
    RECEIPT_KEY: `0x${'cd'.repeat(32)}`,
    UPSTREAM_WALLET_KEY: `0x${'ef'.repeat(32)}`,
    UPSTREAM_LLM_KEY: 'upstream-secret',
    OPENAI_API_KEY: 'sk-model-secret',
    CDP_API_KEY_ID: 'cdp-key-id',
    CDP_API_KEY_SECRET: `${'A'.repeat(86)}==`,
    CDP_WALLET_SECRET: walletSecret,
  }
  const { config, secrets } = readSettings({ ...given, PAY_TO: payTo }, noTestKey)
  const printed = inspect(config, { depth: 10 })
  const held = inspect(secrets, { depth: 10 })
  for (const value of Object.values(given)) {
    expect(printed).not.toContain(value)
    expect(held).toContain(value)
  }
})

test('README.md names every setting under its group with its default and meaning, and no other', () => {
  const readme = readFileSync(new URL('../../../src/platform/config/README.md', import.meta.url), 'utf8')
  const rows = readme.split(/^## /m).flatMap((section) => {
    const group = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/^\| `([A-Z_]+)` *\| (?:`([^`]*)`)? *\| (.+?) *\|$/gm)].map(
      ([, name, fallback, meaning]) => ({ group, name, fallback: fallback ?? '', meaning }),
    )
  })
  expect(rows).toEqual(describeSettings())
})
