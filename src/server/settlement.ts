import { type Address, getAddress, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runEvery } from '../core/background.ts'
import type { Log } from '../core/log.ts'
import { noteGasCost } from '../doors/ledger/grouped-moves.ts'
import {
  noteWalletFailure,
  noteWalletSettled,
  readWalletRecord,
} from '../doors/ledger/wallets/wallet-records.ts'
import { GasBook } from '../doors/x402/settler/gas-book.ts'
import { createSettlerMetrics } from '../doors/x402/settler/metrics.ts'
import type { WalletRecords } from '../doors/x402/settler/wallets/wallet-gate.ts'
import { type BuilderCode, createBuilderCode } from '../doors/x402/wire/builder-code.ts'
import type { Offer } from '../doors/x402/wire/requirements.ts'
import type { Metrics } from '../edge/http/metrics.ts'
import { devPayTo } from '../platform/chain/dev-accounts.ts'
import type { Settings } from '../platform/config/config.ts'
import { settlementTimeoutOf } from '../platform/config/facilitator-config.ts'
import type { Books } from '../platform/store/books.ts'
import { createSharedAccounts, type SharedAccounts } from './accounts.ts'
import type { Closers } from './closers.ts'
import { createFacilitators, type Facilitators } from './facilitators.ts'
import type { Foundation } from './foundation.ts'
import { createListingSettlement, type ListingSettlement } from './listing.ts'

/** The facilitator, the network and the receiving address of all payments. */
export interface Settlement extends Pick<Facilitators, 'facilitator'> {
  /** The longest time that one settlement may take. */
  readonly settlementTimeoutMs: number
  readonly offer: Offer
  readonly builderCode: BuilderCode | undefined
  /** The account that pays refunds; undefined where none does. */
  readonly refundAccount: LocalAccount | undefined
  readonly gasBook: GasBook
  /** Undefined where no other gateway can be. */
  readonly sharedAccounts: SharedAccounts | undefined
  readonly listing: ListingSettlement
}

const gasBookIntervalMs = 10_000

export function createSettlement({
  settings: { config, secrets },
  foundation: { client, settlementClient, watchClient, network },
  books,
  metrics,
  closers,
  log,
}: {
  readonly settings: Settings
  readonly foundation: Foundation
  readonly books: Books
  readonly metrics: Metrics
  readonly closers: Closers
  readonly log: Log
}): Settlement {
  const builderCode = config.builderCode === undefined ? undefined : createBuilderCode(config.builderCode)
  const refundAccount = readRefundAccount({ config, secrets })
  const { chainId } = network
  const gasBook = new GasBook({
    client,
    chainId,
    write: (row) => noteGasCost(books, row),
    clock: books.clock,
    log,
  })
  // Closed after the facilitator, whose last transactions it notes.
  closers.add(
    () => gasBook.close(),
    runEvery(() => gasBook.flush(), gasBookIntervalMs, log),
  )
  const sharedAccounts = createSharedAccounts({ config, books, client, network, closers, log })
  const { facilitator, closeFacilitator } = createFacilitators({
    facilitators: config.facilitators,
    secrets,
    client,
    settlementClient,
    watchClient,
    network,
    builderCode,
    refunder: refundAccount?.address,
    gasBook,
    sharedAccounts,
    walletRecords: recordsIn(books, chainId),
    metrics: createSettlerMetrics(metrics.registry),
    log,
  })
  closers.add(closeFacilitator)
  const payTo = getAddress(config.payTo ?? devPayTo.address)
  const offer = { network, payTo, upto: facilitator.uptoAddress }
  const settlementTimeoutMs = settlementTimeoutOf(config.facilitators)
  const { registry } = metrics
  const listing = createListingSettlement({ config, secrets, client, network, registry })
  return {
    facilitator,
    settlementTimeoutMs,
    offer,
    builderCode,
    refundAccount,
    gasBook,
    sharedAccounts,
    listing,
  }
}

/** What these books know of wallet contracts. */
export function recordsIn(books: Books, chainId: number): WalletRecords {
  const walletOf = (address: Address, kind: string) => ({ chainId, address: address.toLowerCase(), kind })
  return {
    read: (address, kind) => readWalletRecord(books, walletOf(address, kind)),
    noteFailure: (address, kind, isHeavy) => noteWalletFailure(books, walletOf(address, kind), isHeavy),
    noteSettled: (kind) => noteWalletSettled(books, { chainId, kind }),
  }
}

/** On the local chain, the receiving test account also pays refunds. */
function readRefundAccount({ config, secrets }: Settings): LocalAccount | undefined {
  const key = secrets.refundKey ?? (config.chain.kind === 'local' ? devPayTo.privateKey : undefined)
  return key === undefined ? undefined : privateKeyToAccount(key)
}
