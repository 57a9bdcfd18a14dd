import { isVisible } from '../../core/text/visible.ts'

const maxCharacters = 200

/**
 * Free text that lists, the journal and the audit trail show as one line. Hidden characters could turn or end
 * the line, or make two different texts look the same; PostgreSQL refuses some of them.
 */
export function isVisibleLine(text: string): boolean {
  return [...text].length <= maxCharacters && isVisible(text)
}
