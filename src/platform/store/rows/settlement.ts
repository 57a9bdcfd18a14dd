import type { Generated } from 'kysely'

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
export interface SettlingGatewayRow {
  /** Another word at each start. */
  gateway: string
  chainId: number
  /** The accounts whose keys it has, in lower-case hex. */
  accounts: string[]
  /** By the store's clock. */
  liveUntil: Date
}

/** An account that settlements are sent from. One gateway at a time may send from it: the owner of its lease. */
export interface SettlingAccountRow {
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
export interface ReconciledRow {
  chainId: number
  asset: string
  payTo: string
  /** The newest block when the books were opened. Earlier transfers do not belong to these books. */
  openedBlock: bigint
  blockNumber: bigint
  updatedAt: Date
}

export const listingOutcomes = ['begun', 'settled', 'unreachable', 'refused', 'unknown'] as const

/** How a facilitator that lists an operation has answered the last payment that went through it. */
export interface ListingTurnRow {
  chainId: number
  operation: string
  /** A catalog lists a tool of an MCP server and a path each for itself. */
  transport: 'http' | 'mcp'
  /** As the catalog names it. */
  facilitator: string
  /** Counts the turns, so that a worker that comes back late changes nothing. */
  turn: number
  paymentId: string
  /** `begun`: it is under way, or its gateway died. `unreachable` and `refused`: it was settled the usual way. */
  outcome: (typeof listingOutcomes)[number]
  reason: string | null
  /** The header EXTENSION-RESPONSES of its last answers; null while none had one. */
  extensionResponses: Record<string, Record<string, string>> | null
  takenAt: Date
  /** No other payment takes the turn before. */
  heldUntil: Date
  /** When the last one was settled; null while none was. */
  settledAt: Date | null
}
