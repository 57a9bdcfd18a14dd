import { shown } from '../addresses.ts'
import { type Evidence, fail, type Outcome, pass } from '../check.ts'
import type { Page } from '../site.ts'
import { type HiddenPart, readTexts } from './hidden-text.ts'
import { injectionPatterns } from './injection-patterns.ts'
import { counted } from './share.ts'

/**
 * Whether a page gives orders to assistants where people cannot see them. An assistant that obeys is steered
 * by a stranger; one that notices refuses the whole site. Often the owner of the site does not know of it.
 */
export function judgeInjection(pages: readonly Page[]): Outcome {
  const found: { aim: string; place: Evidence }[] = []
  let looked = 0
  for (const page of pages) {
    const { hidden, all } = readTexts(page)
    looked += hidden.length
    const run = all.map(invisibleRun).find((text) => text !== undefined)
    if (run !== undefined) {
      const value = `${counted(Array.from(run).length, 'invisible character')} in a row: ${shown(run, 60)}`
      found.push({ aim: 'read what is written in invisible characters', place: { url: page.url, value } })
    }
    const order = firstOrder(hidden)
    if (order) found.push({ aim: order.aim, place: { url: page.url, value: order.value } })
    if (found.length >= 5) break
  }
  const [first] = found
  if (!first) {
    return pass(`No instructions for assistants are hidden in ${counted(pages.length, 'page')}.`, {
      url: pages[0]?.url ?? '',
      value: `${counted(looked, 'comment, attribute or hidden part')} looked at`,
    })
  }
  return fail(
    `A part of the page that people do not see tells assistants to ${first.aim}. Assistants may be steered by it, or refuse the site.`,
    `Remove it from ${first.place.url}, and find out who put it there.`,
    ...found.slice(0, 5).map(({ place }) => place),
  )
}

/** Of one page. Hidden text beyond that is not searched: no honest page has as much. */
const mostHidden = 100_000

function firstOrder(hidden: readonly HiddenPart[]): { aim: string; value: string } | undefined {
  let left = mostHidden
  for (const { kind, text } of hidden) {
    if (left <= 0) return undefined
    const plain = legible(text.slice(0, left))
    left -= text.length
    for (const { aim, pattern } of injectionPatterns) {
      const order = pattern.exec(plain)?.[0]
      if (order !== undefined) return { aim, value: `${kind}: “${shown(order, 100)}”` }
    }
  }
  return undefined
}

/** As a model reads it: without what breaks words up invisibly, look-alike forms and line ends. */
function legible(text: string): string {
  return text.normalize('NFKC').replace(invisible, '').split(/\s+/u).join(' ')
}

/** Soft hyphens, zero width, direction, variation selectors and tags. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{VS}\u{e0000}-\u{e007f}]/gu

/** Six or more in a row say something, or hide something; what joins emoji and letters stands alone. */
function invisibleRun(text: string): string | undefined {
  // The flags of England, Scotland and Wales are a black flag with six tag characters.
  const withoutFlags = text.replace(/\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu, '')
  return /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{VS}\u{e0000}-\u{e007f}]{6,}/u.exec(
    withoutFlags,
  )?.[0]
}
