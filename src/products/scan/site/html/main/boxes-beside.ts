import type { CheerioAPI } from 'cheerio'
import { elementsWithin } from '../elements.ts'
import { around, type Element, isElement, labelOf, textWithin } from '../visible-text.ts'
import { countWords } from '../words.ts'

/**
 * Parts of a page beside its content that no element marks, known by their class or their words: menus, footers, notices
 * about cookies, and the request to turn the phone. Counted as text of the page they would make each page look longer
 * than it is, and describe it by what stands on all of them.
 */
export function boxesBeside($: CheerioAPI): ReadonlySet<Element> {
  return new Set([...menuBoxes($), ...footerBoxes($), ...noticeBoxes($)])
}

/**
 * Menus that no element marks, by their class: `div.navbar`. Nearly all their words are links. A page that is a list of links
 * alone keeps it.
 */
function menuBoxes($: CheerioAPI): readonly Element[] {
  const named = new Set(
    $('div[class], div[id], ul[class], ul[id], table[class], td[class], center[class]')
      .toArray()
      .slice(0, maxBoxes)
      .filter(({ attribs }) => menuName.test(`${attribs.id ?? ''} ${(attribs.class ?? '').slice(0, 300)}`)),
  )
  if (named.size === 0) return []
  // Upwards from the links: a search in each of hundreds of boxes, one within the other, would take minutes.
  const links = boxesAround($('a[href]').toArray(), named)
  const texts = boxesAround($('h1, main, article').toArray(), named)
  const boxes = [...named].filter(
    (box) => (links.get(box) ?? 0) >= 3 && !texts.has(box) && isMostlyLinks(box),
  )
  return isSmallPart(boxes, $) ? boxes : []
}

/** How many of the elements stand in each of the boxes. */
function boxesAround(elements: readonly Element[], boxes: ReadonlySet<Element>): Map<Element, number> {
  const counts = new Map<Element, number>()
  for (const element of elements)
    for (const outer of around(element)) if (boxes.has(outer)) counts.set(outer, (counts.get(outer) ?? 0) + 1)
  return counts
}

/** A text that is longer than a label can be is no menu. */
function isMostlyLinks(box: Element): boolean {
  const words = countWords(labelOf(box))
  return words < 1_000 && linkedWords(box) * 5 >= words * 4
}

const maxBoxes = 3_000
const menuName =
  /(?:^|\s)(?:(?:main|top|site|primary|header|side|left|global|mobile|overlay|off-?canvas)[-_]?)?(?:nav|navbar|navigation|menu|navmenu|menubar|topnav|sidenav)(?:[-_]?(?:bar|main|menu|top|wrapper|container|list|links|primary|header|fixed-top))?(?:$|\s)/i

/** A footer that is a box. One that holds most of the page is the layout of that page. */
function footerBoxes($: CheerioAPI): readonly Element[] {
  const boxes = $('div[class], div[id], section[class], section[id], copyright')
    .toArray()
    .slice(0, maxBoxes)
    .filter(isFooterBox)
    .slice(0, maxNamed)
    .filter((box) => elementsWithin(box, 'h1, main, article').length === 0)
  return isSmallPart(boxes, $) ? boxes : []
}

/** A hostile page nests hundreds of them around all of its text. */
const maxNamed = 50

/** Older pages have a part of that name near their end. Some write the line of the copyright below it, in one of its own. */
export function isFooterBox({ name, attribs }: Element): boolean {
  return (
    name === 'copyright' ||
    ((name === 'section' || name === 'div') &&
      /(?:^|\s)(?:site-?|main-?|page-?)?footer(?:-?(?:new|main|area|section|wrapper|bottom|container|under|inner|copyright|legal|credits))?(?:$|\s)/i.test(
        `${attribs.id ?? ''} ${(attribs.class ?? '').slice(0, 300)}`,
      ))
  )
}

function noticeBoxes($: CheerioAPI): readonly Element[] {
  const outermost = $('body > div, body > section').toArray().slice(0, maxBoxes)
  const named = $('[class*="cookie" i], [id*="cookie" i], [class*="consent" i]').toArray().slice(0, maxNamed)
  return [...outermost, ...named].filter(isElement).filter(isNotice)
}

/** A page about cookies has such words, too, and many more. */
function isNotice(box: Element): boolean {
  const name = `${box.attribs.id ?? ''} ${(box.attribs.class ?? '').slice(0, 300)}`
  const isCookies = /(?:^|[\s_-])(?:cookies?|consent|gdpr)(?:$|[\s_-])/i.test(name)
  const text = labelOf(box)
  const words = countWords(text)
  return isCookies ? words <= 150 : words <= 25 && turnsPhone.test(text)
}

const turnsPhone =
  /\b(?:(?:rotate|turn) (?:your|the) (?:phone|device|screen)|ruota (?:il|lo) (?:telefono|dispositivo|schermo)|gira (?:tu|el) (?:teléfono|dispositivo|móvil)|(?:tournez|pivotez) votre (?:téléphone|appareil|écran)|(?:drehen? sie|dreh) (?:ihr|dein) (?:telefon|gerät|handy|smartphone)|draai (?:je|uw) (?:telefoon|apparaat|scherm))/i

/** Boxes of which one stands in another count once. */
function isSmallPart(boxes: readonly Element[], $: CheerioAPI): boolean {
  if (boxes.length === 0) return false
  const all = new Set(boxes)
  const isInner = (box: Element) => around(box).some((outer) => all.has(outer))
  const words = countWords(textWithin(boxes.filter((box) => !isInner(box))))
  return words * 2 < countWords(textWithin($('body').toArray()))
}

export function linkedWords(box: Element): number {
  let linked = 0
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (!isElement(child)) continue
      if (child.name === 'a') linked += countWords(textWithin([child]))
      else visit(child)
    }
  }
  visit(box)
  return linked
}
