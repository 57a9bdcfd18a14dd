import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { compileContracts } from '../../../src/platform/chain/local/compile.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

let cacheDir: string
let remove: () => Promise<void>
beforeEach(async () => {
  const { folder, remove: removeIt } = await temporaryFolder()
  cacheDir = folder
  remove = removeIt
  await writeFile(join(folder, 'Empty.sol'), 'pragma solidity ^0.8.26; contract Empty {}')
})
afterEach(() => remove())

let runs = 0
const compile = async () => {
  runs = 0
  const folder = pathToFileURL(`${cacheDir}/`)
  const onCompile = () => {
    runs += 1
  }
  const { Empty } = await compileContracts(['Empty'], {
    folder,
    cacheDir,
    log: createLog('silent'),
    onCompile,
  })
  return Empty
}

test('a contract is compiled once, until its source changes', async () => {
  const first = await compile()
  expect(runs).toBe(1)

  expect(await compile()).toBe(first)
  expect(runs).toBe(0)

  await writeFile(
    join(cacheDir, 'Empty.sol'),
    'pragma solidity ^0.8.26; contract Empty { uint256 public one = 1; }',
  )
  expect(await compile()).not.toBe(first)
  expect(runs).toBe(1)
})

test('a broken file in the cache is replaced, not used', async () => {
  const first = await compile()
  const [kept = ''] = (await readdir(cacheDir)).filter((file) => file.startsWith('contracts-'))
  await writeFile(join(cacheDir, kept), '{"Empty":"0x60')

  expect(await compile()).toBe(first)
  expect(runs).toBe(1)
  expect(await compile()).toBe(first)
  expect(runs).toBe(0)
})

test("a source that does not compile is refused with the compiler's message", async () => {
  await writeFile(join(cacheDir, 'Empty.sol'), 'pragma solidity ^0.8.26; contract Empty { nonsense }')

  await expect(compile()).rejects.toThrow(/ParserError: .*Empty\.sol/s)
})
