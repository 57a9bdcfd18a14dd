import { getAddress } from 'viem'
import type { Log } from '../core/log.ts'
import { createSettlerMetrics } from '../doors/x402/settler/metrics.ts'
import { type BuilderCode, createBuilderCode } from '../doors/x402/wire/builder-code.ts'
import type { Offer } from '../doors/x402/wire/requirements.ts'
import type { Metrics } from '../edge/http/metrics.ts'
import { devPayTo } from '../platform/chain/dev-accounts.ts'
import type { Settings } from '../platform/config/config.ts'
import { settlementTimeoutOf } from '../platform/config/facilitator-config.ts'
import type { Closers } from './closers.ts'
import { createFacilitators, type Facilitators } from './facilitators.ts'
import type { Foundation } from './foundation.ts'

/** The facilitator, the network and the receiving address of all payments. */
export interface Settlement extends Pick<Facilitators, 'facilitator'> {
  /** The longest time that one settlement may take. */
  readonly settlementTimeoutMs: number
  readonly offer: Offer
  readonly builderCode: BuilderCode | undefined
}

export function createSettlement({
  settings: { config, secrets },
  foundation: { client, network },
  metrics,
  closers,
  log,
}: {
  readonly settings: Settings
  readonly foundation: Foundation
  readonly metrics: Metrics
  readonly closers: Closers
  readonly log: Log
}): Settlement {
  const builderCode = config.builderCode === undefined ? undefined : createBuilderCode(config.builderCode)
  const { facilitator, closeFacilitator } = createFacilitators({
    facilitators: config.facilitators,
    secrets,
    client,
    network,
    builderCode,
    metrics: createSettlerMetrics(metrics.registry),
    log,
  })
  closers.add(closeFacilitator)
  const payTo = getAddress(config.payTo ?? devPayTo.address)
  const offer = { network, payTo, upto: facilitator.uptoAddress }
  const settlementTimeoutMs = settlementTimeoutOf(config.facilitators)
  return { facilitator, settlementTimeoutMs, offer, builderCode }
}
