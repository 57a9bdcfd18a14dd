import type { Log } from '../../core/log.ts'
import { keysOfAnyNetwork, type OtherNetwork, otherNetworks } from '../../doors/ledger/other-networks.ts'
import { type Network, nameOfNetwork } from '../../platform/chain/networks.ts'
import type { Books } from '../../platform/store/books.ts'

/**
 * Says at the start what the books hold of other networks. Its holders find their keys unknown and their
 * payments unserved, and the operator should know why before they ask.
 */
export async function reportOtherNetworks(
  books: Books,
  network: Network,
  log: Log,
  progress: (line: string) => void,
): Promise<void> {
  let others: OtherNetwork[]
  let unbound = 0
  try {
    const found = await otherNetworks(books, network.chainId)
    others = found.filter(({ payments, keys }) => payments + keys > 0)
    if (others.length > 0) unbound = await keysOfAnyNetwork(books)
  } catch (error) {
    // Nothing depends on these counts, and books with millions of payments may take too long to count.
    log.warn({ err: error }, 'what the books hold of other networks could not be counted')
    return
  }
  for (const other of others) {
    log.warn(
      { network: network.name, ...other },
      'the books hold sales of another network, which are not honored',
    )
    progress(`The books also hold ${holdings(other)} valid on ${nameOfNetwork(other.chainId)} only.`)
  }
  if (unbound > 0) {
    log.warn({ keys: unbound }, 'keys from before keys had a network are accepted on every network')
    progress(`${counted(unbound, 'key')} from before keys had a network: accepted on every network.`)
  }
}

function holdings({ payments, owed, open, keys }: OtherNetwork): string {
  const parts = [
    ...(payments > 0 ? [`${counted(payments, 'payment')} (${owed} owed, ${open} open)`] : []),
    ...(keys > 0 ? [counted(keys, 'key')] : []),
  ]
  return `${parts.join(' and ')} that ${payments + keys === 1 ? 'is' : 'are'}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
