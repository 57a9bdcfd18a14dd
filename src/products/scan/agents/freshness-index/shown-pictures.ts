import { asking, fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { askedPicturesOf, type GonePicture } from '../../findings/dead-ends/gone-pictures.ts'
import { andTheRest, counted, further } from '../../findings/share.ts'
import { fileNameOf, shown, shownInQuotes } from '../../site/addresses.ts'
import { shownPicturesOf } from '../../site/html/pictures/shown-pictures.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the pictures that visitors are to see are there. Their owner may not notice: the browser may have kept
 * them, and a file with a wrong letter case is found on the computer where the pages were written.
 */
export function judgePictures(pages: readonly Page[], site: Site): Outcome {
  const asked = site.capture.exchanges.filter(({ purpose }) => purpose === 'shown-picture')
  if (asked.length === 0)
    return notApplicable('The pages show no pictures of their own site of which the scan knows the address.')
  const { answered, gone } = askedPicturesOf(site)
  if (answered === 0)
    return unmeasured(
      `None of ${counted(asked.length, 'picture')} of the pages gave an answer that says whether it is there.`,
    )
  const [first] = gone
  if (first === undefined)
    return pass(`${counted(answered, 'picture')} of the pages answered.`, {
      url: asked[0]?.url ?? site.capture.url,
      value: `${answered} of ${answered} pictures answered`,
    })
  const isMany = gone.length > 1 && gone.length * 5 >= answered
  const found = (isMany ? fail : warn)(
    `${gone.length} of ${counted(answered, 'picture')} that the scan asked for ${gone.length === 1 ? 'is' : 'are'} not there. Visitors see a gap, and programs get no picture.`,
    `${correction(first)}${andTheRest(gone.length - 1, 'picture')}${unasked(pages, answered)}`,
    ...gone.map((one) => ({ url: one.pages[0].url, value: quoteOf(one) })),
  )
  return asking(found, {
    kind: 'gone-pictures',
    isMany,
    count: gone.length,
    pages: new Set(gone.flatMap(({ pages }) => pages)).size,
    asked: gone.flatMap(({ elsewhere, url, heading }) =>
      elsewhere === undefined ? [{ file: fileOf(url), heading: shownInQuotes(heading, 60) }] : [],
    ),
  })
}

function correction({ url, pages: [page, ...others], elsewhere }: GonePicture): string {
  const file = `the picture "${fileOf(url)}"`
  const places = (word: 'of' | 'on') =>
    `${word} ${shown(page.url)}${others.length === 0 ? '' : ` and ${word} ${further(others.length, 'page')}`}`
  const target = shown(elsewhere?.url ?? '', maxAddress)
  const wrong = shown(url, maxAddress)
  switch (elsewhere?.by) {
    case 'same':
      return `Let ${file} ${places('on')} have the address ${target}. It has ${wrong} now, where no file is: capital and small letters count.`
    case 'alike':
      return `Let ${file} ${places('on')} have the address ${target}, if that is the same picture. It has ${wrong} now, where no file is.`
    case 'near':
      return `See whether ${file} ${places('of')} is at ${target}, because other pictures of its folder are there. If so, give it that address in place of ${wrong}. If not, publish it there, or take it out of the page.`
    case undefined:
      return `Publish ${file} ${places('of')} again at ${wrong}, or correct its address. Is it no longer wanted? Then take it out of the page.`
  }
}

function quoteOf({ url, status, pages: [, ...others], elsewhere }: GonePicture): string {
  const also = others.length === 0 ? '' : `, also on ${further(others.length, 'page')}`
  const place =
    elsewhere === undefined ? '' : `; ${placeIs[elsewhere.by]} at ${shown(elsewhere.url, maxAddress)}`
  return `picture ${shown(url, maxAddress)}: ${status === 200 ? 'a web page in its place' : `status ${status}`}${also}${place}`
}

const placeIs = { same: 'it is', alike: 'one of that name is', near: 'it may be' } as const
const maxAddress = 200

function fileOf(url: string): string {
  return shownInQuotes(fileNameOf(url), 60)
}

/** The scan asks for a few of many, and not each of these answers. */
function unasked(pages: readonly Page[], answered: number): string {
  const all = new Set(pages.flatMap((page) => shownPicturesOf(page).map(({ url }) => url))).size
  return all > answered
    ? ` Then open each page and look for other gaps: the scan knows of ${answered} of ${all} pictures whether they are there.`
    : ''
}
