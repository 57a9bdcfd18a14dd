import { z } from 'zod'
import { integer } from '../../../core/input/query-fields.ts'
import type { Page } from '../../../platform/store/page.ts'

/**
 * The operator's lists: how a page is requested and shown. Each page names the cursor of the next one, which
 * is a position in the list.
 */

const limit = integer(1, 500).default(50)

/** A time as the store writes it, in microseconds. */
export const exactTime = z.iso.datetime({ precision: 6 }).refine((text) => text >= '1970')

/**
 * The query of a list.
 * @param position where a page of it can begin.
 */
export function pageQuery<Position extends z.ZodType, Filters extends z.ZodRawShape>(
  position: Position,
  filters: Filters,
) {
  return z.strictObject({ ...filters, cursor: cursorOf(position), limit })
}

/** A page as the list's reply shows it. */
export function showPage<Row, Shown>(
  { rows, next }: Page<Row, readonly unknown[]>,
  show: (row: Row) => Shown,
): { readonly shown: Shown[]; readonly nextCursor: string | null } {
  return { shown: rows.map(show), nextCursor: next ? writeCursor(next) : null }
}

/** Reads a cursor that `writeCursor` made. */
export function cursorOf<Position extends z.ZodType>(position: Position) {
  return z
    .string()
    .max(1_000)
    .transform((text, context): z.output<Position> => {
      const parsed = position.safeParse(readJson(Buffer.from(text, 'base64url').toString()))
      if (parsed.success) return parsed.data
      context.addIssue({
        code: 'custom',
        message: 'is not a cursor of this list: use one from its last answer',
      })
      return z.NEVER
    })
    .optional()
}

export function writeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is not JSON is refused like JSON that is not a position.
    return undefined
  }
}
