import { isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../platform/chain/dev-accounts.ts'
import { CommandError } from '../command-error.ts'
import { readSecretFile } from '../secret-file.ts'
import type { PaymentOptions } from './payment-options.ts'

/** The wallet that pays. Only its address is ever printed, never its key. */

/**
 * Reads the wallet that the options name, if any.
 * @throws CommandError when the file cannot be read or holds no private key.
 */
export async function readWallet({
  key,
  keyFile,
}: Pick<PaymentOptions, 'key' | 'keyFile'>): Promise<LocalAccount | undefined> {
  const privateKey = keyFile === undefined ? key : await readSecretFile(keyFile, 'key')
  if (privateKey === undefined) return undefined
  try {
    if (isHex(privateKey) && privateKey.length === 66) return privateKeyToAccount(privateKey)
  } catch {
    // The library's message contains the key, so it is not passed on.
  }
  throw new CommandError('That is not a private key: it must be 0x and 64 hex digits.')
}

/**
 * The published test wallet, for a server on this machine that takes payments on the test network.
 * @throws CommandError for any other: there the money is real, or the chain is not ours.
 */
export function testWalletFor(
  { requirement }: { readonly requirement: { readonly network: string } },
  url: string,
): LocalAccount {
  const isLocal = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)
  if (!isLocal || requirement.network !== 'eip155:84532') {
    throw new CommandError('Say which wallet pays: --key-file FILE or --key 0x…')
  }
  return privateKeyToAccount(devPayers[0].privateKey)
}
