import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import { type Caller, newKey, openScanScene, read, type ScanScene } from '../../support/scans/scan-scene.ts'

/** `tollgate scan` as a user types it, against a gateway in this process. */

let scene: ScanScene
let workplace: Workplace
let key: Caller
let keyFile: string

beforeAll(async () => {
  workplace = await openWorkplace()
  scene = await openScanScene({
    'shop.example': 'small',
    'refusing.example': ({ path }) => ({
      body: path === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : '',
    }),
  })
  keyFile = join(workplace.folder, 'key')
  key = await newKey(scene.gateway)
  await writeFile(keyFile, `${key['x-mcp-api-key']}\n`)
})
afterAll(async () => {
  await scene.close()
  await workplace.close()
})

const scan = (...args: string[]) =>
  workplace.run('cli', { args: ['scan', ...args, '--url', scene.gateway.url, '--key-file', keyFile] })

test('tollgate scan --json prints the body of GET results, and each step on standard error', async () => {
  const { code, stdout, stderr } = await scan('http://shop.example/', '--depth', 'light', '--json')

  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { scan: shown, results } = JSON.parse(stdout)
  expect((await read(scene.gateway, shown.id, 'results', key)).body).toEqual({ scan: shown, results })
  expect(stderr).toContain(`The scan of shop.example has started: scan ${shown.id}`)
  expect(stderr).toMatch(/^ {2}0 % {2}pending .*\n(.*\n)* *100 % {2}complete /m)
})

test('tollgate scan prints scores, areas and findings, and follows a running scan by its id', async () => {
  const started = await scan('http://shop.example/', '--depth', 'light', '--no-wait')
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })

  const { code, stdout } = await scan(started.stdout.trim())
  expect(code).toBe(0)
  expect(stdout).toMatch(/^shop\.example: readiness \d+, AEO \d+ \(scan [0-9a-f-]{36}\)$/m)
  expect(stdout).toMatch(/^Core snapshot +\d+ +\d+$/m)
  expect(stdout).toMatch(/^Main findings \(--json has all of them\):\n- \S/m)
  expect(stdout).toMatch(
    /^Steps in one message to whoever looks after the website \(points of readiness \/ AEO that each gains\):\n *\d+\. \S.* \([\d.]+ \/ [\d.]+\)$/m,
  )
  expect(stdout).toMatch(/^Steps of the owner \(.*\):\n *\d+\. \S.* \([\d.]+ \/ [\d.]+\)$/m)
  // A browser sends no key.
  expect(stdout).toContain('with what to paste or to send: --html FILE with the id of the scan, or --json.')
})

test('tollgate scan --html writes the report of a scan with a key as a page, which no browser can open otherwise', async () => {
  const started = await scan('http://shop.example/', '--depth', 'light', '--no-wait')
  const file = join(workplace.folder, 'report.html')
  const { code, stderr } = await scan(started.stdout.trim(), '--html', file)
  expect(code).toBe(0)
  expect(stderr).toContain(`The report is in ${file}.`)
  const page = await readFile(file, 'utf8')
  expect(page).toMatch(/Report on shop\.example[\s\S]+light scan: it looks at 1 of 12 areas/)
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await scan(started.stdout.trim(), '--html', '-')).stdout).toBe(page)
})

test('tollgate scan without a key names the page of the report', async () => {
  const args = ['scan', 'http://shop.example/', '--depth', 'light', '--url', scene.gateway.url]
  const { code, stdout } = await workplace.run('cli', { args })
  expect(code).toBe(0)
  const [, address = ''] =
    /to paste or to send: (http\S+) in a browser, --html FILE, or --json\.$/m.exec(stdout) ?? []
  const page = await fetch(address, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test('tollgate scan exits with 1 and says why a scan failed', async () => {
  const file = join(workplace.folder, 'no-report.html')
  const { code, stdout, stderr } = await scan('http://refusing.example/', '--html', file)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/error .*robots\.txt/)
  expect(stderr).toContain(`${file} was not written`)
  expect(existsSync(file)).toBe(false)
})

test.each([
  [['ftp://shop.example'], /INVALID_URL/],
  [['127.0.0.1'], /INVALID_URL/],
  [['shop.example', '--email', 'nobody'], /VALIDATION_ERROR\)\nemail /],
  [['shop.example', '--max-age', 'soon'], /max_age must be a whole number from 0 to 86400/],
  [['shop.example', '--depth', 'deep'], /light, basic, full/],
  [['4dfa1f0c-4f5e-4b6b-9f53-000000000000'], /SCAN_NOT_FOUND/],
  [['4dfa1f0c-4f5e-4b6b-9f53-00000000000'], /no whole id of a scan/],
  // Before a scan is started, which would use the quota.
  [['shop.example', '--html', tmpdir()], /is a folder\. Name a file in it\.\n$/],
  [['shop.example', '--html', join(tmpdir(), 'no-such-folder', 'report.html')], /cannot be written: ENOENT/],
  [['shop.example', '--html', join(tmpdir(), `${'x'.repeat(300)}.html`)], /cannot be written: ENAMETOOLONG/],
  [['shop.example', '--html', ''], /cannot be written: ENOENT/],
  [['shop.example', '--html', 'report.html', '--no-wait'], /cannot be used with option '--no-wait'/],
])('tollgate scan refuses %j with a reason', async (args, reason) => {
  const { code, stdout, stderr } = await scan(...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(reason)
})
