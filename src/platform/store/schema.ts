import type { ColumnType, Generated } from 'kysely'
import type { AuditRow, KeyRow, SigningKeyRow, UsageRow } from './rows/callers.ts'
import type { ChoreRow, ListingRow } from './rows/directory.ts'
import type { CostRow, MeteringRow, PayerRow, PaymentRow, ReleasedRunsRow } from './rows/payments.ts'
import type {
  BotKeyRow,
  PlaybookRow,
  ScanDayCategoryRow,
  ScanDayRow,
  ScanEventRow,
  ScanRow,
  SearchDocumentRow,
  SearchEntryRow,
} from './rows/scans.ts'
import type {
  GasCostRow,
  HandoverRow,
  ListingTurnRow,
  ReceivingAccountRow,
  ReconciledRow,
  SettlingAccountRow,
  SettlingGatewayRow,
  UnmatchedTransferRow,
  WalletRecordRow,
} from './rows/settlement.ts'
import type {
  OutboxRow,
  WebhookDeliveryRow,
  WebhookSubscriptionRow,
  WeeklyEventRow,
} from './rows/subscribers.ts'

/**
 * The tables of the durable store, as the code sees them; `migrations.ts` creates them. PostgreSQL and the
 * embedded PGlite return the same types, because `database.ts` tells both how to read `int8`.
 */
export interface Tables {
  payments: Omit<PaymentRow, 'replyHeaders' | 'onCredit' | 'searches'> & {
    /** Written as JSON text. */
    replyHeaders: ColumnType<Record<string, string> | null, string | null, string | null>
    onCredit: Generated<boolean>
    searches: Generated<number>
  }
  payers: PayerRow
  releasedRuns: ReleasedRunsRow
  /** Unmatched transfers. The table and the wire word `stranger` keep the name that stores in use have. */
  strangers: UnmatchedTransferRow
  receivingAccounts: ReceivingAccountRow
  settlingGateways: SettlingGatewayRow
  settlingAccounts: SettlingAccountRow
  handovers: HandoverRow
  reconciled: ReconciledRow
  usage: UsageRow
  meterings: MeteringRow
  costs: CostRow
  gasCosts: Omit<GasCostRow, 'wei'> & {
    /** Decimal text: one driver reads numeric as text, and the other as a number. */
    wei: ColumnType<string, string, string>
  }
  walletRecords: WalletRecordRow
  listingTurns: Omit<ListingTurnRow, 'extensionResponses'> & {
    /** Written as JSON text. */
    extensionResponses: ColumnType<ListingTurnRow['extensionResponses'], string | null, string | null>
  }
  audit: Omit<AuditRow, 'details' | 'result'> & {
    /** Written as JSON text. */
    details: ColumnType<AuditRow['details'], string, string>
    result: ColumnType<AuditRow['result'], string | null, string | null>
  }
  keys: KeyRow
  signingKeys: SigningKeyRow
  scans: Omit<ScanRow, 'analysis'> & {
    /** Written as JSON text. */
    analysis: ColumnType<unknown, string | null, string | null>
  }
  scanEvents: ScanEventRow
  playbooks: Omit<PlaybookRow, 'content'> & {
    /** Written as JSON text. */
    content: ColumnType<unknown, string | null, string | null>
  }
  botKeys: BotKeyRow
  outbox: Omit<OutboxRow, 'data'> & {
    /** Written as JSON text. */
    data: ColumnType<unknown, string, string>
  }
  listings: ListingRow
  chores: ChoreRow
  scanDays: ScanDayRow
  scanDayCategories: ScanDayCategoryRow
  searchDocuments: SearchDocumentRow
  searchEntries: SearchEntryRow
  webhookSubscriptions: Omit<WebhookSubscriptionRow, 'metadata'> & {
    /** Written as JSON text. */
    metadata: ColumnType<WebhookSubscriptionRow['metadata'], string, string>
  }
  webhookDeliveries: WebhookDeliveryRow
  weeklyEvents: WeeklyEventRow
}
