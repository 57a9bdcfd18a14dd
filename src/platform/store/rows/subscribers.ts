/** An event that subscribers are told of. */
export interface OutboxRow {
  /** UUID. */
  id: string
  /** One of `outbox.ts`. */
  type: string
  /** The key that alone may learn of it; null when every subscriber may. */
  owner: string | null
  scanId: string | null
  data: unknown
  createdAt: Date
  /** When its deliveries were made; null until then. */
  fannedAt: Date | null
}

export const subscriptionStatuses = ['active', 'paused', 'disabled'] as const

/** A receiver of events. */
export interface WebhookSubscriptionRow {
  /** UUID. */
  id: string
  /** `key:<id>`, `oidc:<subject>` or `client:<address>`. */
  owner: string
  /** Its owner has no key. */
  isAnonymous: boolean
  /** Normalized. */
  url: string
  /** Tells apart what callers of one address subscribe to without a key; empty for the holder of one. */
  variant: string
  /** Host name and port of the receiver: deliveries to one host wait for each other. */
  host: string
  /** The registered domain of the receiver, or its address. */
  site: string
  events: string[]
  /** Sealed (`products/webhooks/subscriptions/secrets.ts`); null when deliveries are not signed. */
  secret: Uint8Array | null
  metadata: Record<string, string>
  status: (typeof subscriptionStatuses)[number]
  /** `gone`: the receiver answered 410. `failing`: it only failed for days. */
  disabledReason: 'gone' | 'failing' | null
  /** When the receiver first accepted a delivery. */
  provenAt: Date | null
  /** The first failure since a delivery was last accepted. */
  failingSince: Date | null
  /** Until then a subscription whose deliveries go out one by one gets none. */
  holdUntil: Date
  /** Null when it never expires. */
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'dropped'] as const

/** One event for one subscription. */
export interface WebhookDeliveryRow {
  /** UUID. */
  id: string
  subscriptionId: string
  eventId: string
  /** Of the subscription. */
  host: string
  status: (typeof deliveryStatuses)[number]
  /** It goes out alone, or waits because its subscription is paused. */
  isHeld: boolean
  /** A gateway has claimed it, until `dueAt`. */
  isLeased: boolean
  /** When it may be claimed. */
  dueAt: Date
  /** The number of claims so far. A gateway whose claim was taken over cannot move the row. */
  claims: number
  /** The number of attempts so far whose end is known. */
  attempts: number
  attemptedAt: Date | null
  /** The HTTP status of the last answer; null when there was none. */
  answerStatus: number | null
  /** The beginning of that answer. */
  answer: string | null
  /** Why the last attempt failed. */
  error: string | null
  createdAt: Date
  /** When its owner or the operator last had it sent. */
  sentByHandAt: Date | null
  endedAt: Date | null
}

/** A week whose numbers were announced. */
export interface WeeklyEventRow {
  /** Its Monday, like 2026-11-16. */
  week: string
  createdAt: Date
}
