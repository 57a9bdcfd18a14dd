import { afterAll, expect, test } from 'vitest'
import { FolderLockedError, lockFolder } from '../../../src/platform/store/embedded/folder-lock.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

const { folder, remove } = await temporaryFolder()
afterAll(remove)

test('one holder at a time can lock a folder, and another one after its release', () => {
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderLockedError)
  release()
  lockFolder(folder)()
})
