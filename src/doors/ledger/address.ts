import { getAddress, isAddress } from 'viem'

/** An address of the books, which keep lower-case hex, in the spelling that wallets and explorers show (EIP-55). */
export function checksummed(hex: string): string {
  return isAddress(hex, { strict: false }) ? getAddress(hex) : hex
}
