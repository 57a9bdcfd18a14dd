import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'

// Each test starts a new chain and a new store.
vi.setConfig({ testTimeout: 60_000 })

let workplace: Workplace

beforeEach(async () => {
  workplace = await openWorkplace()
})
afterEach(() => workplace.close())
afterAll(() => vi.resetConfig())

const foldersLeft = async () =>
  (await readdir(workplace.folder)).filter((name) => name.startsWith('tollgate'))

test('npm run demo ignores the environment, pays four times, calls with the bought key, scans on the free quota, exits with 0 when the books match the chain, and leaves no process and no folder', async () => {
  const settings = {
    NODE_ENV: 'production',
    HOST: 'nonsense',
    PORT: 'nonsense',
    DEV_CHAIN_PORT: '1',
    DATABASE_URL: 'nonsense',
    DATA_DIR: '/dev/null/nonsense',
    CATALOG_FILE: 'nonsense',
    NETWORK: 'nonsense',
    RPC_URL: 'nonsense',
    PAY_TO: 'nonsense',
    OPENAI_API_KEY: 'nonsense',
    LOG_LEVEL: 'nonsense',
  }

  const { code, stdout, stderr } = await workplace.run('demo', { settings })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const receipts = [...stdout.matchAll(/^← 20[01], paid in transaction (0x[0-9a-f]{64})$/gm)]
  expect(receipts).toHaveLength(4)
  expect(new Set(receipts.map(([, transaction]) => transaction)).size).toBe(4)
  expect(stdout).toMatch(/^← 200, nothing paid; RateLimit: .*"day";r=19;/m)
  expect(stdout).toMatch(/^ +100 % {2}The scan is complete\.\n← readiness \d+ of 100, AEO \d+ of 100$/m)
  expect(stdout).toMatch(/booked as settled +10\.35 USDC\n +received on chain +10\.35 USDC\nThe books match/)
  expect(await workplace.processes()).toEqual([])
  expect(await foldersLeft()).toEqual([])
})

test('npm run demo:tokens exits with 0 when the books equal the tokens that the model has reported, and leaves no process and no folder', async () => {
  const settings = { CATALOG_FILE: 'nonsense', DATABASE_URL: 'nonsense', OPENAI_BASE_URL: 'nonsense' }

  const { code, stdout, stderr } = await workplace.run('demo-tokens', { settings })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/by payment +2 calls +18 \+ +96 tokens/)
  expect(stdout).toMatch(
    /paid on the chain 0\.000202 USDC, for calls worth 0\.000202\nThe gateway has counted every token/,
  )
  expect(await workplace.processes()).toEqual([])
  expect(await foldersLeft()).toEqual([])
})

test.each([
  ['Ctrl-C during the start', /Starting the local chain/],
  ['Ctrl-C during a payment', /← 402/],
])(
  '%s ends npm run demo with one line and exit code 1, and leaves no process and no folder',
  async (_label, moment) => {
    const demo = workplace.start('demo', { leadsGroup: true })
    await demo.shows(moment)

    demo.signal('SIGINT')

    expect(await demo.ended).toMatchObject({ code: 1, stderr: 'The demo was stopped.\n' })
    expect(await workplace.processes()).toEqual([])
    expect(await foldersLeft()).toEqual([])
  },
)
