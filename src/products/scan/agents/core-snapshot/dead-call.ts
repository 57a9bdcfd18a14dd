import { type Outcome, warn } from '../../findings/check.ts'
import { further, listed } from '../../findings/share.ts'
import { decodeEscapes, shown, shownInQuotes } from '../../site/addresses.ts'
import { isImpossiblePhone, isSamePhone, withoutExtension } from '../../site/contact/phone-rules.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { whatsAppNumber } from '../../site/messenger-address.ts'
import { isSamplePhone, shownInstead, trunkZero } from '../../site/phone-numbers.ts'
import type { Page } from '../../site/site.ts'

/**
 * Judges the links to call that reach no telephone, or another one than they show, in whatever language the pages are;
 * undefined where there is none. The first number decides, and the pages that have it are named.
 */
export function judgeDeadCalls(pages: readonly Page[]): Outcome | undefined {
  const dead = pages.flatMap((page) => {
    const call = deadCall(page)
    return call === undefined ? [] : [{ url: page.url, ...call }]
  })
  const [first] = dead
  if (first === undefined) return undefined
  const places = dead.filter(({ target }) => target === first.target)
  const where = listed([
    ...places.slice(0, maxNamed).map(({ url }) => shown(url)),
    ...(places.length > maxNamed ? [further(places.length - maxNamed, 'page')] : []),
  ])
  if ('instead' in first) return otherThanShown(first.target, first.instead, where, pages)
  const isSample = first.why === ofTemplate
  const isShown = pages.some(
    ({ url, text }) => places.some((place) => place.url === url) && showsNumber(text, first.target),
  )
  const shownSamples = isSample
    ? pages
        .flatMap(({ phones }) => phones.filter(isSamplePhone))
        .filter((phone) => !isSamePhone(phone, first.target.replace(/^tel:/i, '')))
        .filter((phone, at, all) => all.findIndex((one) => isSamePhone(one, phone)) === at)
    : []
  const isInScripts = pages.some(
    ({ $, url }) =>
      places.some((place) => place.url === url) && showsNumber($('script').text(), first.target),
  )
  const others = pages.flatMap((page) => sampleFaxes(page).map((target) => ({ url: page.url, target })))
  return warn(
    `The link to call dials a number that no telephone reaches: ${first.why}`,
    isSample || first.why === ofLength
      ? `Write your own number in place of ${isSample ? 'that of the template' : 'it'} on ${where}, in the link to ${shown(first.target, 60)}${isShown ? ' and in the text that visitors read' : ''}.${isInScripts ? ' It stands in scripts or in the JSON-LD as well, and a script may write it into the page: put yours there, too.' : ''}${shownSamples.length === 0 ? '' : ` Do the same with ${listed(shownSamples.slice(0, 3).map((one) => shown(one, 40)))}, which the text shows.`}${others[0] === undefined ? '' : ` Correct the link to ${shown(others[0].target, 60)} as well, or take it out.`}`
      : `Write the number with the code of your country into the link to ${shown(first.target, 60)} on ${where}, without the 0 in front of it.`,
    ...[...places.slice(0, 5), ...others.slice(0, 3)].map(({ url, target }) => ({
      url,
      value: shown(target, 60),
    })),
  )
}

const maxNamed = 5

/** All links that dial the number are named: a correction of one alone would leave visitors with two numbers. */
function otherThanShown(target: string, instead: string, where: string, pages: readonly Page[]): Outcome {
  const links = pages.flatMap(({ url, elements }) =>
    elements.flatMap(({ name, node }) => {
      const href = name === 'a' ? attributeOf(node, 'href').trim() : ''
      const isCall = /^tel:/i.test(href)
      const number = isCall ? decodeEscapes(href).slice(4) : whatsAppNumber(href)
      if (number === undefined || !isSamePhone(number, target.replace(/^tel:/i, ''))) return []
      const text = spokenText(node)
      return [
        {
          url,
          isCall,
          value: `${shown(href, 60)}${text === '' ? '' : `, shown as "${shownInQuotes(text, 60)}"`}`,
        },
      ]
    }),
  )
  const others = links.filter(({ isCall }) => !isCall)
  return warn(
    `The link to call dials ${shown(target, 60)}, and its text shows ${instead}. Whoever calls by the link reaches another number than the one that stands there.`,
    `Write your own number into each link to ${shown(target, 60)} on ${where}, and into the texts that show ${instead}. If both numbers are yours, let each link dial the one that it shows.${others.length === 0 ? '' : ' If the number of the links to WhatsApp is wrong, correct it, too.'}`,
    ...links.slice(0, 20).map(({ url, value }) => ({ url, value })),
  )
}

/** Whether readers see the number that the link dials, in whatever way its digits are parted. */
function showsNumber(text: string, target: string): boolean {
  const digits = target.replace(/\D/g, '').slice(-8)
  if (digits.length < 7) return /x{3}/i.test(text.slice(0, 200_000))
  return text
    .slice(0, 200_000)
    .replace(/(?<=\d)[\s()./-]{1,3}(?=\d)/g, '')
    .includes(digits)
}

/** "fax:+1-555-555-5555". */
function sampleFaxes({ elements }: Page): readonly string[] {
  return elements.flatMap(({ name, node }) => {
    const target = name === 'a' ? decodeEscapes(attributeOf(node, 'href').trim()) : ''
    return /^fax:/i.test(target) && isSamplePhone(target) ? [target] : []
  })
}

const ofTemplate = 'it is that of a template.'
const ofLength = 'it has too few or too many digits for the country of its code.'

/** Either no telephone answers, or the link shows another number than it dials. */
type DeadCall =
  | { readonly target: string; readonly why: string }
  | { readonly target: string; readonly instead: string }

/** "tel:+0169888888", "tel:+49 0171 2345678", and the number of a template: "tel:+355000000000". */
function deadCall({ elements }: Page): DeadCall | undefined {
  for (const { name, node } of elements) {
    const target = name === 'a' ? attributeOf(node, 'href').trim() : ''
    const dialled = decodeEscapes(target)
    // What holds more than a number is no number, and its words are not repeated.
    if (!/^tel:[\s\d+()./;=ext-]*$/i.test(dialled)) continue
    if (/^tel:\s*\+\s*0[\d\s]{6,}/i.test(dialled))
      return { target, why: 'behind a plus stands the code of a country, and none begins with 0.' }
    if (isSamplePhone(dialled) || /x{3}/i.test(dialled)) return { target, why: ofTemplate }
    if (trunkZero.test(dialled.replace(/^tel:/i, '')))
      return { target, why: 'the 0 of a number is left out behind the code of its country.' }
    if (isImpossiblePhone(withoutExtension(dialled.replace(/^tel:/i, '')))) return { target, why: ofLength }
    const instead = shownInstead(dialled.replace(/^tel:/i, ''), node)
    if (instead !== undefined) return { target, instead }
  }
  return undefined
}
