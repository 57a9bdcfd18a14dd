import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/chain/chain.ts'
import { writeCatalog } from '../../support/gateways/catalog.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/**
 * The client whose free quota a call counts against: a caller must not get more quota by claiming another
 * address. Two calls a day are free. No test pays, so there is no chain.
 */

const noChain = 'http://127.0.0.1:9'
/** The connections of all tests come from here. */
const connection = '127.0.0.1'

let catalogFile: string
let removeFolder: () => Promise<void>

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  removeFolder = remove
  catalogFile = await writeCatalog(folder, { researchLead: { access: 'optional', free: '2/day' } })
})
afterAll(() => removeFolder())

function gatewayWith(settings: Readonly<Record<string, string>>) {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway(noChain, {
      DATABASE_URL: await freshDatabase(),
      CATALOG_FILE: catalogFile,
      RPC_TIMEOUT_MS: '1000',
      ...settings,
    })
  })
  afterAll(() => gateway.close())

  const call = async (headers: Readonly<Record<string, string | string[]>>) =>
    request(gateway.url).post('/api/leads/research').set(headers).send({ companyName: 'Acme Dental' })

  return {
    /**
     * Makes one call with each of these headers.
     * @returns how many were served.
     */
    async served(all: readonly Readonly<Record<string, string | string[]>>[]): Promise<number> {
      const replies = await Promise.all(all.map(call))
      const statuses = replies.map(({ status }) => status)
      expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
      return statuses.filter((status) => status === 200).length
    },
    /** The warnings about X-Forwarded-For in the log. */
    warnings: () =>
      gateway.logged.filter((line) => line.includes('"level":40') && line.includes('TRUST_PROXY')),
    /** The number of counted calls, by client. */
    async counted(): Promise<Record<string, number>> {
      const rows = await gateway.services.queries.selectFrom('usage').select(['subject', 'used']).execute()
      return Object.fromEntries(rows.map(({ subject, used }) => [subject, Number(used)]))
    },
  }
}

const forwarded = (address: string) => ({ 'x-forwarded-for': address })
const times = <Made>(count: number, make: (n: number) => Made) =>
  Array.from({ length: count }, (_, n) => make(n))

describe('without TRUST_PROXY', () => {
  const gateway = gatewayWith({})

  test('no header gives a client more than its quota', async () => {
    const names = [
      'X-Forwarded-For',
      'X-Real-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'Fastly-Client-IP',
      'X-Forwarded',
    ]
    const lies = names.flatMap((name) => times(3, (n) => ({ [name]: `198.51.100.${n}` })))
    const forwardings = times(3, (n) => ({
      Forwarded: `for=198.51.100.${n};proto=https, for="[2001:db8::${n}]"`,
    }))
    expect(await gateway.served([...lies, ...forwardings, ...times(3, () => ({}))])).toBe(2)
    expect(await gateway.counted()).toEqual({ [`client:${connection}`]: 2 })
  })

  test('the log warns once that forwarded addresses are ignored, without naming one', () => {
    expect(gateway.warnings()).toEqual([expect.not.stringContaining('198.51.100')])
  })
})

