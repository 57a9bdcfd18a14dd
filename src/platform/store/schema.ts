import type { ColumnType, Generated } from 'kysely'
import type { MeterUnit } from '../../core/catalog/prices.ts'

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
}

/** The states of a payment, in the order of its life (`doors/x402/README.md`). */
export const paymentStates = [
  'claimed',
  'served',
  'settling',
  'paid',
  'settled',
  'final',
  'released',
  'failed',
  'refunding',
  'refunded',
] as const

export type PaymentState = (typeof paymentStates)[number]

/**
 * One row for each signed authorization that was ever claimed. Addresses and hashes are lower-case hex, so
 * that the same payment in another spelling finds the same row. The signature is kept because a gateway that
 * dies between serving and settling must be able to settle after its restart.
 */
export interface PaymentRow {
  /** keccak256 over chain id, asset, payer and nonce. */
  id: string
  chainId: number
  asset: string
  payer: string
  nonce: string
  payTo: string
  /** The amount to take, in atomic units. For a metered call it is the maximum until the call was served. */
  amount: bigint
  /** With `upto`, less than the signed amount may be taken. */
  scheme: 'exact' | 'upto'
  /** The signed amount, in atomic units; never less than `amount`. */
  authorized: bigint
  /** Scheme `upto` only: the one account that may settle the payment. */
  facilitator: string | null
  /** Scheme `upto` only: the EIP-2612 permit that came with the payment, `value:nonce:deadline:signature`. */
  permit: string | null
  /** Unix seconds as signed, in decimal text: a payer may sign any 256-bit number. */
  validAfter: string
  validBefore: string
  signature: string
  /** x402 version of the envelope that the payment came in. */
  version: number
  operation: string
  /**
   * SHA-256 of method, target and body: the request that this payment pays for. Empty in an adopted payment
   * until its payer sends it again (`doors/ledger/reconciling/adopt.ts`).
   */
  requestHash: string
  /** When the money moves: `after` or `before` the handler, or `metered`, when the used amount is known. */
  timing: 'after' | 'before' | 'metered'
  /** The payer's name for this purchase: another payment of theirs with this key is the same purchase. */
  idempotencyKey: string | null
  state: PaymentState
  /** The number of claims so far. A worker whose claim was taken over cannot move the row. */
  attempt: number
  /** Until then the worker of this attempt is presumed alive. */
  leaseUntil: Date
  /** How many searches for the outcome have failed; each further search waits longer. */
  tries: number
  transaction: string | null
  /** The block that holds the transfer, until the chain drops it. */
  blockNumber: bigint | null
  blockHash: string | null
  settledAt: Date | null
  /** Why the chain or the facilitator last refused, as an x402 reason word; or `caller_left`. */
  failure: string | null
  /** Claimed beyond what the payer had earned by payments that settled. */
  onCredit: boolean
  /** When the money of a delivered reply is asked for again, after its settlement failed. */
  collectAt: Date | null
  replyStatus: number | null
  replyHeaders: Record<string, string> | null
  replyBody: Uint8Array | null
  /** The account that pays the refund, and until when (Unix seconds) its signature is valid. */
  refundFrom: string | null
  refundUntil: bigint | null
  refundTransaction: string | null
  /**
   * The amount to give back, in atomic units. Null without a refund, and in refunds of older versions, which
   * give everything back.
   */
  refundAmount: bigint | null
  /** The operator's words. */
  refundReason: string | null
  /**
   * When the chain may be searched again for the transfer of a released or failed payment; null while it was
   * not searched.
   */
  searchAfter: Date | null
  /** What the last search found (`doors/ledger/unpaid/searches.ts`); null during a search. */
  searchFound: 'unused' | 'unknown' | 'nothing' | null
  /** The number of searches so far; each further one waits longer. */
  searches: number
  createdAt: Date
  updatedAt: Date
}

/** What a payer left unpaid. A trigger of `payments` writes it (migration 0015). */
interface PayerRow {
  chainId: number
  payer: string
  /** The last failed settlement or abandoned run. */
  unpaidAt: Date
  /** The last failed settlement: what was settled before it earns no credit. */
  failedAt: Date | null
  /** Failed settlements and abandoned runs, each within a day of the one before. */
  failures: number
  /** What was served and never paid, in atomic units. */
  lost: bigint
  /** What was lost on credit within about a minute before `unpaidAt`, in atomic units. */
  risk: bigint
}

/** What the runs of a payer count for that were released: they served nothing and cost nothing. */
interface ReleasedRunsRow {
  chainId: number
  /** The payer's address in lower case. */
  payer: string
  /** When they count for nothing any more (`doors/ledger/unpaid/released-runs.ts`). */
  clearAt: Date
}

