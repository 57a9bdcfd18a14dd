import { z } from 'zod'
import { listed } from '../../../core/problems.ts'

/**
 * Describes the fields of an endpoint in words, from the schemas that check them. With texts written by hand,
 * an agent would sooner or later pay for a call whose fields had changed.
 */

type JsonSchema = z.core.JSONSchema.JSONSchema
type Part = JsonSchema | boolean | undefined

/** Describes request fields, by name: `"string, required"`, `"string, optional (up to 200 characters)"`. */
export function inputFields(body: z.ZodObject): Record<string, string> {
  const schema = toJsonSchema(body, 'input')
  return mapProperties(
    schema,
    (part, required) => `${bareType(part)}, ${required ? 'required' : 'optional'}${notes(part)}`,
  )
}

/** Describes reply fields, by name: `"boolean"`, `"object {title: string, note?: string}"`. */
export function outputFields(response: z.ZodType): Record<string, string> {
  const schema = toJsonSchema(response, 'output')
  return mapProperties(schema, (part, required) => `${typeText(part)}${required ? '' : ', optional'}`)
}

/** Makes a body with the required fields only, to copy and edit; it uses the examples of the schema. */
export function exampleBody(body: z.ZodObject): Record<string, unknown> {
  const schema = toJsonSchema(body, 'input')
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name))
  return Object.fromEntries(fields.map(([name, part]) => [name, exampleValue(name, part)]))
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

function mapProperties(
  schema: JsonSchema,
  write: (part: Part, required: boolean) => string,
): Record<string, string> {
  const required = new Set(schema.required)
  const properties = Object.entries(schema.properties ?? {})
  return Object.fromEntries(properties.map(([name, part]) => [name, write(part, required.has(name))]))
}

const formats: Readonly<Record<string, string>> = {
  'date-time': 'ISO 8601 date-time',
  uri: 'URL',
  email: 'e-mail address',
  uuid: 'UUID',
}

function typeText(part: Part): string {
  return bareType(part) + notes(part)
}

function bareType(part: Part): string {
  if (typeof part !== 'object') return 'any'
  const choices = choicesOf(part)
  if (choices) return [...new Set(choices.map((choice) => typeof choice))].join(' or ')
  const union = part.anyOf ?? part.oneOf
  if (union) return [...new Set(union.filter((one) => !isEmptyText(one)).map(typeText))].join(' or ')
  if (Array.isArray(part.type)) return part.type.join(' or ')
  if (part.type === 'array') return `array of ${Array.isArray(part.items) ? 'any' : typeText(part.items)}`
  if (part.type === 'object') return objectText(part)
  return part.type ?? 'any'
}

/** A field that may also be sent empty. */
function isEmptyText(part: Part): boolean {
  return typeof part === 'object' && part.const === ''
}

function choicesOf({ enum: choices, const: only }: JsonSchema): readonly unknown[] | undefined {
  return choices ?? (only === undefined ? undefined : [only])
}

/** The values, format and limits, in brackets. */
function notes(part: Part): string {
  if (typeof part !== 'object') return ''
  const choices = choicesOf(part)?.filter((choice) => typeof choice !== 'boolean')
  const found = [
    choices?.length ? listed(choices.map(String)) : undefined,
    part.format === undefined ? undefined : formats[part.format],
    part.maxLength === undefined ? undefined : `up to ${part.maxLength} characters`,
  ].filter((note) => note !== undefined)
  return found.length > 0 ? ` (${found.join(', ')})` : ''
}

function objectText(schema: JsonSchema): string {
  const fields = mapProperties(schema, typeText)
  const required = new Set(schema.required)
  const inner = Object.entries(fields).map(
    ([name, type]) => `${name}${required.has(name) ? '' : '?'}: ${type}`,
  )
  return inner.length > 0 ? `object {${inner.join(', ')}}` : 'object'
}

function exampleValue(name: string, part: Part): unknown {
  const schema = typeof part === 'object' ? part : {}
  const given = schema.examples?.[0] ?? schema.enum?.[0] ?? schema.const
  if (given !== undefined) return given
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return []
  if (schema.type === 'object') return {}
  return `your ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
}
