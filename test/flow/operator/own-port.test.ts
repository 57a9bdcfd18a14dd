import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorFile, readOperatorFile } from '../../../src/platform/config/operator-file.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

/** With OPERATOR_PORT, the operator's endpoints are on a port of their own. No test pays, so there is no chain. */

const noChain = 'http://127.0.0.1:9'

let workplace: Workplace
let gateway: TestGateway
let operatorUrl: string
let token: string
let dataDir: string
let databaseUrl: string

beforeAll(async () => {
  workplace = await openWorkplace()
  dataDir = join(workplace.folder, 'data')
  databaseUrl = await emptyDatabase()
  gateway = await startGateway(noChain, {
    OPERATOR_PORT: '8403',
    OPERATOR_TOKEN: '',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    RPC_TIMEOUT_MS: '1000',
  })
  operatorUrl = gateway.operatorAddress ?? ''
  token = (await readOperatorFile(operatorFile(dataDir)))?.token ?? ''
})
afterAll(async () => {
  await gateway.close()
  await workplace.close()
})

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}

test('the operator’s endpoints answer on it alone, and /health answers on both ports', async () => {
  const statuses = async (url: string) =>
    Object.fromEntries(
      await Promise.all(
        ['/operator/totals', '/operator/nowhere', '/metrics', '/health', '/pricing'].map(
          async (path) => [path, await statusOf(url + path)] as const,
        ),
      ),
    )
  expect(await statuses(gateway.url)).toEqual({
    '/operator/totals': 404,
    '/operator/nowhere': 404,
    '/metrics': 404,
    '/health': 200,
    '/pricing': 200,
  })
  expect(await statuses(operatorUrl)).toEqual({
    '/operator/totals': 200,
    '/operator/nowhere': 404,
    '/metrics': 200,
    '/health': 200,
    '/pricing': 404,
  })
  expect((await fetch(`${operatorUrl}/operator/totals`)).status).toBe(401)
})

test('bytes that are no request get our error body on it, and pages of other origins cannot read that', async () => {
  const { hostname, port } = new URL(operatorUrl)
  const socket = connect(Number(port), hostname)
  socket.write('nonsense\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s)
  expect(answer).not.toMatch(/access-control/i)
})

test('the command finds it by the data folder, by the gateway’s own environment, by its file of settings, or by OPERATOR_URL', async () => {
  const totals = (settings: Readonly<Record<string, string>>, ...args: string[]) =>
    workplace.run('cli', { args: ['ledger', 'totals', '--json', ...args], settings })
  const { port: operatorPort } = new URL(operatorUrl)
  // As in production: DATA_DIR is not named, so there is no file of the gateway to find.
  const production = {
    DATA_DIR: join(workplace.folder, 'nowhere'),
    DATABASE_URL: databaseUrl,
    RPC_URL: noChain,
    HOST: '0.0.0.0',
    PORT: String(gateway.port),
    OPERATOR_HOST: '0.0.0.0',
    OPERATOR_PORT: operatorPort,
    OPERATOR_TOKEN: token,
  }
  const file = join(workplace.folder, 'gateway.env')
  await writeFile(
    file,
    Object.entries(production)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  )

  const answers = await Promise.all([
    totals({ DATA_DIR: dataDir }),
    totals(production),
    totals({ OPERATOR_TOKEN: 'of another gateway', OPERATOR_URL: 'http://192.0.2.1' }, '--env-file', file),
    totals({ DATA_DIR: '', OPERATOR_URL: operatorUrl, OPERATOR_TOKEN: token }),
  ])

  expect(answers.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    answers.map(() => ({ code: 0, stderr: '' })),
  )
  expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1)
})

test('the token of another gateway’s data folder is not sent to the gateway that the settings name', async () => {
  const { code, stderr } = await workplace.run('cli', {
    args: ['ledger', 'totals'],
    settings: { DATA_DIR: dataDir, OPERATOR_URL: 'http://192.0.2.1:8403' },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^There is no operator token for http:\/\/192\.0\.2\.1:8403: .* goes only to the gateway/,
  )
})

test('a command that is sent to the public port is told where the operator’s endpoints are', async () => {
  const { code, stderr } = await workplace.run('cli', {
    args: ['ledger', 'totals', '--url', gateway.url],
    settings: { DATA_DIR: dataDir },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('With OPERATOR_PORT they answer on that port alone')
})

test('while the gateway stops, it answers until the calls under way have ended', async () => {
  const call = connect(gateway.port, '127.0.0.1')
  call.write('POST /api/analyze HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{')
  await once(call, 'connect')
  await expect.poll(() => isOpen(gateway.url), { message: 'the public port is not open' }).toBe(true)

  const closed = gateway.close(60_000)
  await expect.poll(() => isOpen(gateway.url), { message: 'the public port stays open' }).toBe(false)
  expect(await statusOf(`${operatorUrl}/operator/totals`)).toBe(200)

  call.destroy()
  await closed
  expect(await isOpen(operatorUrl)).toBe(false)
})

async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
