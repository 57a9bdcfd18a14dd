import {
  type Address,
  type Hex,
  isAddressEqual,
  isHex,
  keccak256,
  parseTransaction,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import type { CdpWalletConfig } from '../../../platform/config/secrets.ts'
import { isSameHex } from '../wire/types.ts'
import { CdpWallets } from './cdp-wallets.ts'
import type { Signer } from './sender.ts'

/**
 * Opens a CDP server wallet as a settlement account. Its key stays with Coinbase, so an attacker who breaks
 * into this machine cannot take it. Each signature is checked before it is used: one over another
 * transaction, or by another key, would put the account's nonces out of step.
 * @throws Error when the account can be neither found nor made in time.
 */
export async function openCdpSigner(config: CdpWalletConfig): Promise<Signer> {
  const wallets = await CdpWallets.load(config)
  const address = await wallets.openAccount(config.name)
  return {
    address,
    async signTransaction(transaction) {
      const signed = await wallets.sign(address, serializeTransaction(transaction))
      if (!isHex(signed) || !(await isSignedBy(address, transaction, signed))) {
        throw new Error('the CDP server wallet signed another transaction than the one requested')
      }
      return signed
    },
  }
}

/** Whether `signed` is this very transaction with a signature of this account. */
async function isSignedBy(
  address: Address,
  transaction: TransactionSerializable,
  signed: Hex,
): Promise<boolean> {
  const { r, s, yParity } = parseTransaction(signed)
  if (!r || !s || yParity === undefined) return false
  if (!isSameHex(serializeTransaction(transaction, { r, s, yParity }), signed)) return false
  const hash = keccak256(serializeTransaction(transaction))
  return isAddressEqual(await recoverAddress({ hash, signature: { r, s, yParity } }), address)
}
