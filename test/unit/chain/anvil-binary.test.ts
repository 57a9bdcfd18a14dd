import { accessSync, constants } from 'node:fs'
import { expect, test } from 'vitest'
import { anvilBinary } from '../../../src/platform/chain/local/anvil-binary.ts'
import { DevChainError } from '../../../src/platform/chain/local/dev-chain.ts'

test('anvil is found as an executable file', () => {
  expect(() => accessSync(anvilBinary(), constants.X_OK)).not.toThrow()
})

test('where anvil is not installed, the error says to install it or to set RPC_URL', () => {
  const another = process.platform === 'win32' ? 'linux' : 'win32'

  expect(() => anvilBinary(another, 'x64')).toThrow(DevChainError)
  expect(() => anvilBinary(another, 'x64')).toThrow(/npm install --include=optional.*RPC_URL/)
})

test('where anvil does not exist, the error says to set RPC_URL', () => {
  expect(() => anvilBinary('sunos', 'x64')).toThrow(/does not exist for sunos x64.*RPC_URL/)
})
