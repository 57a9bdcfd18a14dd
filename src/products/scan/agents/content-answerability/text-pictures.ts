import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { around, isStyledAway } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'

/**
 * Says of a page with few words that a picture stands in them. A practice may have the whole text of a treatment drawn into
 * one picture, and its owner need not write that text anew. What a picture shows is not read, so the owner is asked.
 * @returns for evidence: "a picture" or, where its size is known and that of a text, "a picture of 910 × 5333 pixels"
 */
export function pictureInPlaceOfText(page: Page): string | undefined {
  if (countWords(page.mainText.slice(0, 10_000)) >= fewWords) return undefined
  const pictures = page.elements.filter(mayShowText).slice(0, maxPictures)
  if (pictures.length === 0) return undefined
  const high = pictures.map(sizeOf).find(({ width, height }) => width >= minWidth && height >= width * 2)
  return high === undefined ? 'a picture' : `a picture of ${high.width} × ${high.height} pixels`
}

/** Of a heading and a caption. */
const fewWords = 50
const maxPictures = 200
/** A picture that shows a text to read. */
const minWidth = 300

/** One in a link shows the page that it leads to, and a small one is a sign. */
function mayShowText({ node, name, region, isHidden }: PageElement): boolean {
  if (name !== 'img' || isHidden || isStyledAway(node.attribs.style)) return false
  if (region === 'header' || region === 'nav' || region === 'footer' || region === 'aside') return false
  const names = ['src', 'class', 'id', 'alt'].map((one) => attributeOf(node, one).slice(0, 300))
  if (names.some((one) => isSign.test(one)) || attributeOf(node, 'src') === '') return false
  const { width, height } = sizeOf({ node })
  if ([width, height].some((side) => side > 0 && side < minSide)) return false
  return !around(node).some((outer) => outer.name === 'a' || outer.name === 'button')
}

const isSign = /logo|icon|emblem|avatar|badge|favicon|sprite|spacer|pixel/i
const minSide = 150

function sizeOf({ node }: Pick<PageElement, 'node'>): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = ['width', 'height'].map((one) => {
    const written = attributeOf(node, one)
    return /^\d{1,5}(?:px)?$/.test(written) ? Number.parseInt(written, 10) : 0
  })
  return { width, height }
}
