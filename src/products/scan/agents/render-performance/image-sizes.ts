import { type Evidence, notApplicable, type Outcome, pass, warn } from '../../findings/check.ts'
import { goneImagesOf } from '../../findings/dead-ends/gone-pictures.ts'
import { andTheRest, counted, maxPlaces, portion } from '../../findings/share.ts'
import { isOnComputer, shown } from '../../site/addresses.ts'
import { type Element, isHidden } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { readHeightRules } from './height-rules.ts'

/**
 * Judges whether the page keeps space for its images before they have loaded: by width and height in the HTML, or by a
 * rule of a stylesheet for the image or for the box around it. Else the page shifts while it loads.
 */
export function judgeImages(pages: readonly Page[], site: Site): Outcome {
  const rulesOf = readHeightRules(site)
  const gone = goneImagesOf(site)
  const images = pages.flatMap((page) => {
    const rules = rulesOf(page)
    // One that is not there has no size that could be looked up.
    const present = imagesOf(page).filter((image) => !gone.has(image))
    return present.map((image) => ({
      page,
      image,
      isSized: isSized(image) || rules.reserve(image),
      unread: rules.unread,
    }))
  })
  if (images.length === 0)
    return notApplicable(gone.size === 0 ? 'The pages have no images.' : 'No image of the pages is there.')
  const unsized = images.filter((one) => !one.isSized)
  const good = images.length - unsized.length
  const unread = Math.max(0, ...unsized.map((one) => one.unread))
  const statement = `${portion(good, images.length, 'image', 'has', 'have')} a size in the HTML or in the stylesheets that were read`
  const evidence = unsized.slice(0, maxPlaces).map(({ page, image }) => quoteOf(page, image))
  if (good * 100 >= images.length * 90) {
    return pass(
      `${statement}.`,
      ...(evidence.length > 0 ? evidence.slice(0, 5) : [{ url: pages[0]?.url ?? '', value: statement }]),
    )
  }
  const [first] = evidence
  const place = `${first?.value ?? 'each image'} at ${first?.url ?? ''}`
  const others = `${unsized.some(({ image }) => hasOneLength(image)) ? ' Where the HTML has one of the two already, keep it, and work out the other by the shape of the picture.' : ''}${movedPercentage(unsized.map(({ image }) => image))}${andTheRest(unsized.length - 1, 'picture')}`
  return warn(
    unread === 0
      ? `${statement}. The page shifts while the others load, and agents that click by screenshot can hit the wrong place.`
      : `${statement}. ${counted(unread, 'stylesheet')} ${unread === 1 ? 'was' : 'were'} not read. Where ${unread === 1 ? 'it keeps' : 'they keep'} no space, the page shifts while it loads, and agents that click by screenshot can hit the wrong place.`,
    unread === 0
      ? `Add width and height in pixels to ${place}. ${keepsShape}${others}`
      : `See whether a stylesheet gives ${place} a height or an aspect-ratio. If not, add its width and height to the HTML. ${keepsShape}${others}`,
    ...evidence,
  )
}

const keepsShape =
  'Where a stylesheet or a style attribute sets width, min-width or max-width alone, add "height: auto" there. Where it sets height, min-height or max-height alone, add "width: auto". Where it sets both to "auto", take "width: auto" out. Where it limits both by max-width and max-height, add "object-fit: contain".'

/** `width="80%"` is a part of the box around, so the browser knows no height by it. */
function movedPercentage(images: readonly Element[]): string {
  const [first] = images.flatMap(({ attribs }) =>
    (['width', 'height'] as const).flatMap((name) => {
      const [, share] = percentage.exec(attribs[name] ?? '') ?? []
      return share === undefined ? [] : [{ name, share }]
    }),
  )
  if (first === undefined) return ''
  const other = first.name === 'width' ? 'height' : 'width'
  return ` Where the HTML has a percentage, move it into the style attribute, as in style="${first.name}:${first.share}%; ${other}:auto", and write the picture's own pixels into width and height.`
}

const percentage = /^\s{0,9}(\d{1,4}(?:\.\d{1,4})?)%/

function imagesOf({ elements }: Page): readonly Element[] {
  return (
    elements
      .flatMap(({ name, node }) => (name === 'img' ? [node] : []))
      .slice(0, maxImages)
      // Such as a copy for browsers without scripts.
      .filter((image) => !isHidden(image))
      // One without an address is filled by a script, and the owner could not find it by its tag. One on a computer is gone.
      .filter(({ attribs }) => addressOf(attribs) !== '' && !isOnComputer(addressOf(attribs)))
      // Nothing of one within the HTML has to be loaded.
      .filter(({ attribs }) => !/^data:/i.test(addressOf(attribs)))
  )
}

/** Each is held against the rules of the stylesheets. */
const maxImages = 200

function quoteOf(page: Page, { attribs }: Element): Evidence {
  const name = addressNames.find((one) => attribs[one]?.trim()) ?? 'src'
  // A size that is there is replaced, because two of a kind are not allowed.
  const size = ['width', 'height'].flatMap((one) =>
    attribs[one] === undefined ? [] : [` ${one}="${shown(attribs[one], 20)}"`],
  )
  return { url: page.url, value: `<img ${name}="${shown(addressOf(attribs), 100)}"${size.join('')}>` }
}

/** In the order in which they count. */
const addressNames = ['src', 'data-src', 'data-original', 'data-lazy-src', 'data-srcset', 'srcset']

/** One that a script loads has its address elsewhere. */
function addressOf(attribs: Element['attribs']): string {
  return addressNames.map((name) => attribs[name]?.trim() ?? '').find((address) => address !== '') ?? ''
}

function isSized({ attribs }: Element): boolean {
  if (isLength(attribs.width) && isLength(attribs.height)) return true
  const style = (attribs.style ?? '').slice(0, 1_000)
  return /(?:^|[;\s])aspect-ratio\s*:/i.test(style) || /(?:^|[;\s])height\s*:(?!\s*auto)/i.test(style)
}

function hasOneLength({ attribs }: Element): boolean {
  return isLength(attribs.width) !== isLength(attribs.height)
}

function isLength(value: string | undefined): boolean {
  return value !== undefined && /^\s*\d/.test(value) && !percentage.test(value)
}
