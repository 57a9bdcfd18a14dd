import { type CheerioAPI, load } from 'cheerio'

/**
 * HTML to a tree, with an end to what it may cost. An HTML parser looks through all open elements for many
 * tags, compares each attribute with those before it, and repeats unclosed formatting in every paragraph:
 * two megabytes made for it take minutes or all memory. A page that goes over a limit is read up to there.
 */
export function parseHtml(html: string): CheerioAPI {
  const elements = { count: 0, open: 0 }
  let document: ReturnType<typeof adapter.createDocument> | undefined
  try {
    return load(limitAttributes(html.slice(0, maxCharacters)), {
      treeAdapter: {
        ...adapter,
        createDocument() {
          const created = adapter.createDocument()
          document ??= created
          return created
        },
        createElement(...parts) {
          elements.count += 1
          if (elements.count > maxElements) throw new TooMuch()
          return adapter.createElement(...parts)
        },
        onItemPush() {
          elements.open += 1
          if (elements.open > maxOpen) throw new TooMuch()
        },
        onItemPop() {
          elements.open -= 1
        },
      },
    })
  } catch (error) {
    if (error instanceof TooMuch && document !== undefined) return load(document)
    throw error
  }
}

const maxCharacters = 2 * 1024 * 1024
/** Selecting among more takes cheerio minutes; a page for people has a few thousand. */
const maxElements = 30_000
/** As deep as browsers build a tree, so that whoever walks it may do so by recursion. */
const maxOpen = 512
const maxAttributes = 500

class TooMuch extends Error {}

/** What cheerio builds its tree with. */
const adapter = baseAdapter()

function baseAdapter() {
  const { treeAdapter } = load('').root().options
  if (treeAdapter === undefined) throw new Error('cheerio no longer tells which tree adapter it parses with')
  return treeAdapter
}

/**
 * Closes a tag after its 500th attribute. Whether "<x" begins a tag depends on what stands before it, and a
 * hostile page can make that as hard to tell as it likes; so each "<x" is followed by itself, as if it did.
 * A closing ">" too many inside a script or a comment changes nothing that is read.
 */
function limitAttributes(html: string): string {
  let limited = ''
  let from = 0
  let budget = html.length * 8
  for (const { index } of html.matchAll(/<[a-z]/gi)) {
    if (index < from) continue
    const { isLong, end } = followTag(html, index + 2)
    budget -= end - index
    if (budget < 0) return limited + html.slice(from, index)
    if (!isLong) continue
    limited += `${html.slice(from, end)}>`
    from = end
  }
  return limited + html.slice(from)
}

/**
 * Where the tag ends whose name goes on at `start`, or where one attribute too many begins. Attributes are told
 * apart exactly as the parser does (HTML, 13.2.5.32 and after): a difference is a way around the limit.
 */
function followTag(html: string, start: number): { isLong: boolean; end: number } {
  let end = lastOf(/[^\t\n\f\r />]*/y, html, start)
  for (let attributes = 0; ; attributes += 1) {
    const begin = lastOf(/[\t\n\f\r /]*/y, html, end)
    if (begin >= html.length || html[begin] === '>') return { isLong: false, end: begin }
    if (attributes >= maxAttributes) return { isLong: true, end: begin }
    const name = lastOf(/=?[^\t\n\f\r />=]*/y, html, begin)
    end = lastOf(/[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"?|'[^']*'?|[^\t\n\f\r >"'][^\t\n\f\r >]*)?/y, html, name)
  }
}

/** Where a match at `start` ends; `start` when there is none. */
function lastOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}
