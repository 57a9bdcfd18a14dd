import { z } from 'zod'

/**
 * How a value of a query string looks to a caller, where the schema that reads it says less: a limit is a whole number
 * to the caller, and text to the reader of the address.
 */
export const wireForms = z.registry<WireForm>()

export type WireForm =
  | { readonly type: 'boolean' }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }

/** For writers of JSON Schema: puts the wire form in the place of the schema that reads it. */
export function applyWireForm({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodType
  readonly jsonSchema: object
}): void {
  // zod leaves a default out where reading changes the type of the value.
  if (zodSchema instanceof z.ZodDefault && wireForms.has(zodSchema.unwrap())) {
    Object.assign(jsonSchema, { default: zodSchema.def.defaultValue })
  }
  const form = wireForms.get(zodSchema)
  if (!form) return
  for (const key of ['pattern', 'enum', 'format'] as const) Reflect.deleteProperty(jsonSchema, key)
  Object.assign(jsonSchema, form)
}
