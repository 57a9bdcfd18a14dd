import { afterAll, expect, test } from 'vitest'
import { FolderLockedError, lockFolder } from '../../../src/platform/store/embedded/folder-lock.ts'
import { temporaryFolder } from '../../support/chain/chain.ts'

const { folder, remove } = await temporaryFolder()
afterAll(remove)

test('a folder is held by one at a time, and is free again once it is let go', () => {
  const release = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderLockedError)
  release()
  lockFolder(folder)()
})
