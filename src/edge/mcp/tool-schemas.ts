import { z } from 'zod'
import { applyWireForm } from '../../core/documented/wire-forms.ts'
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

/** Keeps the schemas of each endpoint once they are asked for: all of them take some ten milliseconds to make. */
export function createDescribeTool(): (endpoint: Endpoint) => ToolSchemas {
  const made = new WeakMap<Endpoint, ToolSchemas>()
  return (endpoint) => {
    const schemas = made.get(endpoint) ?? describeTool(endpoint)
    made.set(endpoint, schemas)
    return schemas
  }
}

/** @throws Error for an operation whose reply is no JSON object: it can be no tool. */
function describeTool({ params, query, body, response, method }: Endpoint): ToolSchemas {
  const input = method === 'GET' ? z.strictObject({ ...params.shape, ...query.shape }) : body
  return {
    inputSchema: schemaOf(input, 'input', applyWireForm),
    outputSchema: orError(schemaOf(response, 'output', open)),
  }
}

type Override = (context: {
  readonly zodSchema: z.core.$ZodType
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}) => void

function schemaOf(schema: z.ZodType, io: 'input' | 'output', override: Override): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  if (made.type !== 'object') throw new Error('the input and the output of a tool must be JSON objects')
  return { ...made, type: 'object' }
}

/** A later version may add fields to a reply, so clients must not refuse the ones that they do not know. */
function open({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/**
 * The schema of a result, or of an error: many clients compare errors with the schema, too, and would show a mismatch
 * in place of the error.
 */
function orError({ type, $defs, ...reply }: ObjectSchema): ObjectSchema {
  const { $schema: _, ...error } = z.toJSONSchema(errorBody, { io: 'output', override: open })
  return { type, anyOf: [{ type, ...reply }, error], ...($defs === undefined ? {} : { $defs }) }
}

/** The body of specification part 7. A price has the fields of x402 besides. */
const errorBody = z.object({
  error: z.string().describe('kind of error'),
  message: z.string().describe('what is wrong, and what to do about it'),
  code: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
})
