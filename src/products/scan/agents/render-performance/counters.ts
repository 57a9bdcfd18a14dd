import { fail, type Outcome, pass } from '../../findings/check.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Judges whether figures that a script counts up stand in the HTML. Programs that run no scripts read what the script
 * begins with, and quote "0 happy patients".
 */
export function judgeCounters(pages: readonly Page[]): Outcome {
  const waiting = pages.flatMap(waitingFigures)
  const [first] = waiting
  if (first === undefined)
    return pass('No figure stands as 0 in the HTML until a script counts it up.', {
      url: pages[0]?.url ?? '',
      value: `0 figures that wait on ${counted(pages.length, 'page')}`,
    })
  return fail(
    `${counted(waiting.length, 'figure')} ${waiting.length === 1 ? 'stands' : 'stand'} as 0 in the HTML until a script counts ${waiting.length === 1 ? 'it' : 'them'} up. Most programs run no scripts and quote the 0.`,
    `Write ${first.end} into the HTML of ${shown(first.url)}, in place of the 0 for "${first.label}". A script may still count up to it.${andTheRest(waiting.length - 1, 'figure')}`,
    ...waiting
      .slice(0, maxPlaces)
      .map(({ url, label, end }) => ({ url, value: `0 for "${label}", and ${end} by a script` })),
  )
}

interface Figure {
  readonly url: string
  /** The figure that visitors see in the end. */
  readonly end: string
  /** What is counted. */
  readonly label: string
}

function waitingFigures({ url, elements }: Page): Figure[] {
  return elements.flatMap(({ node }) => {
    const end = ends.map((name) => attributeOf(node, name).trim()).find((value) => isFigure.test(value))
    if (end === undefined || node.children.some(isElement)) return []
    const text = textWithin([node]).trim()
    if (!/^[+~>]?\s?0(?:[.,]0+)?\s?(?:[+%★]|k|m)?$/i.test(text)) return []
    const label = labelFor(node, text)
    return label === undefined ? [] : [{ url, end, label }]
  })
}

/** What is counted stands in the box around the figure, or beside that. A box with many elements holds more than one figure. */
function labelFor({ parent }: Element, figure: string): string | undefined {
  let box = parent
  for (let level = 0; level < maxLevels && isElement(box) && isSmall(box); level += 1) {
    const label = shownInQuotes(textWithin([box]).replace(figure, ' ').replace(/\s+/g, ' ').trim(), 60)
    if (/\p{L}{2}/u.test(label)) return level > 0 && /\d/.test(label) ? undefined : label
    box = box.parent
  }
  return undefined
}

const maxLevels = 4

/** With few elements in it, however deep: its text is read for each figure. */
function isSmall(box: Element): boolean {
  let left = maxInBox
  const count = (outer: Element): boolean =>
    outer.children.every((child) => {
      left -= 1
      return left >= 0 && (!isElement(child) || count(child))
    })
  return count(box)
}

const maxInBox = 20

/** Where the scripts that count up keep the figure at the end. */
const ends = [
  ...['data-target', 'data-count', 'data-to', 'data-end', 'data-stop', 'data-number', 'data-counter'],
  ...['data-final', 'data-value', 'data-val', 'data-countup', 'data-count-to', 'data-purecounter-end'],
]

/** More than a switch, which is 0 or 1. */
const isFigure = /^(?!0*1?$)\d{1,3}(?:[.,]?\d{1,3}){0,4}$/
