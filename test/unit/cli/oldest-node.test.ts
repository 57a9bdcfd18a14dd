import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { projectRoot } from '../../support/gateways/process.ts'

test('the command tells an older Node that it is one, in a line', () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'src/cli/cli.ts', 'mcp'],
    { cwd: projectRoot, encoding: 'utf8' },
  )
  expect([status, stderr, stdout]).toEqual([
    1,
    'tollgate needs Node 22.19 or later, and this is Node 20.20.2.\n',
    '',
  ])
})
