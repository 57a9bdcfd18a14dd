import { getAddress, isAddress } from 'viem'

/** Writes an address, which the books keep in lower case, as wallets and explorers show it (EIP-55). */
export function checksummed(hex: string): string {
  return isAddress(hex, { strict: false }) ? getAddress(hex) : hex
}
