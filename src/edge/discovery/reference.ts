import { z } from 'zod'
import type { HtmlPage } from '../handlers/service/html-page.ts'
import type { OpenApi } from './openapi/document.ts'
import { renderPage } from './page.ts'
import type { Site } from './site.ts'

/**
 * The API reference for people at /docs. It is one page of plain HTML, so a reader without JavaScript, or our own
 * scanner, sees all of it.
 */
export function renderReference(reference: Reference): HtmlPage {
  return renderPage('reference', reference)
}

/** What the reference says, in all its forms. */
export type Reference = ReturnType<typeof readReference>

/** Reads the reference from the same OpenAPI document that programs read. */
export function readReference(document: OpenApi, { pricing, playMoney, find }: Site) {
  // As a reader gets it: without what JSON leaves out.
  const { info, servers, tags, paths, components } = documentSchema.parse(
    JSON.parse(JSON.stringify(document)),
  )
  const schemas = components?.schemas ?? {}
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      url: `${operation.servers?.[0]?.url ?? servers[0]?.url ?? ''}${path}`,
      path,
      inputs: [
        ...(operation.parameters ?? []).map((one) => ({
          name: one.name,
          place: one.in,
          isRequired: one.required ?? false,
          ...described(one.schema, schemas),
          ...(one.description !== undefined && { note: one.description }),
        })),
        ...fieldsOf(operation.requestBody, schemas, 'body'),
      ],
      outputs: Object.entries(operation.responses)
        .filter(([status]) => status === '200' || status === '201')
        .flatMap(([, response]) => fieldsOf(response, schemas, 'reply')),
      statuses: Object.entries(operation.responses).map(([status, { description }]) => ({
        status,
        description,
      })),
      example: exampleOf(operation.requestBody),
      access: accessOf(operation),
    })),
  )
  return {
    title: info.title,
    version: info.version,
    description: pricing.description,
    playMoney,
    sections: tags
      .map(({ name, description }) => ({
        name,
        description,
        operations: operations.filter((one) => one.tags.includes(name)),
      }))
      .filter((section) => section.operations.length > 0),
    openApiUrl: find('/openapi.json'),
    paymentsOpenApiUrl: find('/payments/openapi.json'),
    pricingUrl: find('/pricing'),
    guideUrl: find('/agents.md'),
    homeUrl: find('/'),
    markdownUrl: find('/docs.md'),
  }
}

const schemaPart = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.unknown()).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})
const content = z.looseObject({
  content: z
    .record(z.string(), z.looseObject({ schema: z.unknown().optional(), example: z.unknown().optional() }))
    .optional(),
})
const operationPart = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: z.unknown(),
      }),
    )
    .optional(),
  requestBody: content.optional(),
  responses: z.record(z.string(), content.extend({ description: z.string() })),
  'x-payment-info': z
    .looseObject({ price: z.looseObject({ amount: z.string().optional(), max: z.string().optional() }) })
    .optional(),
})
const documentSchema = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.looseObject({ url: z.string() })),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationPart)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).optional() }).optional(),
})

type Schemas = Readonly<Record<string, unknown>>

function resolve(schema: unknown, schemas: Schemas): z.infer<typeof schemaPart> {
  const part = schemaPart.safeParse(schema)
  if (!part.success) return {}
  const name = part.data.$ref?.split('/').at(-1)
  return name === undefined ? part.data : resolve(schemas[name], schemas)
}

function described(schema: unknown, schemas: Schemas) {
  const { enum: choices, default: usual, description: note } = resolve(schema, schemas)
  const kind = [...new Set(kindsOf(schema, schemas))].join(' or ') || 'any'
  const among = choices && `: ${choices.join(', ')}`
  return {
    type: `${kind}${among ?? ''}${usual === undefined ? '' : `, ${JSON.stringify(usual)} when left out`}`,
    note,
  }
}

/** The types that a value may have. One that may be null may be left out as well, which a reader need not know. */
function kindsOf(schema: unknown, schemas: Schemas): string[] {
  const { type, anyOf = [] } = resolve(schema, schemas)
  const kinds = type === undefined ? anyOf.flatMap((one) => kindsOf(one, schemas)) : [type].flat()
  return kinds.length > 1 ? kinds.filter((kind) => kind !== 'null') : kinds
}

function fieldsOf(part: z.infer<typeof content> | undefined, schemas: Schemas, place: string) {
  const json = Object.entries(part?.content ?? {}).find(([type]) => type.endsWith('json'))?.[1]
  const { properties = {}, required = [] } = resolve(json?.schema, schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place,
    isRequired: required.includes(name),
    ...described(schema, schemas),
  }))
}

function exampleOf(body: z.infer<typeof content> | undefined): string | undefined {
  const example = body?.content?.['application/json']?.example
  return example === undefined ? undefined : JSON.stringify(example, null, 2)
}

function accessOf(operation: z.infer<typeof operationPart>): string {
  const price = operation['x-payment-info']?.price
  if (price)
    return price.amount === undefined ? `up to $${price.max} by payment` : `$${price.amount} by payment`
  const ways = operation.security ?? []
  if (ways.length === 0) return 'open'
  return ways.some((way) => Object.keys(way).length === 0) ? 'free quota, or API key' : 'API key'
}
