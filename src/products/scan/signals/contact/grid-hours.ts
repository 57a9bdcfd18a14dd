import { isElement, textWithin } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'
import { daysOfWeek } from './days-and-times.ts'

/**
 * Reads opening hours from a table with a column for each day and a row for each span of time, as clinics in Japan show
 * them: a mark in a cell says that the door is open then. A cell may also hold its own times.
 * @returns as schema.org writes them; `partly` where a cell cannot be read, undefined where no table is one of hours
 */
export function hoursInGrids(page: Pick<Page, 'elements'>): readonly string[] | 'partly' | undefined {
  const tables = page.elements.filter(({ name, isHidden }) => name === 'table' && !isHidden).slice(0, 20)
  for (const { node } of tables) {
    const rows = rowsOf(node)
    const head = rows.findIndex((cells) => daysIn(cells).size >= minDays)
    const hours = head === -1 ? undefined : hoursBelow(rows.slice(head + 1), daysIn(rows[head] ?? []))
    if (hours !== undefined) return hours
  }
  return undefined
}

const minDays = 5

type Cells = readonly string[]

function rowsOf(table: Page['elements'][number]['node']): readonly Cells[] {
  const rows: Cells[] = []
  const visit = (children: typeof table.children) => {
    for (const child of children) {
      if (!isElement(child) || rows.length >= 50) continue
      if (child.name === 'tr')
        rows.push(
          child.children
            .filter(isElement)
            .filter(({ name }) => name === 'td' || name === 'th')
            .slice(0, 30)
            .map((cell) => textWithin([cell]).trim()),
        )
      else if (child.name !== 'table') visit(child.children)
    }
  }
  visit(table.children)
  return rows
}

/** The day of each column. */
function daysIn(cells: Cells): ReadonlyMap<number, string> {
  return new Map(
    cells.flatMap((text, column) => {
      const day = daysOfWeek[names.findIndex((of) => of.test(text))]
      return day === undefined ? [] : [[column, day] as const]
    }),
  )
}

/** From Monday on. Only a cell that holds nothing else is the head of a column. */
const names: readonly RegExp[] = [
  /^(?:月(?:曜日?)?|월(?:요일)?|[周週]一|星期一|mon?(?:day|tag)?\.?)$/iu,
  /^(?:火(?:曜日?)?|화(?:요일)?|[周週]二|星期二|tue?s?(?:day)?\.?|di(?:enstag)?\.?)$/iu,
  /^(?:水(?:曜日?)?|수(?:요일)?|[周週]三|星期三|wed?(?:nesday)?\.?|mi(?:ttwoch)?\.?)$/iu,
  /^(?:木(?:曜日?)?|목(?:요일)?|[周週]四|星期四|thu?(?:rs(?:day)?)?\.?|do(?:nnerstag)?\.?)$/iu,
  /^(?:金(?:曜日?)?|금(?:요일)?|[周週]五|星期五|fri?(?:day)?\.?|fr(?:eitag)?\.?)$/iu,
  /^(?:土(?:曜日?)?|토(?:요일)?|[周週]六|星期六|sat?(?:urday)?\.?|sa(?:mstag)?\.?)$/iu,
  /^(?:日(?:曜日?)?|일(?:요일)?|[周週][日天]|星期[日天]|sun?(?:day)?\.?|so(?:nntag)?\.?)$/iu,
]

function hoursBelow(
  rows: readonly Cells[],
  days: ReadonlyMap<number, string>,
): readonly string[] | 'partly' | undefined {
  const spans = new Map<string, string[]>()
  for (const cells of rows) {
    const ofRow = spanIn(cells[0] ?? '')
    if (ofRow === undefined) continue
    // A cell that spans columns would shift the others.
    if (cells.length <= Math.max(...days.keys())) return 'partly'
    for (const [column, day] of days) {
      const text = cells[column] ?? ''
      const span = spanIn(text) ?? (open.test(text) ? ofRow : undefined)
      if (span !== undefined) spans.set(span, [...(spans.get(span) ?? []), day])
      else if (!closed.test(text)) return 'partly'
    }
  }
  const hours = [...spans].map(([span, named]) => `${named.join(',')} ${span}`)
  return hours.length === 0 ? undefined : hours
}

/** `09:30-13:00` of "9:30～13:00". */
function spanIn(text: string): string | undefined {
  const [, hour = '', minute = '', end = '', last = ''] =
    /^\D{0,12}(\d{1,2})[:：時](\d{2})?分?\s{0,3}[-–—~〜～－ー]\s{0,3}(\d{1,2})[:：時](\d{2})?/u.exec(text) ??
    []
  if (hour === '' || Number(hour) > 23 || Number(end) > 24) return undefined
  const [from, to] = [`${hour.padStart(2, '0')}:${minute || '00'}`, `${end.padStart(2, '0')}:${last || '00'}`]
  return from < to ? `${from}-${to}` : undefined
}

const open = /^[●○◯◎〇⚪⚫✓✔]$/u
const closed = /^(?:[／/×✕✖xX―－ー—–-]|休診?日?|휴진|休息|closed|geschlossen)?$/iu
