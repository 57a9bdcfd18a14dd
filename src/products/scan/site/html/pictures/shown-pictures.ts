import { absolute, isAction, isOnComputer, isPlaceholder, siteDomain } from '../../addresses.ts'
import type { Page } from '../../site.ts'
import { baseOf } from '../references.ts'
import { type Element, isElement, isHidden } from '../visible-text.ts'
import { candidatesOf, choicesOf, isFile } from './srcset.ts'

/** A picture of the site's own host that a page shows. */
export interface ShownPicture {
  readonly node: Element
  /** What a browser asks for to show it. */
  readonly url: string
}

/**
 * The pictures that visitors of a page see, by the address that a browser chooses among those of `src`, `srcset` and
 * `picture`. Left out are those of other hosts, those that are hidden, and those of which it is not certain which address
 * is chosen: by the size of the screen, or by a script.
 */
export function shownPicturesOf(page: Page): readonly ShownPicture[] {
  const { $, url } = page
  const base = baseOf($, url)
  return writtenPicturesOf(page).flatMap(({ node, written }) => {
    const address = isPlaceholder(written) || isTemplate.test(written) ? undefined : absolute(written, base)
    // `src="#"` asks for the page itself.
    return address !== undefined && address !== url && isOfHost(address, url) && !isAction(address)
      ? [{ node, url: address }]
      : []
  })
}

/** `{photo}`, `%IMG%` and `__IMG__`, which a program or a script is to replace. */
const isTemplate = /\{[\w .-]{1,60}\}|%[A-Z][A-Z_]{2,30}%|__[A-Z][A-Z_]{1,30}__/

/** The pictures whose address names a file on the computer of the page's author. No visitor sees them. */
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

/**
 * A script that waits for the picture to fail shows something else, and a picture of one pixel, or far outside of the page,
 * counts visitors.
 */
function isNoGap({ attribs }: Element): boolean {
  return (
    attribs.onerror !== undefined ||
    (/^[01]$/.test(attribs.width ?? '') && attribs.width === attribs.height) ||
    isOutOfSight.test((attribs.style ?? '').slice(0, 1_000))
  )
}

const isOutOfSight =
  /(?:^|[;\s])(?:(?:max-)?(?:width|height)\s{0,3}:\s{0,3}[01](?:px)?\s{0,3}(?:;|!|$)|opacity\s{0,3}:\s{0,3}0(?:\.0+)?\s{0,3}(?:;|!|$)|(?:left|top|right|text-indent)\s{0,3}:\s{0,3}-\d{4,})/i

function isOfHost(address: string, page: string): boolean {
  const [own, other] = [new URL(page), new URL(address)]
  return siteDomain(own.hostname) === siteDomain(other.hostname) && own.port === other.port
}

/** As the page has it; empty where it has none, or where it is not certain which of several is shown. */
function addressOf(node: Element): string {
  const [address = '', ...others] = new Set(
    [...ofPicture(node), ...laterOf(node)].map((one) => one.trim()).filter((one) => one !== ''),
  )
  return others.length === 0 ? address : ''
}

/** What a browser may choose for the image by itself and by the sources of the `picture` around it. */
function ofPicture(node: Element): readonly string[] {
  const { src = '', srcset = '', sizes = '' } = node.attribs
  const own = choicesOf(srcset, isFile(src) ? src : '', sizes)
  const sources = sourcesBefore(node)
  const first = sources.findIndex(({ media = '' }) => isAnyScreen.test(media))
  const conditional = sources.slice(0, first === -1 ? sources.length : first)
  const conditions = conditional.map(({ media = '' }) => media)
  // Those behind are shown on all other screens.
  const isPassedOver = oneSided.some((side) => conditions.every((media) => side.test(media)))
  const [shown] = sources.slice(first === -1 ? sources.length : first)
  return [
    ...(isPassedOver ? [] : conditional.flatMap(candidatesOfSource)),
    ...(shown === undefined ? own : choicesOf(shown.srcset ?? '', '', shown.sizes ?? '')),
  ]
}

type Attributes = Element['attribs']

/** The sources that each browser of today understands. It passes over those behind the image. */
function sourcesBefore(node: Element): readonly Attributes[] {
  const { parent } = node
  if (!isElement(parent) || parent.name !== 'picture') return []
  const children = parent.children.filter(isElement)
  return children
    .slice(0, children.indexOf(node))
    .filter(({ name, attribs }) => name === 'source' && understood.test(attribs.type ?? ''))
    .map(({ attribs }) =>
      // A script may fill it in.
      attribs['data-srcset'] === undefined ? attribs : { ...attribs, media: 'script' },
    )
    .filter((attribs) => candidatesOfSource(attribs).length > 0)
}

function candidatesOfSource({ srcset = '', 'data-srcset': later = '' }: Attributes): readonly string[] {
  return [srcset, later].flatMap((one) => candidatesOf(one).map(({ address }) => address))
}

const understood = /^\s*(?:image\/(?:avif|webp|png|jpe?g|gif|svg\+xml)\s*)?$/i
const isAnyScreen = /^\s*(?:all|screen)?\s*$/i
/** Wide screens see what is for no narrow ones, and telephones what is for no wide ones. */
const oneSided = [
  /^\s*(?:screen and )?\(\s*max-width\s*:\s*(?:\d{1,3}|1[01]\d\d)(?:\.\d+)?px\s*\)\s*$/i,
  /^\s*(?:screen and )?\(\s*min-width\s*:\s*(?:[5-9]\d\d|\d{4})(?:\.\d+)?px\s*\)\s*$/i,
]

/**
 * The pictures that a script may take from attributes of other names. One that is called like a source holds a picture also
 * where its address has no ending.
 */
function laterOf({ attribs }: Element): readonly string[] {
  return Object.entries(attribs).flatMap(([name, value]) => {
    if (!name.startsWith('data-') || value.trim() === '') return []
    if (name.endsWith('srcset')) return choicesOf(value, '', attribs['data-sizes'] ?? attribs.sizes ?? '')
    const isPicture = lazyNames.has(name) || isPictureFile.test(value.slice(0, maxCharacters))
    return isPicture && isFile(value) ? [value] : []
  })
}

const lazyNames: ReadonlySet<string> = new Set(
  ['src', 'original', 'lazy-src', 'echo', 'cfsrc', 'll-src', 'lazyload'].map((name) => `data-${name}`),
)
const isPictureFile = /\.(?:avif|bmp|gif|jfif|jpe?g|png|svg|webp)(?:$|[?#\s,"'&)])/i
const maxCharacters = 2_048
