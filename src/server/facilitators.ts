import type { PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import { createCdpFacilitator } from '../doors/x402/facilitators/cdp.ts'
import { createFailover } from '../doors/x402/facilitators/failover.ts'
import { createLocalFacilitator } from '../doors/x402/facilitators/local.ts'
import { createRemoteFacilitator } from '../doors/x402/facilitators/remote.ts'
import { openCdpAccount } from '../doors/x402/settler/cdp-signer.ts'
import type { SettlerMetrics } from '../doors/x402/settler/metrics.ts'
import { PayerCodeCache } from '../doors/x402/settler/payer-code-cache.ts'
import type { Signer } from '../doors/x402/settler/sender.ts'
import { createKeySigner } from '../doors/x402/settler/sender.ts'
import { Settler } from '../doors/x402/settler/settler.ts'
import type { BuilderCode } from '../doors/x402/wire/builder-code.ts'
import { type Facilitator, PaymentsUnavailable } from '../doors/x402/wire/facilitator.ts'
import { devSettler } from '../platform/chain/dev-accounts.ts'
import type { Network } from '../platform/chain/networks.ts'
import type { Config, FacilitatorConfig, SettlerConfig } from '../platform/config/config.ts'

/** Who verifies and settles, put together from the settings. */
export interface Facilitators {
  /** The one the settings name, or several behind one. */
  readonly facilitator: Facilitator
  /** Longest time one settlement may take, should all of them be tried. */
  readonly settlementTimeoutMs: number
  /** Waits for the settlements under way. */
  closeFacilitator(): Promise<void>
}

interface FacilitatorsOptions {
  readonly facilitators: Config['facilitators']
  readonly client: PublicClient
  readonly network: Network
  readonly builderCode: BuilderCode | undefined
  readonly metrics: SettlerMetrics
  readonly log: Log
}

export function createFacilitators(options: FacilitatorsOptions): Facilitators {
  const { client, log } = options
  const parts = options.facilitators.map((named) => createOne(named, options))
  const [only, ...others] = parts.map(({ facilitator }) => facilitator)
  if (!only) throw new Error('no facilitator is configured')
  return {
    facilitator: others.length > 0 ? createFailover({ facilitators: [only, ...others], client, log }) : only,
    settlementTimeoutMs: parts.reduce((sum, part) => sum + part.settlementTimeoutMs, 0),
    closeFacilitator: async () => void (await Promise.all(parts.map((part) => part.closeFacilitator()))),
  }
}

function createOne(named: FacilitatorConfig, options: FacilitatorsOptions): Facilitators {
  const { client, network } = options
  const extensions = options.builderCode?.declared
  switch (named.kind) {
    case 'remote': {
      const { url, timeoutMs } = named
      return overHttp(createRemoteFacilitator({ url, timeoutMs, extensions, client, network }), timeoutMs)
    }
    case 'cdp': {
      const { apiUrl, apiKey, timeoutMs } = named
      return overHttp(
        createCdpFacilitator({ apiUrl, apiKey, timeoutMs, extensions, client, network }),
        timeoutMs,
      )
    }
    case 'local':
      return createLocal(named, options)
  }
}

/** It may use its time up twice: for its own answer, and until the chain shows what it named. */
function overHttp(facilitator: Facilitator, timeoutMs: number): Facilitators {
  return { facilitator, settlementTimeoutMs: 2 * timeoutMs, closeFacilitator: async () => {} }
}

function createLocal(
  named: FacilitatorConfig & { kind: 'local' },
  { client, network, builderCode, metrics, log }: FacilitatorsOptions,
): Facilitators {
  const { settler: settings, settlementTimeoutMs } = named
  const open = (...signers: readonly Signer[]) => {
    const payers = new PayerCodeCache(client)
    const settler = new Settler({
      client,
      network,
      signers,
      payers,
      timeoutMs: settlementTimeoutMs,
      replaceAfterMs: Math.min(12_000, settlementTimeoutMs / 2),
      maxFeePerGas: named.maxGasPriceWei,
      dataSuffix: builderCode?.suffix,
      metrics,
      log,
    })
    const facilitator = createLocalFacilitator({ client, network, settler, payers })
    return { facilitator, settlementTimeoutMs, closeFacilitator: () => settler.close() }
  }
  if (settings.kind !== 'cdp') return open(...accountsOf(settings))

  const { facilitator, close } = createLate('local', async () => {
    // The SDK would report what we do, and with which key, to a server of Coinbase's that nobody configured.
    process.env.DISABLE_CDP_USAGE_TRACKING = 'true'
    process.env.DISABLE_CDP_ERROR_REPORTING = 'true'
    const account = await openCdpAccount(settings)
    log.info({ account: settings.name, address: account.address }, 'a CDP server wallet signs settlements')
    return open(account)
  })
  // Each signature is an answer waited for.
  return {
    facilitator,
    settlementTimeoutMs: settlementTimeoutMs + settings.timeoutMs,
    closeFacilitator: close,
  }
}

function accountsOf(settings: Exclude<SettlerConfig, { kind: 'cdp' }>): Signer[] {
  const keys = settings.kind === 'keys' ? settings.keys : [devSettler.privateKey]
  return keys.map((key) => createKeySigner(key))
}

/**
 * A facilitator that takes an answer from somebody else to set up. The gateway starts without it, as it
 * does while any facilitator is away, and each look at its readiness tries again.
 */
function createLate(
  id: string,
  open: () => Promise<Facilitators>,
): { facilitator: Facilitator; close: () => Promise<void> } {
  let opened: Facilitators | undefined
  let opening: Promise<Facilitators> | undefined
  const facilitator: Facilitator = {
    id,
    uptoAddress: () => opened?.facilitator.uptoAddress(),
    async verify(payment, requirement) {
      if (!opened) throw new PaymentsUnavailable('the settlement account is not there yet')
      return opened.facilitator.verify(payment, requirement)
    },
    async settle(payment, requirement, attempt) {
      if (!opened) return { outcome: 'unknown', cause: new Error('the settlement account is not there yet') }
      return opened.facilitator.settle(payment, requirement, attempt)
    },
    async checkReady() {
      try {
        opening ??= open()
        opened = await opening
      } catch (cause) {
        opening = undefined
        throw new PaymentsUnavailable('the settlement account cannot be reached', { cause })
      }
      await opened.facilitator.checkReady()
    },
  }
  return { facilitator, close: async () => opened?.closeFacilitator() }
}
