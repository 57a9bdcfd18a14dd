import { parse } from 'tldts'
import { z } from 'zod'
import { faultyRequest, type GatewayError } from '../../../core/errors.ts'
import { listed, problemOf } from '../../../core/problems.ts'
import {
  findPrivateTarget,
  hostOf,
  type PrivateTarget,
  parseTarget,
  TargetError,
} from '../../../platform/net/target.ts'
import { type EventType, eventTypes } from '../../../platform/store/outbox.ts'
import { isSecret, secretForm } from './secrets.ts'

/** What a caller asks for, checked: both forms of the specification (4.11) become one. */
export interface NewSubscription {
  /** Normalized. */
  readonly url: string
  /** Host name and port. */
  readonly host: string
  readonly site: string
  /** Each once, by its canonical name. */
  readonly events: readonly EventType[]
  readonly secret: string | undefined
  readonly metadata: Readonly<Record<string, string>>
}

/** The names of the specification's second form. */
const aliases: Readonly<Record<string, EventType>> = {
  'scan.complete': 'scan.completed',
  'scan.error': 'scan.failed',
}

const maxMetadata = 20
const expectedUrl = 'one public https address, like https://example.com/hooks, in callback_url or in url'

/** For each field, what it takes; callers get it with every refusal. */
const expected = {
  callback_url: expectedUrl,
  url: expectedUrl,
  events: `a list of at least one of ${listed(eventTypes)} (scan.complete and scan.error are taken, too)`,
  secret: secretForm,
  metadata: `an object of at most ${maxMetadata} texts: names of 1 to 40 letters, digits, dots, dashes and underscores, texts of at most 500 characters`,
} as const

const plainText = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must hold no control characters')

/** The body of POST /api/webhooks/subscribe. */
export const subscriptionBody = z.strictObject({
  callback_url: z.string().optional().describe('the https address that receives the events'),
  url: z.string().optional().describe('the same, by its other name'),
  events: z
    .array(z.enum([...eventTypes, 'scan.complete', 'scan.error']))
    .min(1)
    .max(50)
    .describe('an event that is named twice counts once'),
  secret: z
    .string()
    .refine(isSecret, `must be ${secretForm}`)
    .optional()
    .describe('deliveries are signed with it; it is never shown again'),
  metadata: z
    .record(z.string().regex(/^[\w.-]{1,40}$/, 'has a name that this field does not take'), plainText)
    .refine((texts) => Object.keys(texts).length <= maxMetadata, `must have at most ${maxMetadata} fields`)
    .optional()
    .describe('is kept with the subscription'),
})

/**
 * Checks a body.
 * @param allowed private addresses that may receive events, for development and tests; also over http.
 * @throws GatewayError VALIDATION_ERROR with `field` and `expected`.
 */
export function readSubscription(body: unknown, allowed: readonly PrivateTarget[]): NewSubscription {
  if (namesPrototype(body)) throw refused('metadata.__proto__', 'has a name that this field does not take')
  const parsed = subscriptionBody.safeParse(body, { error: problemOf })
  if (!parsed.success) throw refusalOf(parsed.error)
  const { callback_url: one, url: other, events, secret, metadata = {} } = parsed.data
  const field = one === undefined && other !== undefined ? 'url' : 'callback_url'
  const written = one ?? other
  if (written === undefined) throw refused('callback_url', 'is missing: send an address')
  const target = readTarget(written, field, allowed)
  if (one !== undefined && other !== undefined && readTarget(other, 'url', allowed).url !== target.url) {
    throw refused('url', 'differs from callback_url: send one of them')
  }
  const names = events.map((event) => aliases[event] ?? event)
  return { ...target, events: eventTypes.filter((type) => names.includes(type)), secret, metadata }
}

/** zod leaves this name out of a record without a word, and what the caller sent would not be what is kept. */
function namesPrototype(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return false
  const { metadata } = body
  return typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, '__proto__')
}

/** @throws GatewayError for an address that no delivery may go to. */
function readTarget(text: string, field: 'callback_url' | 'url', allowed: readonly PrivateTarget[]) {
  const [, scheme] = /^\s*(https?):\/\//i.exec(text) ?? []
  if (scheme === undefined) throw refused(field, 'must begin with https://')
  // The URL standard would write another character in its place.
  if (!text.isWellFormed()) throw refused(field, 'holds half a character')
  try {
    const { url } = parseTarget(text, allowed)
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const host = hostOf(url)
    const isHttps = url.protocol === 'https:'
    if (!isHttps && !findPrivateTarget(allowed, host, port)) throw refused(field, 'must begin with https://')
    const { domain } = parse(host, { allowPrivateDomains: true })
    return { url: url.href, host: `${host}:${port}`, site: domain ?? host }
  } catch (error) {
    if (error instanceof TargetError) throw refused(field, `cannot receive events: ${error.message}`)
    throw error
  }
}

function refusalOf({ issues }: z.ZodError): GatewayError {
  const [first] = issues
  if (first?.code === 'unrecognized_keys') {
    const [field = 'body'] = first.keys
    return refused(field, 'is not a field of this operation')
  }
  return refused(first?.path.join('.') || 'body', first?.message ?? 'does not fit')
}

/** @param field a path: the first name of it says what is expected. */
function refused(field: string, problem: string): GatewayError {
  const [name = ''] = field.split('.')
  return faultyRequest({
    field,
    problem,
    expected: isField(name) ? expected[name] : `an object with ${listed(Object.keys(expected))}`,
  })
}

function isField(name: string): name is keyof typeof expected {
  return Object.hasOwn(expected, name)
}
