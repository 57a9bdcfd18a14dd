import type { ColumnType, Generated } from 'kysely'
import type { MeterUnit } from '../../core/catalog/prices.ts'

/**
 * The tables of the durable store, as the code sees them; `migrations.ts` makes them. PostgreSQL and
 * the embedded PGlite give the same types, because both are told how to read `int8`.
 */
export interface Tables {
  payments: Omit<PaymentRow, 'reply_headers'> & {
    /** Written as JSON text. */
    reply_headers: ColumnType<Record<string, string> | null, string | null, string | null>
  }
  strangers: UnmatchedTransferRow
  reconciled: ReconciledRow
  usage: UsageRow
  meterings: MeteringRow
  costs: CostRow
  keys: KeyRow
  signing_keys: SigningKeyRow
  scans: Omit<ScanRow, 'analysis'> & {
    /** Written as JSON text. */
    analysis: ColumnType<unknown, string | null, string | null>
  }
  scan_events: ScanEventRow
  playbooks: Omit<PlaybookRow, 'content'> & {
    /** Written as JSON text. */
    content: ColumnType<unknown, string | null, string | null>
  }
  bot_keys: BotKeyRow
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
  chain_id: number
  asset: string
  payer: string
  nonce: string
  pay_to: string
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
  valid_after: string
  valid_before: string
  signature: string
  /** x402 version of the envelope it came in. */
  version: number
  operation: string
  /** SHA-256 over method, target and body: what this payment pays for. */
  request_hash: string
  /** `before`: the money moves before the handler runs; `metered`: when the amount is known, after the reply was sent. */
  timing: 'after' | 'before' | 'metered'
  /** What the payer calls this purchase: another payment of theirs with the same key is the same purchase. */
  idempotency_key: string | null
  state: PaymentState
  /** Counts the claims. A worker whose claim was taken over cannot move the row any more. */
  attempt: number
  /** Until when the worker of this attempt is presumed alive. */
  lease_until: Date
  /** How often its outcome was looked for in vain; the next look waits longer each time. */
  tries: number
  transaction: string | null
  /** The block that bears the transfer, while the chain keeps it. */
  block_number: bigint | null
  block_hash: string | null
  settled_at: Date | null
  /** Why the chain or the facilitator refused the last time, as an x402 reason word. */
  failure: string | null
  reply_status: number | null
  reply_headers: Record<string, string> | null
  reply_body: Uint8Array | null
  /** The account that gives the money back, and until when (Unix seconds) what it signed can be carried out. */
  refund_from: string | null
  refund_until: bigint | null
  refund_transaction: string | null
  created_at: Date
  updated_at: Date
}

/** One call that was metered, or cost us something, with what was counted: the meter's own books. */
export interface MeteringRow {
  /** Of the call. */
  call_id: string
  operation: string
  door: 'open' | 'free' | 'key' | 'payment'
  /** Who called: `key:<id>`, `oidc:<subject>`, `client:<address>`, or the payer's address in lower case. */
  subject: string
  /** Null where no payment pays for it. */
  payment_id: string | null
  /** What is counted; null where only its cost is of interest. */
  unit: MeterUnit | null
  input: bigint
  output: bigint
  is_estimate: boolean
  outcome: 'complete' | 'left' | 'broken'
  /** What it comes to at the price of the catalogue, in atomic USDC, whoever pays it. */
  amount: bigint
  created_at: Date
}

/** A payment that we made to an upstream for a call. */
export interface CostRow {
  /** The nonce of the authorization we signed: a spending is known by it on the chain. */
  id: string
  call_id: string
  operation: string
  upstream: string
  chain_id: number
  asset: string
  /** Our wallet. */
  payer: string
  pay_to: string
  /** Atomic units of the asset. */
  amount: bigint
  /** Unix seconds. */
  valid_before: bigint
  /** `signed` until the chain shows that it was taken, or that it no longer can be. */
  state: 'signed' | 'taken' | 'unused'
  transaction: string | null
  created_at: Date
  updated_at: Date
}

/** A transfer to us on the chain that no payment in the books accounts for. */
export interface UnmatchedTransferRow {
  chain_id: number
  transaction: string
  log_index: number
  asset: string
  block_number: bigint
  block_hash: string
  payer: string
  pay_to: string
  /** Atomic units of the asset. */
  amount: bigint
  /** Of the authorization that moved it; null for a plain transfer. */
  nonce: string | null
  seen_at: Date
}

/** From which block on, and up to which, the books were compared with the chain. */
export interface ReconciledRow {
  chain_id: number
  asset: string
  pay_to: string
  /** The newest block when the books were opened: what came in until then is not theirs. */
  opened_block: bigint
  block_number: bigint
  updated_at: Date
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
  previous_hash: string | null
  previous_until: Date | null
  tier: string
  owner: string
  label: string
  /** What bought it; null for one the operator made. */
  payment_id: string | null
  created_at: Date
  /** Null: never. */
  expires_at: Date | null
  revoked_at: Date | null
  /** To the minute or so. */
  last_used_at: Date | null
}

/** A key pair that signs access tokens. */
interface SigningKeyRow {
  id: string
  /** JSON Web Key, private. */
  private_jwk: ColumnType<Record<string, unknown>, string, never>
  created_at: Date
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
  has_scheme: boolean
  /** Who gets the report. */
  email: string | null
  depth: 'light' | 'basic' | 'full'
  /** The higher, the earlier. */
  priority: number
  /** Within whose requests the idempotency key tells one from another. */
  scope: string | null
  idempotency_key: string | null
  /** Its work has been handed to the workers. */
  is_queued: boolean
  status: ScanStatus
  /** 0 to 100; never falls. */
  progress: number
  /** Counts those who began it. One that was taken over cannot move the row any more. */
  attempt: number
  /** How many events it has: the number of the newest. */
  events: number
  created_at: Date
  /** When it last came further, or was sent again because it had not. */
  moved_at: Date
  /** When it was begun for the first time. */
  started_at: Date | null
  completed_at: Date | null
  error_code: string | null
  /** For people. */
  error_message: string | null
  /** What `scan/results.ts` calls an Analysis. */
  analysis: unknown
}

/** What followers of a scan are told. */
interface ScanEventRow {
  scan_id: string
  /** From 1 on, without gaps. */
  seq: number
  status: ScanStatus
  progress: number
  message: string
  created_at: Date
}

/** What is to be done about a finished scan. */
export interface PlaybookRow {
  id: string
  scan_id: string
  status: 'generating' | 'complete'
  content: unknown
  created_at: Date
  completed_at: Date | null
}

/** A key pair that signs the crawler's requests. */
interface BotKeyRow {
  id: string
  /** JSON Web Key, private. */
  private_jwk: ColumnType<Record<string, unknown>, string, never>
  created_at: Date
}
