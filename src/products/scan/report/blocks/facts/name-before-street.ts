import { shown } from '../../../site/addresses.ts'
import { streetsIn } from '../../../site/contact/street-address.ts'
import type { Page } from '../../../site/site.ts'

/**
 * The name that stands before the street on two pages or more: "Praxis Lind · Gartenweg 12". A title such as "Welcome"
 * tells no name, and a footer often does. A word of it must stand in the domain as well, because other names stand
 * before streets, too.
 */
export function nameBeforeStreet(pages: readonly Page[], home: string): string | undefined {
  const label = new URL(home).hostname.toLowerCase().replace(/^www\./, '')
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const name of new Set(namesIn(page)))
      if (isOfDomain(name, label)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one)
  return best !== undefined && best[1] > 1 ? best[0] : undefined
}

/** In the line of a street what stands before it, else the line above. */
function namesIn({ lines }: Page): string[] {
  return lines.slice(0, maxLines).flatMap((line, place) => {
    if (line.length > 500) return []
    return streetsIn(line).flatMap(({ index }) => {
      const before = line.slice(0, index).trim()
      const part = (before === '' ? (lines[place - 1] ?? '') : before).split(/\s?[·|•,;]\s?|\s[–—-]\s/)
      const name = part.findLast((one) => one.trim() !== '')?.trim() ?? ''
      return /^\p{Lu}/u.test(name) && name.length <= 60 && !name.endsWith(':') ? [shown(name, 60)] : []
    })
  })
}

const maxLines = 2_000

function isOfDomain(name: string, label: string): boolean {
  const words = name.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return words.some((word) =>
    label.includes(
      word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss'),
    ),
  )
}
