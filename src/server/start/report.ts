import { formatEther } from 'viem'
import type { Log } from '../../core/log.ts'
import type { SettlerAccount } from '../../doors/x402/wire/facilitator.ts'
import type { Settlement } from '../settlement.ts'

/**
 * Says at the start where the money goes and who settles, for how many payments its gas lasts. An operator sees
 * a wrong recipient or an empty account here, and not from the first payers.
 */
export function logPayments(settlement: Settlement, whyNotReady: string | undefined, log: Log): void {
  const { network, payTo } = settlement.offer
  const settlers = settlement.facilitator.settlers().map(({ id, accounts }) => ({
    facilitator: id,
    accounts: accounts.map(({ address, gas }) => ({
      address,
      ...(gas && { balanceEth: formatEther(gas.balanceWei), runwayPayments: gas.runwayPayments.toString() }),
    })),
  }))
  log.info(
    { network: network.name, payTo, settlers, whyNotReady },
    'payments go to this account and are settled by these',
  )
}

/** The same for people, a line each. */
export function describePayments(settlement: Settlement, whyNotReady: string | undefined): string[] {
  const { network, payTo } = settlement.offer
  return [
    `Payments on ${network.name} go to ${payTo}`,
    ...settlement.facilitator
      .settlers()
      .flatMap(({ id, accounts }) =>
        accounts.length === 0
          ? [`Settled by ${id}`]
          : accounts.map((account) => `Settled by ${id} from ${describeAccount(account)}`),
      ),
    ...(whyNotReady === undefined ? [] : [`Payments cannot be taken now: ${whyNotReady}`]),
  ]
}

function describeAccount({ address, gas }: SettlerAccount): string {
  if (!gas) return address
  const runway = gas.runwayPayments.toLocaleString('en-US')
  const warning = { enough: '', low: ' (low)', out: ' (out of gas)' }[gas.state]
  return `${address}, with ${formatEther(gas.balanceWei)} ETH for ${runway} payments${warning}`
}
