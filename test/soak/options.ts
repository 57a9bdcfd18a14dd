import { parseArgs } from 'node:util'
import { z } from 'zod'

/** Options of the named runs, as zod schemas of the text that the command line has. */

export const count = (otherwise: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).default(otherwise)

/** Some of these words, separated by commas; all when left out. */
export const listOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .default(words.join(','))
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(words)))

/** Settings of the gateways, each as NAME=VALUE. The value may contain equals signs. */
export const settings = z
  .array(z.string().regex(/^[A-Z_]+=/, 'must be NAME=VALUE'))
  .default([])
  .transform((pairs) =>
    Object.fromEntries(
      pairs.map((pair) => {
        const end = pair.indexOf('=')
        return [pair.slice(0, end), pair.slice(end + 1)] as const
      }),
    ),
  )

/**
 * Reads the options of a run. `set` may occur several times; all others have one value.
 * @param switches names of options without a value; each is true when it is there.
 * @throws z.ZodError for a faulty value, and TypeError for an option that the run does not have.
 */
export function readOptions<Shape extends z.ZodRawShape>(
  args: readonly string[],
  schema: z.ZodObject<Shape>,
  switches: readonly string[] = [],
): z.infer<z.ZodObject<Shape>> {
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.keys(schema.shape).map((name) => [
        name,
        {
          type: switches.includes(name) ? ('boolean' as const) : ('string' as const),
          multiple: name === 'set',
        },
      ]),
    ),
  })
  return schema.parse(values)
}

/** A signal that is aborted when the soak is asked to end. */
export function stopOnSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error(signal)))
  return stop.signal
}
