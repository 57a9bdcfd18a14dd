import { absolute, isAction, isOnComputer, isPlaceholder, siteDomain } from '../../addresses.ts'
import type { Page } from '../../site.ts'
import { baseOf } from '../references.ts'
import { type Element, isElement, isHidden } from '../visible-text.ts'
import { chosenOf, isFile } from './srcset.ts'

/** A picture of the site's own host that a page shows. */
export interface ShownPicture {
  readonly node: Element
  /** What a browser asks for to show it. */
  readonly url: string
}

/**
 * The pictures that visitors of a page see, by the address that a browser chooses among those of `src`, `srcset` and
 * `picture`. Left out are those of other hosts, those that are hidden, and those of which the page does not tell the
 * address, because a script writes it.
 */
export function shownPicturesOf(page: Page): readonly ShownPicture[] {
  const { $, url } = page
  const base = baseOf($, url)
  return writtenPicturesOf(page).flatMap(({ node, written }) => {
    const address = isPlaceholder(written) ? undefined : absolute(written, base)
    // `src="#"` asks for the page itself.
    return address !== undefined && address !== url && isOfHost(address, url) && !isAction(address)
      ? [{ node, url: address }]
      : []
  })
}

/** The pictures whose address names a file on the computer of whoever wrote the page. No visitor sees them. */
export function strandedPicturesOf(page: Page): readonly WrittenPicture[] {
  return writtenPicturesOf(page).filter(({ written }) => isOnComputer(written))
}

interface WrittenPicture {
  readonly node: Element
  /** Its address, as the page has it. */
  readonly written: string
}

function writtenPicturesOf({ elements }: Page): readonly WrittenPicture[] {
  return elements
    .filter(({ name, isHidden: isAway }) => name === 'img' && !isAway)
    .slice(0, maxPictures)
    .flatMap(({ node }) => {
      const written = isNoGap(node) ? '' : addressOf(node)
      return written === '' || isHidden(node) ? [] : [{ node, written }]
    })
}

/** Of each, all elements around it are looked at. */
const maxPictures = 200

/** A script that waits for the picture to fail shows something else, and a picture of one pixel counts visitors. */
function isNoGap({ attribs }: Element): boolean {
  return (
    attribs.onerror !== undefined || (/^[01]$/.test(attribs.width ?? '') && attribs.width === attribs.height)
  )
}

function isOfHost(address: string, page: string): boolean {
  const [own, other] = [new URL(page), new URL(address)]
  return siteDomain(own.hostname) === siteDomain(other.hostname) && own.port === other.port
}

/** As the page has it; empty where it has none, or where it is not known which of two is shown. */
function addressOf(node: Element): string {
  const { src = '', srcset = '' } = node.attribs
  const own = isFile(src) ? src : ''
  const later = lazyNames.map((name) => (node.attribs[name] ?? '').trim()).find((one) => one !== '')
  const shown = sourceOf(node) || chosenOf(srcset, own) || own
  if (later === undefined) return shown || chosenOf(node.attribs['data-srcset'] ?? '', '')
  // Where both are files, a script may put the second in place of the first.
  return shown === '' || shown.trim() === later ? later : ''
}

const lazyNames = ['data-src', 'data-original', 'data-lazy-src'] as const

/** Of a `picture`, the first source that each browser of today takes. Those for some screens alone are passed over. */
function sourceOf({ parent }: Element): string {
  if (!isElement(parent) || parent.name !== 'picture') return ''
  const source = parent.children
    .filter(isElement)
    .find(
      ({ name, attribs }) =>
        name === 'source' &&
        (attribs.media ?? '').trim() === '' &&
        (attribs.srcset ?? '').trim() !== '' &&
        /^(?:image\/(?:avif|webp|png|jpe?g|gif|svg\+xml)\s*)?$/i.test((attribs.type ?? '').trim()),
    )
  return source === undefined ? '' : chosenOf(source.attribs.srcset ?? '', '')
}
