import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { devAccounts, isDevAccount } from '../../../src/platform/chain/dev-accounts.ts'

test("the test accounts are the ten of anvil's mnemonic, in its order", () => {
  const mnemonic = 'test test test test test test test test test test test junk'
  const derived = Array.from({ length: 10 }, (_, addressIndex) => {
    const account = mnemonicToAccount(mnemonic, { addressIndex })
    const key = account.getHdKey().privateKey
    return { address: account.address, privateKey: key && toHex(key) }
  })

  expect(devAccounts).toEqual(derived)
})

test('a test key is recognized in any letter case', () => {
  const [{ privateKey } = { privateKey: '' }] = devAccounts

  expect(isDevAccount(privateKey)).toBe(true)
  expect(isDevAccount(`0x${privateKey.slice(2).toUpperCase()}`)).toBe(true)
  expect(isDevAccount(`0x${'1'.repeat(64)}`)).toBe(false)
})
