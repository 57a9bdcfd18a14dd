import { type Address, isAddress } from 'viem'
import type { Network } from '../../../platform/chain/networks.ts'
import { PaymentsUnavailable } from '../wire/facilitator.ts'
import { isSameHex } from '../wire/types.ts'
import type { FacilitatorHttp, Supported } from './http.ts'

/**
 * Reads what a facilitator over HTTP settles on our network. It has to settle `exact`. Only this list says
 * whether it settles `upto` too, and from which account; payers sign that account.
 * @throws PaymentsUnavailable when it does not answer, or does not settle `exact` on this network.
 */
export async function readSupported(
  facilitator: Pick<FacilitatorHttp, 'supported'>,
  network: Network,
): Promise<Supported> {
  const supported = await ask(facilitator)
  if (!findKind(supported, 'exact', network)) {
    throw new PaymentsUnavailable(`the facilitator does not settle exact payments on ${network.caip2}`)
  }
  return supported
}

/**
 * The account that settles `upto`; undefined when the facilitator does not.
 * @param previous the one it named before. A facilitator with several accounts names another at each request,
 *   while payments are signed for the one in the 402, so the previous one stays for as long as it is among
 *   the accounts.
 */
export function uptoAccountOf(
  supported: Supported,
  network: Network,
  previous: Address | undefined,
): Address | undefined {
  const named = findKind(supported, 'upto', network)?.extra?.facilitatorAddress
  if (!named || !previous) return named
  return accountsOf(supported, network).some((account) => isSameHex(account, previous)) ? previous : named
}

/** The accounts that it settles from on our network; members that are no addresses are left out. */
export function accountsOf({ signers }: Supported, network: Network): readonly Address[] {
  const named = [...(signers[network.caip2] ?? []), ...(signers['eip155:*'] ?? [])]
  return [...new Set(named.filter((account) => isAddress(account, { strict: false })))]
}

function findKind({ kinds }: Supported, scheme: string, network: Network) {
  return kinds.find(
    (kind) => kind.x402Version === 2 && kind.scheme === scheme && kind.network === network.caip2,
  )
}

async function ask(facilitator: Pick<FacilitatorHttp, 'supported'>): Promise<Supported> {
  try {
    const { status, body } = await facilitator.supported()
    if (status < 200 || status >= 300) throw new Error(`the facilitator’s supported answers ${status}`)
    return body
  } catch (cause) {
    throw new PaymentsUnavailable('the facilitator does not answer', { cause })
  }
}
