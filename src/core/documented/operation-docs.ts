import type { ErrorCode } from '../errors.ts'

/**
 * What documents say of an operation, beside its schemas and the sentence of the catalog: the API description, the tools
 * for agents and the reference page are all written from it, so they cannot disagree.
 */
export interface OperationDocs {
  /** A heading of a few words: `Start a scan`. */
  readonly summary: string
  /** When to call it and what comes next; the catalog's sentence says what it gives. */
  readonly details: string
  readonly tag: OperationTag
  /** The status of a reply that did what was asked; 200 by default, and 400 of an endpoint that refuses everything. */
  readonly status?: 201 | 400
  /** What such a reply is; `application/json` alone by default. Several are chosen by the Accept header. */
  readonly mediaTypes?: readonly string[]
  /** A reply without a body that did what was asked, and what it means. */
  readonly emptyReply?: { readonly status: 204; readonly meaning: string }
  /** The refusals of its own. Those of credentials, payments, limits and faulty input follow from the catalog. */
  readonly errors: readonly ErrorCode[]
  /** A request as it is sent, and its reply; each part fits its schema. */
  readonly example: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Readonly<Record<string, unknown>>
    readonly reply?: unknown
  }
}

/** The groups of the API description, in its order. */
export const operationTags = {
  scans: 'Start scans of websites and read what they found.',
  directory: 'The public directory of scanned websites.',
  insights: 'What all scans tell together: search and analytics.',
  webhooks: 'Events, sent to an address of yours.',
  texts: 'Analyses, lead research and articles, paid per call.',
  payments: 'What became of a payment, and who signs our receipts.',
  keys: 'API keys and access tokens.',
  service: 'Prices, health and what is here.',
  discovery: 'Documents by which programs find and understand this service.',
} as const

export type OperationTag = keyof typeof operationTags

/** The whole description of an operation: the sentence of the catalog, then the details. */
export function describeOperation(sentence: string, { details }: Pick<OperationDocs, 'details'>): string {
  return details === '' ? sentence : `${sentence} ${details}`
}
