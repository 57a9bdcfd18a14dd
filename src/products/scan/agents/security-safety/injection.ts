import { type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import type { Page } from '../../site/site.ts'
import { type HiddenPart, readTexts } from './hidden-text.ts'
import { injectionPatterns } from './injection-patterns.ts'

/**
 * Judges whether a page gives orders to assistants in text that people do not see. An assistant that obeys
 * serves the author of the text, and one that notices refuses the whole site. The owner often does not know
 * about it.
 */
export function judgeInjection(pages: readonly Page[]): Outcome {
  // Keyed by the text, because a template repeats a comment on every page.
  const orders = new Map<string, { aim: string; place: Evidence }>()
  const runs: Evidence[] = []
  let partCount = 0
  let isWhole = true
  for (const page of pages) {
    const { url } = page
    const { hidden, all } = readTexts(page)
    partCount += hidden.length
    const { matches, isSearched } = ordersIn(hidden)
    isWhole &&= isSearched
    for (const { aim, value } of matches) {
      if (!orders.has(value) && orders.size < maxQuotes) orders.set(value, { aim, place: { url, value } })
    }
    const run = all.map(invisibleRun).find((text) => text !== undefined)
    if (run === undefined || runs.length === maxQuotes) continue
    const value = `${counted(Array.from(run).length, 'invisible character')} in a row: ${shown(run, 60)}`
    runs.push({ url, value })
  }
  const [first] = orders.values()
  const evidence = [...Array.from(orders.values(), ({ place }) => place), ...runs].slice(0, maxQuotes)
  const [place] = evidence
  if (!place) {
    if (!isWhole) return unmeasured('The pages hold more hidden text than was searched.')
    return pass(`No instructions for assistants were found hidden in ${counted(pages.length, 'page')}.`, {
      url: pages[0]?.url ?? '',
      value: `${counted(partCount, 'comment, attribute or hidden part', 'comments, attributes and hidden parts')} looked at`,
    })
  }
  const fix = `Remove the hidden instruction from ${place.url}, and find out who put it there.`
  if (!first) {
    return fail(
      'The text holds a run of invisible characters, in which words can be hidden from people and told to assistants. Assistants may be steered by it, or refuse the site.',
      fix,
      ...evidence,
    )
  }
  return fail(
    `A part of the page that people do not see tells assistants to ${first.aim}. Assistants may be steered by it, or refuse the site.`,
    fix,
    ...evidence,
  )
}

const maxQuotes = 5

/** Characters of hidden text searched on one page; pages for readers hide less. */
const maxHidden = 1_000_000

/** Finds the first order in each hidden part. */
function ordersIn(hidden: readonly HiddenPart[]): {
  matches: { aim: string; value: string }[]
  isSearched: boolean
} {
  const matches: { aim: string; value: string }[] = []
  let left = maxHidden
  for (const { kind, text } of hidden) {
    if (left <= 0) return { matches, isSearched: false }
    const plain = legible(text.slice(0, left))
    left -= text.length
    for (const { aim, pattern } of injectionPatterns) {
      const order = pattern.exec(plain)?.[0]
      if (order === undefined) continue
      matches.push({ aim, value: `${kind}: “${shown(order, 100)}”` })
      break
    }
    if (matches.length === maxQuotes) break
  }
  return { matches, isSearched: left >= 0 }
}

/**
 * Normalizes the text as a model reads it: without invisible characters, look-alike forms and line breaks.
 */
function legible(text: string): string {
  return text.normalize('NFKC').replace(invisible, '').split(/\s+/u).join(' ')
}

/** Soft hyphens, zero-width characters, direction marks, variation selectors and tags. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{VS}\u{e0000}-\u{e007f}]/gu

/**
 * Finds six or more invisible characters in a row, which hide a text. Those that join emoji or letters stand
 * alone.
 */
function invisibleRun(text: string): string | undefined {
  // The flags of England, Scotland and Wales are a black flag with up to six tag characters.
  const withoutFlags = text.replace(/\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu, '')
  return /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{VS}\u{e0000}-\u{e007f}]{6,}/u.exec(
    withoutFlags,
  )?.[0]
}
