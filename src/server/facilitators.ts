import type { Address, PublicClient } from 'viem'
import type { Log } from '../core/log.ts'
import type { AccountRegistry } from '../doors/x402/accounts/registry.ts'
import { createCdpFacilitator } from '../doors/x402/facilitators/cdp.ts'
import { Failover } from '../doors/x402/facilitators/failover.ts'
import { LateFacilitator, type OpenFacilitator } from '../doors/x402/facilitators/late.ts'
import { createLocalFacilitator } from '../doors/x402/facilitators/local.ts'
import { RemoteFacilitator } from '../doors/x402/facilitators/remote.ts'
import type { UptoAccounts } from '../doors/x402/facilitators/verify-upto.ts'
import { openCdpSigner } from '../doors/x402/settler/cdp-signer.ts'
import type { GasBook } from '../doors/x402/settler/gas-book.ts'
import type { SettlerMetrics } from '../doors/x402/settler/metrics.ts'
import { PayerCodeCache } from '../doors/x402/settler/payer-code-cache.ts'
import { createKeySigner, type Signer } from '../doors/x402/settler/sender.ts'
import { Settler } from '../doors/x402/settler/settler.ts'
import type { WalletRecords } from '../doors/x402/settler/wallets/wallet-gate.ts'
import type { BuilderCode } from '../doors/x402/wire/builder-code.ts'
import type { Facilitator } from '../doors/x402/wire/facilitator.ts'
import { devSettler } from '../platform/chain/dev-accounts.ts'
import type { Network } from '../platform/chain/networks.ts'
import { requireSetting } from '../platform/config/config-error.ts'
import type { FacilitatorConfig, FacilitatorConfigs } from '../platform/config/facilitator-config.ts'
import type { Secrets } from '../platform/config/secrets.ts'
import type { SharedAccounts } from './accounts.ts'

/** Who verifies and settles payments, as the settings name them. */
export interface Facilitators {
  /** The only one, or several as one. */
  readonly facilitator: Facilitator
  /** Waits for the settlements under way. */
  closeFacilitator(): Promise<void>
}

interface FacilitatorsOptions {
  readonly facilitators: FacilitatorConfigs
  readonly secrets: Pick<Secrets, 'settlerKeys' | 'cdpApiKey' | 'cdpWalletSecret'>
  readonly client: PublicClient
  /** For the transactions of the local facilitator. */
  readonly settlementClient: PublicClient
  /** For their gas price and the balances of the accounts that send them. */
  readonly watchClient: PublicClient
  readonly network: Network
  readonly builderCode: BuilderCode | undefined
  /** The account that pays refunds; undefined where none does. */
  readonly refunder: Address | undefined
  readonly gasBook: GasBook
  /** Undefined where no other gateway can be. */
  readonly sharedAccounts: SharedAccounts | undefined
  readonly walletRecords: WalletRecords
  readonly metrics: SettlerMetrics
  readonly log: Log
}

export function createFacilitators(options: FacilitatorsOptions): Facilitators {
  const { client, log } = options
  const parts = options.facilitators.map((config) => createOne(config, options))
  const [only, ...others] = parts.map(({ facilitator }) => facilitator)
  if (!only) throw new Error('no facilitator is configured')
  return {
    facilitator: others.length > 0 ? new Failover({ facilitators: [only, ...others], client, log }) : only,
    closeFacilitator: async () => void (await Promise.all(parts.map((part) => part.closeFacilitator()))),
  }
}

function createOne(config: FacilitatorConfig, options: FacilitatorsOptions): Facilitators {
  const { client, network } = options
  const extensions = options.builderCode?.declared
  switch (config.kind) {
    case 'remote': {
      const { url, timeoutMs } = config
      return overHttp(new RemoteFacilitator({ url, timeoutMs, extensions, client, network }))
    }
    case 'cdp': {
      const { apiUrl, timeoutMs } = config
      const apiKey = requireSetting(options.secrets.cdpApiKey, 'CDP_API_KEY_ID')
      return overHttp(createCdpFacilitator({ apiUrl, apiKey, timeoutMs, extensions, client, network }))
    }
    case 'local':
      return createLocal(config, options)
  }
}

function overHttp(facilitator: Facilitator): Facilitators {
  return { facilitator, closeFacilitator: async () => {} }
}

function createLocal(
  config: FacilitatorConfig & { kind: 'local' },
  {
    secrets,
    client,
    settlementClient,
    watchClient,
    network,
    builderCode,
    refunder,
    gasBook,
    sharedAccounts,
    walletRecords,
    metrics,
    log,
  }: FacilitatorsOptions,
): Facilitators {
  const { settler: settings, settlementTimeoutMs } = config
  const open = (...signers: readonly Signer[]): OpenFacilitator => {
    const payers = new PayerCodeCache(client)
    for (const { address } of signers) gasBook.addAccount(address)
    const settler = new Settler({
      client: settlementClient,
      watchClient,
      network,
      signers,
      rights: sharedAccounts?.registry,
      payers,
      timeoutMs: settlementTimeoutMs,
      replaceAfterMs: Math.min(12_000, settlementTimeoutMs / 2),
      maxFeePerGas: config.maxGasPriceWei,
      gasTerms: { maxSharePercent: config.maxGasSharePercent, ethPrice: config.ethPrice },
      walletRecords,
      warnBelow: BigInt(config.gasWarningPayments),
      dataSuffix: builderCode?.suffix,
      refunder,
      gasBook,
      metrics,
      log,
    })
    const accounts = sharedAccounts && uptoAccounts(sharedAccounts.registry, settler)
    const local = createLocalFacilitator({ client, network, settler, payers, accounts })
    const facilitator = sharedAccounts?.share(local, settler) ?? local
    return { facilitator, close: () => settler.close() }
  }
  if (settings.kind !== 'cdp') {
    const { facilitator, close } = open(...accountsOf(settings.kind, secrets))
    return { facilitator, closeFacilitator: close }
  }
  const facilitator = new LateFacilitator('local', async () => {
    const signer = await openCdpSigner({
      ...settings,
      apiKey: requireSetting(secrets.cdpApiKey, 'CDP_API_KEY_ID'),
      walletSecret: requireSetting(secrets.cdpWalletSecret, 'CDP_WALLET_SECRET'),
    })
    log.info({ account: settings.name, address: signer.address }, 'a CDP server wallet signs settlements')
    const opened = open(signer)
    await sharedAccounts?.registry.renew()
    return opened
  })
  return { facilitator, closeFacilitator: () => facilitator.close() }
}

/** Before a gateway has looked at the others, it names an account of its own. */
function uptoAccounts(registry: AccountRegistry, settler: Settler): UptoAccounts {
  return {
    uptoAddress: () => registry.named() ?? settler.uptoAddress(),
    accepts: (account) => registry.accepts(account),
  }
}

function accountsOf(kind: 'keys' | 'test-account', { settlerKeys }: Pick<Secrets, 'settlerKeys'>): Signer[] {
  const keys = kind === 'keys' ? settlerKeys : [devSettler.privateKey]
  return keys.map((key) => createKeySigner(key))
}
