import type { CheerioAPI } from 'cheerio'
import { around, type Element, isElement, type Node } from '../visible-text.ts'

/**
 * Puts the parts of a page where React shows them. A server that streams sends such a part hidden at the end of the page,
 * and a line of script moves it to the place of its template: without this, the whole text of a page would count as
 * hidden, although it is in the HTML as sent.
 * Source: the inline scripts of React's server renderer, https://react.dev/reference/react-dom/server/renderToPipeableStream.
 */
export function placeStreamedParts($: CheerioAPI): void {
  const parts = byId($('[hidden][id^="S:"]').toArray())
  if (parts.size === 0) return
  const templates = byId($('template[id]').toArray())
  const moves = $('script:not([src])')
    .toArray()
    .slice(0, maxScripts)
    .flatMap((script) => [...$(script).text().slice(0, maxCharacters).matchAll(move)])
  for (const { groups: { boundary, part, inner, place = boundary } = {} } of moves.slice(0, maxScripts)) {
    const content = parts.get(part ?? inner ?? '')
    const template = templates.get(place ?? '')
    if (content === undefined || template === undefined || around(template).includes(content)) continue
    if (boundary !== undefined) removeFallback($, template.next)
    $(template).replaceWith($(content).contents())
    $(content).remove()
  }
}

function byId(elements: readonly Element[]): Map<string, Element> {
  return new Map(elements.map((element) => [element.attribs.id ?? '', element]))
}

/** React says "loading" between the template and a comment. */
function removeFallback($: CheerioAPI, first: Node | null): void {
  const fallback: Node[] = []
  for (let node = first; node !== null; node = node.next) {
    if (!isElement(node) && node.type === 'comment' && node.data === '/$') {
      $(fallback).remove()
      return
    }
    fallback.push(node)
  }
}

/** `$RC` puts a part where a boundary is, `$RS` puts one into another. */
const move =
  /\$RC\("(?<boundary>B:[\da-f]{1,8})","(?<part>S:[\da-f]{1,8})"|\$RS\("(?<inner>S:[\da-f]{1,8})","(?<place>P:[\da-f]{1,8})"/g
const maxScripts = 500
const maxCharacters = 20_000
