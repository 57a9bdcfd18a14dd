import type { SharedAccount } from '../../ledger/settling/accounts.ts'

interface Shares {
  readonly accounts: readonly Pick<SharedAccount, 'address' | 'owner'>[]
  readonly others: readonly { readonly gateway: string; readonly accounts: readonly string[] }[]
}

/**
 * Chooses an account to give to another gateway. Without this the gateway that started first would keep all
 * accounts, and each payment of the others would take a detour. Only a gateway that holds at least two fewer gets
 * one, so two gateways never give an account back and forth.
 * @param held how many accounts this gateway holds.
 * @param idle those of them that may be given away. The last registered goes first: the 402 names the first one.
 */
export function chooseGift(
  { accounts, others }: Shares,
  held: number,
  idle: readonly string[],
): { readonly address: string; readonly to: string } | undefined {
  const countOf = (gateway: string) => accounts.filter(({ owner }) => owner === gateway).length
  const poorer = others
    .map((other) => ({ ...other, count: countOf(other.gateway) }))
    .filter(({ count }) => count + 2 <= held)
    .sort((one, other) => one.count - other.count)
  for (const { gateway, accounts: keys } of poorer) {
    const address = accounts
      .map((account) => account.address)
      .findLast((one) => idle.includes(one) && keys.includes(one))
    if (address !== undefined) return { address, to: gateway }
  }
  return undefined
}
