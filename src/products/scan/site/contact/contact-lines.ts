import { isStyledAsButton } from '../html/elements.ts'
import { type Element, isElement, labelOf } from '../html/visible-text.ts'
import { countWords } from '../html/words.ts'
import { writtenNumbers } from '../phone-numbers.ts'
import { streetsIn } from './street-address.ts'

/**
 * A button, and a line that is a telephone number, a mail address or a street with its label. They tell how to reach the
 * business, and nothing of who runs it.
 */
export function isContactLine(element: Element): boolean {
  const { name, children } = element
  if (name === 'button' || name === 'address' || (name === 'a' && isStyledAsButton(element))) return true
  if (!lines.has(name) || children.some((child) => isElement(child) && !inLine.has(child.name))) return false
  const text = labelOf(element)
  if (text.length > maxCharacters) return false
  const rest = text.replace(/[^\s@]{1,64}@[^\s@]{1,100}/g, ' ').replace(writtenNumbers, ' ')
  if (rest !== text) return countWords(rest) <= maxLabel
  return !/[.!?]$/.test(text) && streetsIn(text).length > 0
}

const lines: ReadonlySet<string> = new Set(['p', 'li', 'div', 'dd', 'dt'])
const inLine: ReadonlySet<string> = new Set('a b strong em i span br small svg img time'.split(' '))
const maxCharacters = 120
/** "Call us on". */
const maxLabel = 3