/** One call that was metered, or that cost us something, with its usage. */
export interface MeteringRow {
  callId: string
  operation: string
  door: 'open' | 'free' | 'key' | 'payment'
  /** The caller: `key:<id>`, `oidc:<subject>`, `client:<address>`, or the payer's address in lower case. */
  subject: string
  /** Null when no payment pays for the call. */
  paymentId: string | null
  /** What is counted; null when the row only records a cost. */
  unit: MeterUnit | null
  input: bigint
  output: bigint
  isEstimate: boolean
  outcome: 'complete' | 'left' | 'broken'
  /** The usage at the price of the catalog, in atomic USDC, whether or not a payment pays it. */
  amount: bigint
  createdAt: Date
}

/** A payment of ours to an upstream, for one call. */
export interface CostRow {
  /** The nonce of the authorization that we signed, which identifies the payment on the chain. */
  id: string
  callId: string
  operation: string
  upstream: string
  chainId: number
  asset: string
  /** Our wallet. */
  payer: string
  payTo: string
  /** Atomic units of the asset. */
  amount: bigint
  /** Unix seconds. */
  validBefore: bigint
  /** `signed` until the chain shows that the money was taken, or that it can no longer be. */
  state: 'signed' | 'taken' | 'unused'
  transaction: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a transaction was sent for. `unblock` is an empty one that frees a nonce which was stuck. */
export type GasPurpose = 'settlement' | 'refund' | 'unblock'

/** The gas that one of our accounts has paid for a transaction, whatever became of the payments in it. */
export interface GasCostRow {
  chainId: number
  transaction: string
  /** The account that paid, in lower-case hex. */
  account: string
  purpose: GasPurpose
  /** The execution's gas at the price it was charged, and what the chain charges for its data. */
  wei: bigint
  isReverted: boolean
  blockNumber: bigint
  /** When the gateway saw the receipt. */
  seenAt: Date
}

/**
 * What payments of wallet contracts have come to: of one wallet, of all wallets with the same code, or of all
 * wallets that take much gas before they have paid anything here.
 */
export interface WalletRecordRow {
  chainId: number
  scope: 'wallet' | 'kind' | 'heavy'
  /** The wallet's address, or the name of its code; empty for `heavy`. In lower case. */
  subject: string
  /** Payments that were mined at our cost and moved no money. */
  failures: number
  /** Payments that settled; counted for kinds only. */
  settled: bigint
  refusedUntil: Date | null
  /** Then the row is forgotten. */
  keptUntil: Date
}

/** How an action of the operator ended. `begun` stays when the gateway died before it ended. */
export const auditOutcomes = ['begun', 'done', 'refused', 'failed'] as const

/** One request of the operator that changes something. */
export interface AuditRow {
  /** The call's X-Request-Id. */
  callId: string
  at: Date
  /** The operation id of the endpoint. */
  action: string
  /** The id of the key, payment or transfer that it is about; null while it has none. */
  subject: string | null
  /** What was asked for, without secrets. */
  details: Record<string, unknown>
  /** The caller's address, as quotas count it. */
  client: string
  outcome: (typeof auditOutcomes)[number]
  status: number | null
  /** The error code of a refused or failed action. */
  code: string | null
  /** What was replied, without secrets; null for an action that was not done. */
  result: Record<string, unknown> | null
}

/**
 * A transfer to us on the chain that belonged to no payment in the books when it was found. The row stays when
 * the operator has said what became of it: a gateway that compares the same blocks again does not record the
 * transfer a second time.
 */
export interface UnmatchedTransferRow {
  chainId: number
  transaction: string
  logIndex: number
  asset: string
  blockNumber: bigint
  blockHash: string
  payer: string
  payTo: string
  /** Atomic units of the asset. */
  amount: bigint
  /** The nonce of the authorization that moved the money; null for a plain transfer. */
  nonce: string | null
  seenAt: Date
  /** The payment that it became, to be served or refunded; null while it is none. */
  paymentId: string | null
  /** When the operator dismissed it, and why; null while it is unexplained. */
  dismissedAt: Date | null
  dismissal: string | null
}

/** An account that payments to these books go to, or went to before `PAY_TO` was changed. */
export interface ReceivingAccountRow {
  chainId: number
  asset: string
  payTo: string
  /** When a gateway last asked for payments to it; accurate to about half a minute. */
  currentAt: Date
}

/** A running gateway that settles from accounts of its own. */
interface SettlingGatewayRow {
  /** Another word at each start. */
  gateway: string
  chainId: number
  /** The accounts whose keys it has, in lower-case hex. */
  accounts: string[]
  /** By the store's clock. */
  liveUntil: Date
}

/** An account that settlements are sent from. One gateway at a time may send from it: the owner of its lease. */
interface SettlingAccountRow {
  chainId: number
  /** In lower-case hex. */
  address: string
  /** The order in which accounts were registered; the first that is live stands in the 402. */
  position: Generated<bigint>
  /** The gateway that sends from it; null when the last one gave it back. */
  owner: string | null
  /** By the store's clock. */
  leaseUntil: Date
  gas: 'enough' | 'low' | 'out'
}

/** A payment that one gateway has served and another one has to settle. */
export interface HandoverRow {
  paymentId: string
  /** The attempt of the payment's row whose worker waits for the outcome. */
  attempt: number
  chainId: number
  /** The settling account, in lower-case hex: the gateway that holds it settles the payment. */
  account: string
  /** An earlier transaction may be on its way. */
  isAgain: boolean
  /** The gateway that settles it; null until one has begun. */
  begunBy: string | null
  /** How many gateways have begun it. */
  tries: Generated<number>
  outcome: 'settled' | 'failed' | 'unknown' | null
  transaction: string | null
  blockNumber: bigint | null
  blockHash: string | null
  /** Of a refusal. */
  reason: string | null
  message: string | null
  createdAt: Generated<Date>
}

/** The range of blocks in which the books of a receiving account were compared with the chain. */
interface ReconciledRow {
  chainId: number
  asset: string
  payTo: string
  /** The newest block when the books were opened. Earlier transfers do not belong to these books. */
  openedBlock: bigint
  blockNumber: bigint
  updatedAt: Date
}

/** How many units of an operation a subject has used in a day or month. */
interface UsageRow {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  subject: string
  operation: string
  /** A day (2026-11-21) or a month (2026-11) of UTC. */
  period: string
  used: bigint
}

/** An API key. The store has only hashes of it: the key itself is shown once, when it is made. */
export interface KeyRow {
  /** A part of the key's text, by which the key is looked up. */
  id: string
  /** SHA-256 of the whole key, in hex. */
  hash: string
  /** The number of secrets so far. An access token is bound to the secret that it was issued for. */
  generation: Generated<number>
  /** The hash before the last rotation, and until when that secret is still accepted. */
  previousHash: string | null
  previousUntil: Date | null
  tier: string
  owner: string
  label: string
  /** The payment that bought the key; null when the operator made it. */
  paymentId: string | null
  /**
   * The network on which the key was bought or made; it opens doors on no other. Null, for every network, when
   * the operator made it before keys had one.
   */
  chainId: number | null
  createdAt: Date
  /** Null when the key never expires. */
  expiresAt: Date | null
  revokedAt: Date | null
  /** Accurate to about a minute. */
  lastUsedAt: Date | null
}

/** A key pair that signs access tokens. */
interface SigningKeyRow {
  id: string
  /** JSON Web Key, private. */
  privateJwk: ColumnType<Record<string, unknown>, string, never>
  createdAt: Date
}

/** The states of a scan, in the order of its life; `error` may follow any but `complete`. */
export const scanStatuses = ['pending', 'fetching', 'analyzing', 'complete', 'error'] as const

export type ScanStatus = (typeof scanStatuses)[number]

/** One scan of a website, from its acceptance on. */
export interface ScanRow {
  /** UUID. */
  id: string
  /** The key that asked for the scan and that alone may see it; null when every caller may. */
  owner: string | null
  /** Host name without `www.`, in its ASCII form and lower case. */
  domain: string
  url: string
  /** Whether the caller wrote http:// or https://. */
  hasScheme: boolean
  /** The recipient of the report. */
  email: string | null
  depth: 'light' | 'basic' | 'full'
  /** Scans with a higher priority run first. */
  priority: number
  /** The caller whose idempotency keys this one belongs to. */
  scope: string | null
  idempotencyKey: string | null
  /** Whether the job was sent to the workers. */
  isQueued: boolean
  status: ScanStatus
  /** 0 to 100; never falls. */
  progress: number
  /** The number of starts so far. A worker whose scan was taken over cannot move the row. */
  attempt: number
  /** The number of events, which is also the number of the newest. */
  events: number
  createdAt: Date
  /** The last progress, or the last time the job was sent again because there was none. */
  movedAt: Date
  /** The first start. */
  startedAt: Date | null
  completedAt: Date | null
  errorCode: string | null
  /** For people. */
  errorMessage: string | null
  /** What `scan/findings/results.ts` calls an Analysis. */
  analysis: unknown
}

/** An event that followers of a scan receive. */
interface ScanEventRow {
  scanId: string
  /** Counts from 1, without gaps. */
  seq: number
  status: ScanStatus
  progress: number
  message: string
  createdAt: Date
}

/** The plan made from a finished scan. */
export interface PlaybookRow {
  id: string
  scanId: string
  status: 'generating' | 'complete'
  content: unknown
  createdAt: Date
  completedAt: Date | null
}

/** A key pair that signs the crawler's requests. */
interface BotKeyRow {
  id: string
  /** JSON Web Key, private. */
  privateJwk: ColumnType<Record<string, unknown>, string, never>
  createdAt: Date
}
