import { type CheerioAPI, load } from 'cheerio'

/**
 * Parses HTML to a tree, at a limited cost. For many tags an HTML parser searches all open elements, compares
 * each attribute with those before it, and repeats unclosed formatting in every paragraph, so two megabytes
 * made for that take minutes or all memory. A page that exceeds a limit is parsed up to there.
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
          if (elements.count > maxElements) throw new LimitExceeded()
          return adapter.createElement(...parts)
        },
        onItemPush() {
          elements.open += 1
          if (elements.open > maxOpen) throw new LimitExceeded()
        },
        onItemPop() {
          elements.open -= 1
        },
      },
    })
  } catch (error) {
    if (error instanceof LimitExceeded && document !== undefined) return load(document)
    throw error
  }
}

const maxCharacters = 2 * 1024 * 1024
/** Selecting among more takes cheerio minutes; pages for people have a few thousand. */
const maxElements = 30_000
/** As deep as browsers build a tree. Code that walks the tree may therefore use recursion. */
const maxOpen = 512
const maxAttributes = 500

class LimitExceeded extends Error {}

/** The adapter with which cheerio builds its tree. */
const adapter = baseAdapter()

function baseAdapter() {
  const { treeAdapter } = load('').root().options
  if (treeAdapter === undefined) throw new Error('cheerio no longer tells which tree adapter it parses with')
  return treeAdapter
}

/**
 * Closes a tag after its 500th attribute. Whether "<x" begins a tag depends on what stands before it, and a
 * hostile page can make that hard to tell, so every "<x" is treated as a tag. A surplus ">" inside a script
 * or a comment changes nothing that is read.
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
 * Finds where the tag ends whose name goes on at `start`, or where its first surplus attribute begins. It
 * splits attributes exactly as the parser does (HTML, 13.2.5.32 and after): any difference would be a way
 * around the limit.
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

/** The end of a match at `start`; `start` when there is none. */
function lastOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}
