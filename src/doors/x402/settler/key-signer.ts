import secp256k1 from 'secp256k1'
import { type Hex, hexToBytes, keccak256, serializeTransaction, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Signer } from './sender.ts'

/**
 * A gas account whose key is in this process. It signs with libsecp256k1: in JavaScript a signature takes
 * half a millisecond, during which no other call moves.
 */
export function createKeySigner(privateKey: Hex): Signer {
  const key = hexToBytes(privateKey)
  return {
    address: privateKeyToAddress(privateKey),
    async signTransaction(transaction) {
      // The nonce of the signature follows from key and hash (RFC 6979), as wallets have it.
      const { signature, recid } = secp256k1.ecdsaSign(
        keccak256(serializeTransaction(transaction), 'bytes'),
        key,
      )
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
      return serializeTransaction(transaction, { r: toHex(r), s: toHex(s), yParity: recid })
    },
  }
}
