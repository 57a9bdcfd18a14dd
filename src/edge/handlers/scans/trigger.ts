import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Admission } from '../../../core/admission.ts'
import { type Catalog, findTier } from '../../../core/catalog/catalog.ts'
import { type EndpointRows, type HandlerContext, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { checkIdempotencyKey } from '../../../core/idempotency-key.ts'
import { integer } from '../../../core/input/query-fields.ts'
import { json, type Reply } from '../../../core/reply.ts'
import { type PrivateTarget, parseTarget, TargetError } from '../../../platform/net/target.ts'
import type { Created, NewScan } from '../../../products/scan/scans/accepted-scans.ts'
import { findReusable } from '../../../products/scan/scans/find-scans.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { siteDomain } from '../../../products/scan/site/addresses.ts'
import { depths } from '../../../products/scan/site/capture.ts'
import { scanStatus, startedSchema } from './replies.ts'
import { exampleScanId, namedScan, orScansUnavailable, privateNoStore, scanParams } from './view.ts'

export interface ScanParts {
  readonly scans: Scans
  readonly submit: (scan: NewScan) => Promise<Created | 'conflict'>
  /** Addresses of private networks that may be scanned. */
  readonly allowedTargets: readonly PrivateTarget[]
  readonly catalog: () => Catalog
  /**
   * Takes one of the reports that an e-mail address may get in a day from callers without a key. Without this
   * limit an anonymous caller could fill any mailbox with texts of a site it names.
   * @throws GatewayError RATE_LIMIT when none is left.
   */
  readonly takeReport: (email: string) => Promise<Pick<Admission, 'release'>>
}

export const triggerRows = {
  /** POST /api/insights/scan (specification 4.2). */
  triggerScan: {
    ...noInput,
    isPrivate: true,
    method: 'POST',
    path: '/api/insights/scan',
    query: z.strictObject({
      max_age: integer(0, 86_400)
        .optional()
        .describe(
          'seconds: a scan of the same address and depth that is no older is returned instead of a new one',
        ),
    }),
    body: z.strictObject({
      url: z
        .string()
        .describe('the website: a domain or an http(s) address')
        .meta({ examples: ['example.com'] }),
      email: z
        .email({ abort: true })
        .max(254)
        // No mail server takes a longer local part (RFC 5321, 4.5.3.1.1): the report would never arrive.
        .regex(/^[^@]{1,64}@/, 'must have at most 64 characters before the @')
        .meta({ format: 'email' })
        .optional()
        .describe('receives the report when the scan is complete'),
      scanType: z.enum(depths).default('basic').describe('light: one area, basic: four, full: twelve'),
    }),
    response: startedSchema,
    docs: {
      summary: 'Start a scan',
      details:
        'It takes about 30 seconds (light), 2 minutes (basic) or 5 minutes (full). Keep the scanId, and ask for the status until it is complete or error. An Idempotency-Key (over MCP _meta["x402/idempotency-key"]) keeps a retry from starting a second scan.',
      tag: 'scans',
      errors: ['INVALID_URL', 'IDEMPOTENCY_KEY_REUSED', 'RATE_LIMIT', 'SCANS_UNAVAILABLE'],
      example: {
        body: { url: 'example.com', scanType: 'basic' },
        reply: {
          scanId: exampleScanId,
          status: 'pending',
          message:
            'The scan of example.com has started. Ask for its status every 5 to 10 seconds, or follow its stream.',
        },
      },
    },
  },
  /** GET /api/insights/scan/{scanId}/status (4.3). */
  getScanStatus: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scan/{scanId}/status',
    params: scanParams,
    response: z.object({
      status: scanStatus,
      progress: z.number().min(0).max(100),
      error: z.string().nullable().describe('why, when status is error'),
    }),
    docs: {
      summary: 'Read the status of a scan',
      details: 'Stop when the status is complete or error.',
      tag: 'scans',
      errors: ['SCAN_NOT_FOUND', 'SCANS_UNAVAILABLE'],
      example: {
        params: { scanId: exampleScanId },
        reply: { status: 'analyzing', progress: 55, error: null },
      },
    },
  },
} satisfies EndpointRows

export function triggerHandlers({
  scans,
  submit,
  allowedTargets,
  catalog,
  takeReport,
}: ScanParts): Handlers<typeof triggerRows> {
  return {
    triggerScan: {
      refuse: (body) => {
        const target = targetOf(body, allowedTargets)
        return target instanceof GatewayError ? target : undefined
      },
      async handle({ query, body }, context) {
        const target = targetOf(body, allowedTargets)
        if (target instanceof GatewayError) throw target
        const { email, scanType: depth } = body
        const owner = context.holder?.subject
        const { url, domain, hasScheme } = target
        const idempotency = idempotencyOf(context)
        if (query.max_age !== undefined && email === undefined) {
          const known = await orScansUnavailable(
            findReusable(scans, { domain, url, hasScheme, depth, owner, maxAgeSeconds: query.max_age }),
          )
          if (known)
            return existing(
              known.id,
              known.status,
              'A scan of this address is recent enough, so no new one was started.',
            )
        }
        const report = email !== undefined && owner === undefined ? await takeReport(email) : undefined
        const submitted = await orScansUnavailable(
          submit({
            url,
            domain,
            hasScheme,
            depth,
            owner,
            email,
            priority: findTier(catalog().tiers, context.holder?.tier ?? '')?.priority ?? 0,
            idempotency,
            units: context.units,
          }),
        ).catch(async (error: unknown) => {
          await report?.release()
          throw error
        })
        if (submitted === 'conflict' || !submitted.isNew) await report?.release()
        if (submitted === 'conflict') throw new GatewayError('IDEMPOTENCY_KEY_REUSED')
        const { id, status, isNew } = submitted
        if (!isNew)
          return existing(id, status, 'This scan was started before under the same Idempotency-Key.')
        const message = `The scan of ${domain} has started. Ask for its status every 5 to 10 seconds, or follow its stream.`
        return json(200, { scanId: id, status, message }, privateNoStore)
      },
    },

    async getScanStatus({ params }, context) {
      const row = await namedScan(scans, params, context, { hasAnalysis: false })
      const { status, progress, errorMessage: error } = row
      return json(200, { status, progress, error }, privateNoStore)
    },
  }
}

/** Nothing new was done, so the caller gets the unit back that was counted. */
function existing(scanId: string, status: string, message: string): Reply {
  return { ...json(200, { scanId, status, message }, privateNoStore), isUncounted: true }
}

const sentUrl = z.looseObject({ url: z.string() })
const expected = 'a public domain or http(s) address, like example.com or https://example.com/page'

function targetOf(body: unknown, allowed: readonly PrivateTarget[]) {
  const sent = sentUrl.safeParse(body)
  const refuse = (problem: string) => new GatewayError('INVALID_URL', { field: 'url', expected, problem })
  if (!sent.success) return refuse('There is no url in the body, or it is not text.')
  try {
    const { url, hasScheme } = parseTarget(sent.data.url, allowed)
    return { url: url.href, domain: siteDomain(url.hostname), hasScheme }
  } catch (error) {
    if (error instanceof TargetError) return refuse(error.message)
    throw error
  }
}

/** The Idempotency-Key within the scope of its caller. Only hashes of both are stored. */
function idempotencyOf({ headers, holder, client }: HandlerContext): NewScan['idempotency'] {
  const { idempotencyKey } = headers
  if (idempotencyKey === undefined) return undefined
  checkIdempotencyKey(idempotencyKey)
  const caller = holder?.subject ?? `client:${client()}`
  return { scope: hash(caller), key: hash(idempotencyKey) }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
