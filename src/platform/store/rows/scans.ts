import type { ColumnType } from 'kysely'

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
export interface ScanEventRow {
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
export interface BotKeyRow {
  id: string
  /** JSON Web Key, private. */
  privateJwk: ColumnType<Record<string, unknown>, string, never>
  createdAt: Date
}

/** The scans of one owner, UTC day and status. Triggers on `scans` keep the count. */
export interface ScanDayRow {
  /** The key that alone may see the scans; empty for those that every caller may see. */
  owner: ColumnType<string, never, never>
  /** The day of `createdAt`. */
  day: ColumnType<unknown, never, never>
  status: ColumnType<ScanStatus, never, never>
  scans: ColumnType<number, never, never>
  /** How many have scores. */
  scored: ColumnType<number, never, never>
  /** Sums of scores: one driver reads numeric as text, and the other as a number. */
  readiness: ColumnType<unknown, never, never>
  aeo: ColumnType<unknown, never, never>
}

/** The opportunities of one owner, UTC day and category. Triggers on `scans` keep the count. */
export interface ScanDayCategoryRow {
  owner: ColumnType<string, never, never>
  day: ColumnType<unknown, never, never>
  category: ColumnType<string, never, never>
  opportunities: ColumnType<number, never, never>
}

/** The scan that search finds of a domain: the newest complete one of each owner. */
export interface SearchDocumentRow {
  id: ColumnType<bigint, never, never>
  scanId: string
  owner: string | null
  domain: string
  /** Of the scan. */
  createdAt: Date
  /** A tsvector without positions, written as its text: the words of all entries. */
  words: ColumnType<unknown, string, never>
}

/** A finding, an opportunity, a workflow or the domain of a scan, as search shows it. */
export interface SearchEntryRow {
  document: bigint
  /** Counts from 0 in the order of the report. */
  position: number
  type: 'domain' | 'finding' | 'opportunity' | 'workflow'
  title: string
  body: string
  /** A tsvector with positions and weights, written as its text. */
  words: ColumnType<unknown, string, never>
}
