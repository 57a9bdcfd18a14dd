import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import {
  openOperatorAccess,
  operatorFile,
  readOperatorFile,
} from '../../../src/platform/config/operator-file.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

/** How a gateway and its operator's tools share a token. */

let folder: string
let remove: () => Promise<void>
let logged: string[]

beforeEach(async () => {
  ;({ folder, remove } = await temporaryFolder())
  logged = []
})
afterEach(() => remove())

const log = () => createLog('debug', { write: (line: string) => void logged.push(line) })
const elsewhere = { store: 'postgres', chain: { kind: 'rpc' } } as const
const open = ({
  operatorToken,
  ...change
}: Partial<Parameters<typeof openOperatorAccess>[0]> & { operatorToken?: string } = {}) =>
  openOperatorAccess({ dataDir: folder, ...elsewhere, ...change }, operatorToken, log())
const given = 'a-token-that-was-given-in-the-environment'

describe('the operator token', () => {
  test('is generated at the first start, long and random, and kept for the next ones', async () => {
    const first = await open()
    const second = await open()
    expect(first.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(second.token).toBe(first.token)
    await remove()
    expect((await open()).token).not.toBe(first.token)
  })

  test('is readable by the gateway’s own user only, at every moment, and so is a folder made for it', async () => {
    const dataDir = join(folder, 'new')
    const access = await open({ dataDir })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect((await stat(operatorFile(dataDir))).mode & 0o777).toBe(0o600)
    await chmod(operatorFile(dataDir), 0o644)
    await access.announce('http://127.0.0.1:1')
    expect((await stat(operatorFile(dataDir))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['operator.json'])
  })

  test('is the same for gateways that start in one folder together', async () => {
    const tokens = (await Promise.all(Array.from({ length: 20 }, () => open()))).map(({ token }) => token)
    expect(new Set(tokens).size).toBe(1)
    expect(await readdir(folder)).toEqual(['operator.json'])
  })

  test('from the environment is not written; the address is, when no other replica can share the folder', async () => {
    const own = await open({ operatorToken: given, store: 'embedded' })
    await own.announce('http://127.0.0.1:8402')
    expect(own.token).toBe(given)
    expect(await readOperatorFile(operatorFile(folder))).toEqual({ url: 'http://127.0.0.1:8402' })

    const shared = join(folder, 'shared')
    await mkdir(shared)
    const { announce } = await open({ operatorToken: given, dataDir: shared })
    await announce('http://127.0.0.1:8403')
    expect(await readdir(shared)).toEqual([])
  })

  test('is generated when the file names only the address', async () => {
    const own = await open({ operatorToken: given, store: 'embedded' })
    await own.announce('http://127.0.0.1:8402')
    const { token } = await open()
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect((await open()).token).toBe(token)
  })

  test.each(['', '{"token":', '{"token":7}', '[]'])(
    'is generated anew, with a warning, when the file holds %j',
    async (text) => {
      await writeFile(operatorFile(folder), text)
      const { token } = await open()
      expect((await open()).token).toBe(token)
      expect(logged.join('')).toContain('this file cannot be read and is replaced')
    },
  )

  test('that cannot be stored closes the operator’s endpoints with a warning, and the gateway starts', async () => {
    await writeFile(join(folder, 'file'), '')
    const { token, announce } = await open({ dataDir: join(folder, 'file', 'below') })
    await announce('http://127.0.0.1:8402')
    expect(token).toBeUndefined()
    expect(logged.join('')).toContain('set OPERATOR_TOKEN')
  })

  test('is never logged', async () => {
    const { token, announce } = await open()
    await announce('http://127.0.0.1:8402')
    await open({ operatorToken: given, dataDir: '/dev/null/nowhere', store: 'embedded' }).then((access) =>
      access.announce('http://127.0.0.1:8402'),
    )
    expect(logged.join('')).not.toContain(token)
    expect(logged.join('')).not.toContain(given)
  })
})

test.each([
  ['http://127.0.0.1:8402', 'http://127.0.0.1:8402'],
  ['http://0.0.0.0:8402', 'http://127.0.0.1:8402'],
  ['http://[::]:8402', 'http://[::1]:8402'],
])('a gateway that listens on %s is found at %s', async (address, found) => {
  const { announce } = await open()
  await announce(address)
  expect(JSON.parse(await readFile(operatorFile(folder), 'utf8'))).toMatchObject({ url: found })
})
