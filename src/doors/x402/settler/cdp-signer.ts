import {
  type Address,
  isAddressEqual,
  isHex,
  keccak256,
  type LocalAccount,
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { toAccount } from 'viem/accounts'
import type { CdpWalletConfig } from '../../../platform/config/config.ts'
import { isSameHex } from '../wire/types.ts'
import { within } from './within.ts'

/**
 * A CDP server wallet as a viem account that signs settlements: its key stays with Coinbase, so nobody who
 * breaks into this machine can take it along. What comes back is checked before it is used: a signature
 * over another transaction, or by another key, would put the account's nonces out of step.
 *
 * Coinbase's SDK reports its use to Coinbase unless the environment says DISABLE_CDP_USAGE_TRACKING=true and
 * DISABLE_CDP_ERROR_REPORTING=true; whoever calls this sees to it.
 * @throws Error when the account can be neither found nor made within `timeoutMs`.
 */
export async function openCdpAccount(wallet: CdpWalletConfig): Promise<LocalAccount> {
  const { name, apiUrl, apiKey, walletSecret, timeoutMs } = wallet
  const late = `CDP has not answered within ${timeoutMs} ms`
  // Loaded only by those who use it: 1.5 s of the start and 90 MB.
  const { CdpClient } = await import('@coinbase/cdp-sdk')
  const cdp = new CdpClient({
    apiKeyId: apiKey.id,
    apiKeySecret: apiKey.secret,
    walletSecret,
    basePath: `${apiUrl}/platform`,
  })
  const account = await within(timeoutMs, cdp.evm.getOrCreateAccount({ name }), late)
  const { address } = account

  return toAccount({
    address,
    async signTransaction(transaction) {
      const signed = await within(timeoutMs, account.signTransaction(transaction), late)
      if (!isHex(signed) || !(await isSignedBy(address, transaction, signed))) {
        throw new Error('the CDP server wallet has not signed the transaction it was given')
      }
      return signed
    },
    signMessage: refuse,
    signTypedData: refuse,
  })
}

/** Whether `signed` is this very transaction with a signature of this account. */
async function isSignedBy(
  address: Address,
  transaction: TransactionSerializable,
  signed: `0x${string}`,
): Promise<boolean> {
  const { r, s, yParity } = parseTransaction(signed)
  if (!r || !s || yParity === undefined) return false
  if (!isSameHex(serializeTransaction(transaction, { r, s, yParity }), signed)) return false
  const hash = keccak256(serializeTransaction(transaction))
  return isAddressEqual(await recoverAddress({ hash, signature: { r, s, yParity } }), address)
}

function refuse(): never {
  throw new Error('the settlement account signs nothing but transactions')
}
