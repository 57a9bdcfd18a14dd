import { z } from 'zod'
import { isVisible } from '../../core/text/visible.ts'

const maxCharacters = 200

/**
 * Free text that lists, the journal and the audit trail show as one line. Hidden characters could turn or end
 * the line, or make two different texts look the same; PostgreSQL refuses some of them.
 */
export const visibleLine = z.string().refine((text) => [...text].length <= maxCharacters && isVisible(text), {
  error: 'must be one line of 1 to 200 characters, without hidden ones',
})
