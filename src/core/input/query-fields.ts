import { z } from 'zod'
import { wireForms } from '../documented/wire-forms.ts'

/** A yes or no in a query string. */
export const flag = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .register(wireForms, { type: 'boolean' })

/** The same for clients that write it in other ways: `1`, `True`. */
export const flagOrNumber = z
  .enum(['true', 'false', 'True', 'False', '1', '0'])
  .transform((word) => word !== '0' && word.toLowerCase() !== 'false')

/**
 * A whole number in a query string, in plain digits. A looser reader would take `1e2`, `0x10` and ` 5`, which
 * another reader of the same address takes for something else.
 */
export function integer(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}, in plain digits`
  return z
    .string({ error })
    .regex(/^(?:0|[1-9]\d{0,14})$/, { error, abort: true })
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
    .register(wireForms, { type: 'integer', minimum: min, maximum: max })
}
