import type { Evidence } from '../../findings/check.ts'
import { shown } from '../../site/addresses.ts'
import { templateTextIn } from '../../site/html/template-text.ts'
import type { Page } from '../../site/site.ts'

/** The line of a page that its template left to be filled in, because its words say what is missing; undefined where there is none. */
export function leftOpenOn({ url, text, lines }: Page): Evidence | undefined {
  const left = templateTextIn(text)
  return left === undefined
    ? undefined
    : { url, value: shown(lines.find((line) => line.includes(left)) ?? left) }
}

export function fillIn({ url, value }: Evidence): string {
  return `Fill in, or take out, what the template left open on ${shown(url)}: "${shown(value, 100)}".`
}
