import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { describeOperation } from '../../../core/documented/operation-docs.ts'
import { isForSale, type Served, type Site } from '../site.ts'
import { paymentInfo } from './payment-info.ts'
import { hasBody, refusalsOf } from './refusals.ts'

/**
 * Describes one operation for OpenAPI, from its row and from what the catalog says of it.
 * @param scope of the document: directories read that of the payments.
 */
export function openApiOperation(
  served: Served,
  site: Site,
  scope: 'all' | 'payments',
): ZodOpenApiOperationObject {
  const { endpoint, operation } = served
  const { id, docs, path } = endpoint
  const info = paymentInfo(served, site)
  const isOwn = endpoint.upstream === undefined
  return {
    operationId: id,
    summary: docs?.summary ?? firstWords(operation.description),
    description: docs ? describeOperation(operation.description, docs) : operation.description,
    tags: [docs?.tag ?? 'upstreams'],
    // A directory takes an optional key for one that is needed beside the payment.
    security: scope === 'payments' && isForSale(operation) ? [] : securityOf(served, site),
    requestParams: {
      path: isOwn ? endpoint.params : paramsOf(path),
      ...(isOwn && { query: endpoint.query }),
    },
    ...(hasBody(endpoint) && bodyOf(served)),
    responses: { ...successOf(served), ...failuresOf(served) },
    ...(info && { 'x-payment-info': info }),
  }
}

function firstWords(sentence: string): string {
  return sentence.split(/[.:;,]/)[0] ?? sentence
}

/** A path parameter of an upstream is text of any kind. */
function paramsOf(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
}

/** Each entry is one way in; an empty one means that no credentials are needed. */
function securityOf({ endpoint, operation }: Served, { catalog }: Site): Record<string, string[]>[] {
  const keys = [{ ApiKey: [] }, { AccessToken: [] }]
  switch (operation.access) {
    case 'open':
    case 'tier':
    case 'operator':
      return []
    case 'key':
    case 'holder':
      return keys
    case 'optional':
      return [{}, ...keys]
    case 'price':
      return Object.values(catalog.tiers).some(({ operations }) => operations[endpoint.id])
        ? [{}, ...keys]
        : []
  }
}

function bodyOf({ endpoint }: Served): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const { body, docs, isForm, upstream } = endpoint
  if (upstream) return { requestBody: { content: { 'application/json': { schema: z.unknown() } } } }
  const isNeeded = !body.safeParse({}).success
  if (Object.keys(body.shape).length === 0) return {}
  const content = { schema: body, ...(docs?.example.body && { example: docs.example.body }) }
  return {
    requestBody: {
      required: isNeeded,
      content: {
        ...(isForm && { 'application/x-www-form-urlencoded': content }),
        'application/json': content,
      },
    },
  }
}

function successOf({ endpoint }: Served): ZodOpenApiResponsesObject {
  const { docs, response, upstream } = endpoint
  if (upstream) return { default: { description: 'The reply of the upstream.' } }
  const { example, emptyReply, mediaTypes = ['application/json'] } = docs ?? {}
  const content = Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      type.endsWith('json')
        ? { schema: response, ...(example && 'reply' in example && { example: example.reply }) }
        : { schema: z.string() },
    ]),
  )
  const status = docs?.status ?? 200
  return {
    [`${status}`]: { description: STATUS_CODES[status] ?? 'Done', content },
    ...(emptyReply && { [`${emptyReply.status}`]: { description: emptyReply.meaning } }),
    ...(endpoint.method === 'GET' && hasTag(mediaTypes) && { '304': notModified }),
  }
}

const notModified = { description: 'You have this form already: your If-None-Match names its ETag.' }

function hasTag(mediaTypes: readonly string[]): boolean {
  return !mediaTypes.includes('text/event-stream')
}

function failuresOf(served: Served): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    [...refusalsOf(served)]
      .toSorted(([one], [other]) => one - other)
      .map(([status, codes]) => [
        `${status}`,
        {
          description: `${STATUS_CODES[status]}: ${codes.join(', ')}.`,
          ...(headersOf[status] && { headers: headersOf[status] }),
          content: {
            'application/json': { schema: status === 402 ? paymentRequiredSchema : errorSchema },
          },
        },
      ]),
  )
}

/** The error body of the specification (part 7). */
const errorSchema = z
  .looseObject({
    error: z.string().describe('the kind of error'),
    message: z.string().describe('what happened, and what to do next'),
    code: z.string().describe('for programs').optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' })

const paymentRequiredSchema = errorSchema
  .extend({
    x402Version: z.literal(1).optional(),
    accepts: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'what clients of x402 version 1 may sign; those of version 2 read the PAYMENT-REQUIRED header',
      ),
  })
  .meta({ id: 'PaymentRequired' })

const retryAfter = { 'Retry-After': z.int().describe('seconds until the request may be repeated') }
const headersOf: Readonly<Record<number, z.ZodObject>> = {
  402: z.object({
    'PAYMENT-REQUIRED': z
      .string()
      .describe('what may be paid, to whom and on which network (x402 version 2, base64 of JSON)'),
    'X-Payment': z.string().describe('price and asset in short'),
  }),
  429: z.object({
    ...retryAfter,
    'X-RateLimit-Limit': z.int().optional().describe('calls in a window'),
    'X-RateLimit-Remaining': z.int().optional().describe('calls left in the window'),
  }),
  503: z.object(retryAfter),
}

/** Whether the document of the payments side names it: what can be bought, and nothing that needs a key. */
export function isOfPayments({ endpoint, operation }: Served): boolean {
  return isForSale(operation) || endpoint.docs?.tag === 'payments'
}
