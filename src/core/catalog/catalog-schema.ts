import { z } from 'zod'
import type { Catalog } from './catalog.ts'
import { crossFaults } from './faults.ts'
import { operation, readOperation } from './operation-schema.ts'
import { partsOf, soundEntries } from './parts.ts'
import { withPresets } from './presets.ts'
import { meter } from './prices.ts'
import { operationId, tier } from './tier-schema.ts'
import { readUpstream, upstream, upstreamId } from './upstreams.ts'

/** Address of a page. */
const page = z.url({ protocol: /^https?$/ }).max(500)

/**
 * The shape of `pricing/catalog.yaml`. Unknown keys are refused: a misspelt `price` must not turn into a free
 * operation.
 */
const writtenCatalog = z
  .strictObject({
    provider: z
      .strictObject({
        name: z.string().min(1).max(100).describe('The seller’s name in the pricing document.'),
        description: z.string().min(1).max(1000).describe('What the service does, in a sentence or two.'),
        website: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe('Where people read more; when left out, the page with the prices.'),
        contact: z
          .string()
          .regex(
            /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
            'must be mailto: with an address, or an https address',
          )
          .max(300)
          .optional()
          .describe('Where weaknesses and questions are told: mailto: or https; public in security.txt.'),
        icon: z
          .url({ protocol: /^https$/ })
          .max(500)
          .optional()
          .describe('The icon that directories show; when left out, one of our own.'),
        tags: z
          .array(z.string().regex(/^[a-z0-9][a-z0-9 -]{0,31}$/, 'tags are lower-case words'))
          .max(5)
          .optional()
          .describe('Up to five words by which directories of paid services find it.'),
        about: z.string().min(1).max(3000).optional().describe('Who you are, for the home page.'),
        address: z.string().min(1).max(300).optional().describe('Your address, in one line.'),
        phone: z
          .string()
          .regex(/^\+?[\d ()./-]{5,30}$/, 'must be a telephone number')
          .optional()
          .describe('Your telephone number.'),
        profiles: z.array(page).max(10).optional().describe('Pages about you elsewhere, such as a register.'),
        terms: page.optional().describe('The page with your terms.'),
        privacy: page.optional().describe('The page with your privacy notice.'),
      })
      .describe('Who offers these operations.'),
    upstreams: z
      .record(upstreamId, upstream)
      .default({})
      .describe('Servers behind the gateway, by name. Operations with a route lead to them.'),
    operations: z
      .record(operationId, operation)
      .describe('One entry for each operation id. An operation without an entry is not served.'),
    tiers: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'tiers are lower-case words'), tier)
      .default({})
      .describe('What subscribers get, by the name of their tier.'),
  })
  .meta({ title: 'tollgate catalog' })

/**
 * Reads the content of the file into the catalog that the program uses. Every fault is found at once: an entry
 * that is faulty, or missing, does not hide what contradicts the others.
 * @param ownPrefixes the prefixes of our own paths, which no upstream may use.
 */
export function catalogSchema(ownPrefixes: readonly string[]) {
  return z.unknown().transform((given, context): Catalog => {
    const input = withPresets(given)
    const { data, error } = writtenCatalog.safeParse(input)
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue })
    for (const { path, message } of crossFaults(partsOf(input), ownPrefixes)) {
      context.addIssue({ code: 'custom', path: [...path], message, input })
    }
    if (data === undefined) return z.NEVER
    const { provider, upstreams, operations, tiers } = data
    return {
      provider,
      upstreams: mapValues(upstreams, readUpstream),
      operations: mapValues(operations, (written) => readOperation(written, tiers)),
      tiers,
    }
  })
}

/**
 * Reads the upstreams of a faulty catalog that have no fault themselves, so that the settings and files which
 * they name can be checked as well.
 */
export function readUpstreams(written: unknown): Catalog['upstreams'] {
  return mapValues(soundEntries(withPresets(written), 'upstreams', upstream), readUpstream)
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/**
 * Writes the form of the file as JSON Schema: `pricing/catalog.schema.json` is this text. Editors offer and
 * explain the keys by it. It is draft 7, the newest that the YAML language server supports in full.
 */
export function catalogJsonSchema(): string {
  const schema = z.toJSONSchema(writtenCatalog, {
    target: 'draft-07',
    // The file as written: keys with a default may be left out.
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // A preset may set it.
      if (zodSchema === meter)
        jsonSchema.required = (jsonSchema.required ?? []).filter((key) => key !== 'per')
    },
  })
  return `${JSON.stringify(schema, null, 2)}\n`
}
