import type { ColumnType, Generated } from 'kysely'
import type { MeterUnit } from '../../core/catalog/prices.ts'

/**
 * The tables of the durable store, as the code sees them; `migrations.ts` makes them. PostgreSQL and
 * the embedded PGlite give the same types, because both are told how to read `int8`.
 */
export interface Tables {
  payments: Omit<PaymentRow, 'replyHeaders'> & {
    /** Written as JSON text. */
    replyHeaders: ColumnType<Record<string, string> | null, string | null, string | null>
  }
  strangers: UnmatchedTransferRow
  reconciled: ReconciledRow
  usage: UsageRow
  meterings: MeteringRow
  costs: CostRow
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

/** The states of a payment, in the order of a payment's life (README, "The books"). */
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
 * One row for each signed authorization that was ever claimed. Addresses and hashes are lower-case
 * hex, so that the same payment in another spelling meets the same row. The signature is kept because
 * a gateway that dies between serving and settling must be able to settle after its restart.
 */
export interface PaymentRow {
  /** keccak256 over chain id, asset, payer and nonce. */
  id: string
  chainId: number
  asset: string
  payer: string
  nonce: string
  payTo: string
  /** Atomic units of the asset: what is taken. Of a metered call the most it may be, until it was served. */
  amount: bigint
  /** `upto`: a part of what was signed may be taken. */
  scheme: 'exact' | 'upto'
  /** What was signed, in atomic units; never less than `amount`. */
  authorized: bigint
  /** Of scheme `upto`: the account that alone may settle it. */
  facilitator: string | null
  /** Of scheme `upto`: the EIP-2612 permit that came with it, `value:nonce:deadline:signature`. */
  permit: string | null
  /** Unix seconds as signed, in decimal: a payer may sign any 256-bit number. */
  validAfter: string
  validBefore: string
  signature: string
  /** x402 version of the envelope it came in. */
  version: number
  operation: string
  /** SHA-256 over method, target and body: what this payment pays for. */
  requestHash: string
  /** `before`: the money moves before the handler runs; `metered`: when the amount is known, after the reply was sent. */
  timing: 'after' | 'before' | 'metered'
  /** What the payer calls this purchase: another payment of theirs with the same key is the same purchase. */
  idempotencyKey: string | null
  state: PaymentState
  /** Counts the claims. A worker whose claim was taken over cannot move the row any more. */
  attempt: number
  /** Until when the worker of this attempt is presumed alive. */
  leaseUntil: Date
  /** How often its outcome was looked for in vain; the next look waits longer each time. */
  tries: number
  transaction: string | null
  /** The block that bears the transfer, while the chain keeps it. */
  blockNumber: bigint | null
  blockHash: string | null
  settledAt: Date | null
  /** Why the chain or the facilitator refused the last time, as an x402 reason word. */
  failure: string | null
  replyStatus: number | null
  replyHeaders: Record<string, string> | null
  replyBody: Uint8Array | null
  /** The account that gives the money back, and until when (Unix seconds) what it signed can be carried out. */
  refundFrom: string | null
  refundUntil: bigint | null
  refundTransaction: string | null
  createdAt: Date
  updatedAt: Date
}

/** One call that was metered, or cost us something, with what was counted: the meter's own books. */
export interface MeteringRow {
  /** Of the call. */
  callId: string
  operation: string
  door: 'open' | 'free' | 'key' | 'payment'
  /** Who called: `key:<id>`, `oidc:<subject>`, `client:<address>`, or the payer's address in lower case. */
  subject: string
  /** Null where no payment pays for it. */
  paymentId: string | null
  /** What is counted; null where only its cost is of interest. */
  unit: MeterUnit | null
  input: bigint
  output: bigint
  isEstimate: boolean
  outcome: 'complete' | 'left' | 'broken'
  /** What it comes to at the price of the catalogue, in atomic USDC, whoever pays it. */
  amount: bigint
  createdAt: Date
}

/** A payment that we made to an upstream for a call. */
export interface CostRow {
  /** The nonce of the authorization we signed: a spending is known by it on the chain. */
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
  /** `signed` until the chain shows that it was taken, or that it no longer can be. */
  state: 'signed' | 'taken' | 'unused'
  transaction: string | null
  createdAt: Date
  updatedAt: Date
}

/** A transfer to us on the chain that no payment in the books accounts for. */
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
  /** Of the authorization that moved it; null for a plain transfer. */
  nonce: string | null
  seenAt: Date
}

/** From which block on, and up to which, the books were compared with the chain. */
export interface ReconciledRow {
  chainId: number
  asset: string
  payTo: string
  /** The newest block when the books were opened: what came in until then is not theirs. */
  openedBlock: bigint
  blockNumber: bigint
  updatedAt: Date
}

/** How many units of an operation somebody has used in a day or month. */
interface UsageRow {
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  subject: string
  operation: string
  /** A day (2026-11-21) or a month (2026-11) of UTC. */
  period: string
  used: bigint
}

/** An API key. The key itself is nowhere: it is shown once, and recognised by its hash. */
export interface KeyRow {
  /** Stands in the key itself, so that it can be looked up. */
  id: string
  /** SHA-256 of the whole key, in hex. */
  hash: string
  /** Counts the secrets this key has had: an access token is bound to the one it was got with. */
  generation: Generated<number>
  /** The key before the last rotation, and until when it is still taken. */
  previousHash: string | null
  previousUntil: Date | null
  tier: string
  owner: string
  label: string
  /** What bought it; null for one the operator made. */
  paymentId: string | null
  createdAt: Date
  /** Null: never. */
  expiresAt: Date | null
  revokedAt: Date | null
  /** To the minute or so. */
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

/** One scan of a website, from the moment it was accepted. */
export interface ScanRow {
  /** UUID. */
  id: string
  /** Whose key asked for it, and who alone may see it; null: anybody may. */
  owner: string | null
  /** Host name without `www.`, in its ASCII form and lower case. */
  domain: string
  url: string
  /** Whether the caller wrote http:// or https://. */
  hasScheme: boolean
  /** Who gets the report. */
  email: string | null
  depth: 'light' | 'basic' | 'full'
  /** The higher, the earlier. */
  priority: number
  /** Within whose requests the idempotency key tells one from another. */
  scope: string | null
  idempotencyKey: string | null
  /** Its work has been handed to the workers. */
  isQueued: boolean
  status: ScanStatus
  /** 0 to 100; never falls. */
  progress: number
  /** Counts those who began it. One that was taken over cannot move the row any more. */
  attempt: number
  /** How many events it has: the number of the newest. */
  events: number
  createdAt: Date
  /** When it last came further, or was sent again because it had not. */
  movedAt: Date
  /** When it was begun for the first time. */
  startedAt: Date | null
  completedAt: Date | null
  errorCode: string | null
  /** For people. */
  errorMessage: string | null
  /** What `scan/results.ts` calls an Analysis. */
  analysis: unknown
}

/** What followers of a scan are told. */
interface ScanEventRow {
  scanId: string
  /** From 1 on, without gaps. */
  seq: number
  status: ScanStatus
  progress: number
  message: string
  createdAt: Date
}

/** What is to be done about a finished scan. */
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
