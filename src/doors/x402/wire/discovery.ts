import { z } from 'zod'
import type { Catalog } from '../../../core/catalog/catalog.ts'
import { applyWireForm } from '../../../core/documented/wire-forms.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import type { Extensions } from './extensions.ts'

/**
 * What a 402 says for the catalogs of paid services (Bazaar): how the operation is called, with an example, and who
 * offers it. A facilitator lists what it has settled by it. The schemas hold no descriptions: a client repeats them in
 * its payment header, and proxies allow little. `declareDiscoveryExtension()` of @x402/extensions writes twice as much.
 */

export type ListedEndpoint = Partial<Pick<Endpoint, 'method' | 'body' | 'query' | 'docs' | 'upstream'>>

/**
 * @param tool the name of the tool that sells it; undefined for the operation itself.
 * @returns no extension for an endpoint of which nothing is known.
 */
export function discovery(endpoint: ListedEndpoint, tool: string | undefined): Extensions {
  const { method } = endpoint
  if (method === undefined) return {}
  const input = tool === undefined ? httpInput(endpoint, method) : toolInput(endpoint, tool)
  const example = shortened(endpoint.docs?.example.reply)
  return {
    bazaar: {
      info: { input: input.info, ...(isObject(example) && { output: { type: 'json', example } }) },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          input: {
            type: 'object',
            properties: input.properties,
            required: Object.keys(input.info),
          },
          ...(isObject(example) && {
            output: { type: 'object', properties: { example: { type: 'object' } } },
          }),
        },
        required: ['input'],
      },
    },
  }
}

/**
 * The same for clients and directories of version 1, which look for it in `outputSchema` of a requirement. The
 * specification calls that a schema of the response; its own middleware and facilitator, and x402scan, write and read the
 * input there as well.
 */
export function discoveryV1({ method, body, query, docs, upstream }: ListedEndpoint): object | undefined {
  if (method === undefined) return undefined
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  const fields = upstream ? {} : fieldsV1(hasBody ? body : query)
  const example = shortened(docs?.example.reply)
  return {
    input: {
      type: 'http',
      method,
      discoverable: true,
      ...(hasBody ? { bodyType: 'json', bodyFields: fields } : { queryParams: fields }),
    },
    ...(isObject(example) && { output: example }),
  }
}

function fieldsV1(schema: z.ZodObject | undefined): object {
  const { properties, required } = bareSchema.parse(fieldsOf(schema))
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    { ...field, required: required.includes(name) },
  ])
  return Object.fromEntries(fields)
}

const bareSchema = z.object({
  properties: z.record(z.string(), z.looseObject({})).default({}),
  required: z.array(z.string()).default([]),
})

interface Input {
  readonly info: object
  readonly properties: object
}

function httpInput({ body, query, docs, upstream }: ListedEndpoint, method: string): Input {
  const only = (word: string) => ({ const: word })
  const common = { type: only('http'), method: only(method) }
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') {
    return {
      info: { type: 'http', method, queryParams: docs?.example.query ?? {} },
      properties: { ...common, queryParams: fieldsOf(upstream ? undefined : query) },
    }
  }
  return {
    info: { type: 'http', method, bodyType: 'json', body: docs?.example.body ?? {} },
    properties: { ...common, bodyType: only('json'), body: fieldsOf(upstream ? undefined : body) },
  }
}

function toolInput({ body, docs }: ListedEndpoint, name: string): Input {
  return {
    info: {
      type: 'mcp',
      toolName: name,
      transport: 'streamable-http',
      inputSchema: fieldsOf(body),
      example: docs?.example.body ?? {},
    },
    properties: {
      type: { const: 'mcp' },
      toolName: { type: 'string' },
      transport: { type: 'string', enum: ['streamable-http', 'sse'] },
      inputSchema: { type: 'object' },
      example: { type: 'object' },
    },
  }
}

/** Names and types of fields, without what explains them. */
function fieldsOf(schema: z.ZodObject | undefined): object {
  if (!schema) return { type: 'object' }
  const { type, properties, required } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: applyWireForm,
  })
  const bare = Object.entries(properties ?? {}).map(([name, part]) => {
    const { type: kind, enum: choices } = typeof part === 'object' ? part : {}
    return [name, { ...(kind && { type: kind }), ...(choices && { enum: choices }) }]
  })
  return { type, properties: Object.fromEntries(bare), ...(required && { required }) }
}

/**
 * The example of a reply in short: texts are cut, and objects within it have their first fields only. The whole stands
 * in the API description; here it would take more of the head than all that clients pay by.
 */
function shortened(value: unknown, maxFields = Number.POSITIVE_INFINITY): unknown {
  if (typeof value === 'string') return value.length <= 20 ? value : `${value.slice(0, 19)}…`
  if (Array.isArray(value)) return value.slice(0, 1).map((part) => shortened(part, maxNested))
  if (!isObject(value)) return value
  const fields = Object.entries(value).slice(0, maxFields)
  return Object.fromEntries(fields.map(([name, part]) => [name, shortened(part, maxNested)]))
}

const maxNested = 3

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Who offers a resource, within the limits of the catalogs. */
export interface ServiceMetadata {
  /** At most 32 ASCII characters. */
  readonly serviceName?: string
  readonly tags?: readonly string[]
  readonly iconUrl?: string
}

/** @param iconUrl our own icon, where the catalog names none. */
export function serviceMetadata({ name, tags, icon }: Catalog['provider'], iconUrl: string): ServiceMetadata {
  const serviceName = name
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 32)
    .trim()
  const shown = icon ?? iconUrl
  return {
    ...(serviceName !== '' && { serviceName }),
    ...(tags && tags.length > 0 && { tags: tags.slice(0, 5) }),
    // Catalogs refuse an icon that a page with https could not show.
    ...(shown.startsWith('https:') && { iconUrl: shown }),
  }
}
