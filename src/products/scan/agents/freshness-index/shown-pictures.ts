import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { askedPicturesOf, type GonePicture } from '../../findings/dead-ends/gone-pictures.ts'
import { andTheRest, counted, further } from '../../findings/share.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { shownPicturesOf } from '../../site/html/pictures/shown-pictures.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the pictures that visitors are to see are there. Their owner may not notice: the browser may have kept
 * them, and a file with a wrong letter case is found on the computer where the pages were written.
 */
export function judgePictures(pages: readonly Page[], site: Site): Outcome {
  const asked = site.capture.exchanges.filter(({ purpose }) => purpose === 'shown-picture')
  const { answered, gone } = askedPicturesOf(site)
  if (answered === 0)
    return asked.length === 0
      ? notApplicable('The pages show no pictures of their own site of which the scan knows the address.')
      : unmeasured(
          `None of ${counted(asked.length, 'picture')} of the pages gave an answer that says whether visitors see it.`,
        )
  const [first] = gone
  if (first === undefined)
    return pass(`${counted(answered, 'picture')} of the pages answered.`, {
      url: asked[0]?.url ?? site.capture.url,
      value: `${answered} of ${answered} pictures answered`,
    })
  const isMany = gone.length > 1 && gone.length * 5 >= answered
  const stranded = gone.filter(({ fault }) => fault.kind === 'stranded')
  const found = (isMany ? fail : warn)(
    `${gone.length} of ${counted(answered, 'picture')} that the scan ${stranded.length === 0 ? 'asked for' : 'looked at'} ${gone.length === 1 ? 'is' : 'are'} not there. Visitors see a gap, and programs get no picture.${stranded.length === 0 ? '' : onComputer(stranded)}`,
    `${corrections(gone).join(' ')}${unasked(pages, answered - stranded.length)}`,
    ...gone.flatMap(quotesOf),
  )
  return asking(found, {
    kind: 'gone-pictures',
    isMany,
    count: gone.length,
    pages: new Set(gone.flatMap(({ pages }) => pages)).size,
    asked: gone.flatMap(({ elsewhere, fault, file, pages: [page], place }) =>
      elsewhere === undefined && fault.kind !== 'code' ? [{ file, page: shown(page.url), place }] : [],
    ),
  })
}

function onComputer(stranded: readonly GonePicture[]): string {
  return ` ${stranded.length === 1 ? 'One of them' : `${stranded.length} of them`} ${stranded.length === 1 ? 'has the address of a file' : 'have addresses of files'} on somebody's own computer, where no visitor can reach it.`
}

/** One order for each kind of fault: what mends one does not mend another. */
function corrections(gone: readonly GonePicture[]): readonly string[] {
  const kinds = [...Map.groupBy(gone, ({ fault, elsewhere }) => elsewhere?.by ?? fault.kind).values()]
  return kinds.flatMap(([first, ...others]) =>
    first === undefined ? [] : [`${correction(first)}${andTheRest(others.length, 'picture')}`],
  )
}

function correction({ fault, file, pages, place, elsewhere }: GonePicture): string {
  const [page, ...others] = pages
  const places = (word: 'of' | 'on') =>
    `${word} ${shown(page.url)}${others.length === 0 ? '' : ` and ${word} ${further(others.length, 'page')}`}`
  const where = place.replace(/[“”]/g, '"').replace(/^picture (?=\d)/, '')
  const named = file === '' ? `the picture ${where}` : `the picture "${file}"`
  const target = elsewhere && shown(elsewhere.url, maxAddress)
  if (fault.kind === 'stranded')
    return target === undefined
      ? `Publish ${named} ${places('of')} on the site, and write its address there in place of a path on somebody's own computer.`
      : `Give ${named} ${places('on')} the address ${target}, in place of a path on somebody's own computer.`
  const wrong = shown(fault.url, maxAddress)
  if (fault.kind === 'code')
    return `Mend the program that is to draw the picture ${wrong} in the form of ${shown(page.url)}. Is there no such program? Then take the picture out together with the field "${shownInQuotes(fault.field, 40)}", which asks for what it shows.`
  switch (elsewhere?.by) {
    case 'same':
      return `Let ${named} ${places('on')} have the address ${target}. It has ${wrong} now, where no file is: capital and small letters count.`
    case 'alike':
      return `Let ${named} ${places('on')} have the address ${target}, if that is the same picture. It has ${wrong} now, where no file is.`
    case 'near':
      return `See whether ${named} ${places('of')} is at ${target}, because other pictures of its folder are there. If so, give it that address in place of ${wrong}. If not, publish it there, or take it out of the page.`
    case undefined:
      return file === ''
        ? `Give ${named} ${places('on')} the address of a picture file, because no program makes a picture at ${wrong}. Is it no longer wanted? Then take it out of the page.`
        : `Publish ${named} ${places('of')} again at ${wrong}, or correct its address. Is it no longer wanted? Then take it out of the page.`
  }
}

/** A wrong address is one place, while each page that names a file of a computer has to be corrected by itself. */
function quotesOf({ fault, file, pages, elsewhere }: GonePicture): readonly Evidence[] {
  const [page, ...others] = pages
  const place =
    elsewhere === undefined ? '' : `; ${placeIs[elsewhere.by]} at ${shown(elsewhere.url, maxAddress)}`
  if (fault.kind === 'stranded')
    return pages.map(({ url }) => ({
      url,
      value: `picture "${file}": a file on somebody's own computer${place}`,
    }))
  const also = others.length === 0 ? '' : `, also on ${further(others.length, 'page')}`
  const state = fault.status === 200 ? 'a web page in its place' : `status ${fault.status}`
  return [{ url: page.url, value: `picture ${shown(fault.url, maxAddress)}: ${state}${also}${place}` }]
}

const placeIs = { same: 'it is', alike: 'one of that name is', near: 'it may be' } as const
const maxAddress = 200

/** The scan asks for a few of many, and not each of these answers. */
function unasked(pages: readonly Page[], answered: number): string {
  const all = new Set(pages.flatMap((page) => shownPicturesOf(page).map(({ url }) => url))).size
  return all > answered
    ? ` Then open each page and look for other gaps: the scan knows of ${answered} of ${all} pictures whether they are there.`
    : ''
}
