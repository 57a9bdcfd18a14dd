import { z } from 'zod'
import type { Endpoint } from '../../core/endpoint.ts'

/** The JSON Schemas of a tool, made of the same zod schemas that check its calls. */
export interface ToolSchemas {
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
}

export interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
}

type Described = Pick<Endpoint, 'method' | 'params' | 'query' | 'body' | 'response'>

/** @throws Error for an operation whose reply is no JSON object: it can be no tool. */
function describeTool(endpoint: Described): ToolSchemas {
  const { params, query, body, response, method } = endpoint
  const inputSchema = method === 'GET' ? objectOf({ ...params.shape, ...query.shape }) : requestSchema(body)
  return { inputSchema, outputSchema: replySchema(response) }
}

/** Keeps the schemas of each endpoint once they are asked for: all of them take some ten milliseconds to make. */
export function createDescribeTool(): (endpoint: Endpoint) => ToolSchemas {
  const made = new WeakMap<Endpoint, ToolSchemas>()
  return (endpoint) => {
    const schemas = made.get(endpoint) ?? describeTool(endpoint)
    made.set(endpoint, schemas)
    return schemas
  }
}

/**
 * Parameters and query fields come as text over HTTP, and as JSON here: a limit is a number. So each field is
 * described as what its text is read to.
 */
function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): ObjectSchema {
  const fields = Object.entries(shape)
  const required = fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** A field that is read to something of ours, such as the terms of a search, is described as what is sent. */
function fieldSchema(field: z.core.$ZodType): object {
  const { $schema: _, ...read } = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' })
  if (read.type !== undefined) return read
  const { $schema: __, ...sent } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  return sent
}

function requestSchema(body: z.ZodObject): ObjectSchema {
  return asObject(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
}

/** A later version may add fields to a reply, so clients must not refuse the ones that they do not know. */
function replySchema(response: z.ZodType): ObjectSchema {
  return asObject(
    z.toJSONSchema(response, {
      io: 'output',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    }),
  )
}

function asObject({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema): ObjectSchema {
  if (schema.type !== 'object') throw new Error('the input and the output of a tool must be JSON objects')
  return { ...schema, type: 'object' }
}
