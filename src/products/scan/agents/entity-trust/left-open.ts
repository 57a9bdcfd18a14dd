import type { Evidence } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { isOpenEntry, templateTextIn } from '../../site/html/template-text.ts'
import type { Page } from '../../site/site.ts'

/** What a page has of its template. */
interface LeftOpen extends Evidence {
  /** How many lines are to be filled in. */
  readonly count: number
}

/** The first line of a page that its template left to be filled in, because its words say what is missing; undefined where there is none. */
export function leftOpenOn({ url, text, lines }: Page): LeftOpen | undefined {
  // A phrase may be spread over several lines, so the whole text decides.
  const entries = lines.slice(0, 2_000).filter(isOpenEntry)
  const left = templateTextIn(text) ?? entries[0]
  if (left === undefined) return undefined
  const open = lines.slice(0, 2_000).filter((line) => isOpenEntry(line) || templateTextIn(line) !== undefined)
  return {
    url,
    value: shown(open.find((line) => line.includes(left)) ?? left),
    count: Math.max(1, open.length),
  }
}

export function fillIn({ url, value, count = 1 }: Evidence & { readonly count?: number }): string {
  const more = count > 1 ? `, and ${counted(count - 1, 'more line')} of the kind` : ''
  return `Fill in, or take out, what the template left open on ${shown(url)}: "${shown(value, 100)}"${more}.`
}