describe('behind one proxy', () => {
  const gateway = gatewayWith({ TRUST_PROXY: '1' })

  test('each client has its own quota, and a caller who claims its address uses none of its quota', async () => {
    expect(await gateway.served(times(3, () => forwarded('192.0.2.1')))).toBe(2)
    expect(await gateway.served(times(3, () => forwarded('192.0.2.1, 192.0.2.2')))).toBe(2)
    expect(await gateway.counted()).toMatchObject({ 'client:192.0.2.1': 2, 'client:192.0.2.2': 2 })
  })

  test('addresses that a client adds before the proxy’s own entry give it no quota', async () => {
    const real = '192.0.2.3'
    const lies = [
      ...times(20, (n) => forwarded(`198.51.100.${n}, ${real}`)),
      ...times(20, (n) => forwarded(`2001:db8:${n}::1,10.0.0.${n},${real}`)),
      ...times(5, (n) => ({ ...forwarded(real), 'X-Real-IP': `198.51.100.${n}` })),
      ...times(5, (n) => ({ ...forwarded(real), Forwarded: `for=198.51.100.${n}` })),
      forwarded(`${real},`),
      forwarded(` , ,${real} `),
      forwarded(`unknown, "quoted, ${real}`),
      forwarded(`::ffff:${real}`),
      // Two header lines are one list.
      { 'x-forwarded-for': ['198.51.100.1', real] },
      { 'x-forwarded-for': ['198.51.100.2, 198.51.100.3', `198.51.100.4,${real}`] },
    ]
    expect(await gateway.served(lies)).toBe(2)
    expect(await gateway.counted()).toMatchObject({ [`client:${real}`]: 2 })
  })

  test('all addresses of one IPv6 network of 64 bits share a quota, and the next network has its own', async () => {
    const hosts = times(60, (n) => forwarded(`2001:db8:0:7:${(n * 1_021).toString(16)}::${n.toString(16)}`))
    expect(await gateway.served(hosts)).toBe(2)
    expect(await gateway.served([forwarded('2001:0DB8:0000:0007:ffff:ffff:ffff:ffff')])).toBe(0)
    expect(await gateway.served(times(3, (n) => forwarded(`2001:db8:0:8::${n}`)))).toBe(2)
    expect(await gateway.counted()).toMatchObject({
      'client:2001:db8:0:7::/64': 2,
      'client:2001:db8:0:8::/64': 2,
    })
  })

  test('an IPv4 address mapped to IPv6 is the same client', async () => {
    const clothes = ['192.0.2.4', '::ffff:192.0.2.4', '::FFFF:c000:204', '0:0:0:0:0:ffff:192.0.2.4']
    expect(await gateway.served([...clothes, ...clothes].map(forwarded))).toBe(2)
    expect(await gateway.counted()).toMatchObject({ 'client:192.0.2.4': 2 })
  })

  test('all forwarded texts that are no address count as one client', async () => {
    const garbage = [
      'unknown',
      '_hidden',
      '999.1.1.1',
      '1.2.3',
      '1',
      '0x7f000001',
      'a'.repeat(500),
      '%',
      ':::',
    ]
    expect(await gateway.served(garbage.map(forwarded))).toBe(2)
    expect(await gateway.counted()).toMatchObject({ 'client:unknown': 2 })
  })

  test('a call without a forwarded address counts for the address of its connection', async () => {
    expect(await gateway.served([{}, {}, forwarded(''), forwarded(' , ')])).toBe(2)
    expect(await gateway.counted()).toMatchObject({ [`client:${connection}`]: 2 })
    expect(gateway.warnings()).toEqual([])
  })
})

describe('behind proxies that are known by their addresses', () => {
  const gateway = gatewayWith({ TRUST_PROXY: 'loopback,10.0.0.0/8' })

  test('the right-most forwarded address that is not a trusted proxy is the client', async () => {
    const lies = [
      '192.0.2.5',
      '192.0.2.5, 10.0.0.1',
      '198.51.100.1, 192.0.2.5, 10.0.0.1, 127.0.0.1',
      '10.0.0.9, 192.0.2.5, 10.0.0.1',
      '192.0.2.5, ::ffff:10.0.0.1',
    ]
    expect(await gateway.served(lies.map(forwarded))).toBe(2)
    expect(await gateway.counted()).toEqual({ 'client:192.0.2.5': 2 })
  })
})

describe('when only other addresses are trusted proxies', () => {
  const gateway = gatewayWith({ TRUST_PROXY: '10.0.0.0/8' })

  test('forwarded addresses of a caller who is none of them are ignored', async () => {
    expect(await gateway.served(times(10, (n) => forwarded(`192.0.2.${n}, 10.0.0.1`)))).toBe(2)
    expect(await gateway.counted()).toEqual({ [`client:${connection}`]: 2 })
  })
})
