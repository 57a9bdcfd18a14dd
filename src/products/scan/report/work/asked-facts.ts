import { listOf } from '../../../text/plain-text.ts'
import type { AskedPicture, DeadLink, Work } from '../../findings/work.ts'
import { decodedPathOf, fileNameOf, pathOf, shownInQuotes } from '../../site/addresses.ts'
import { contactAsks, previewAsks } from '../blocks/facts/asked-once.ts'

interface Place {
  readonly value: string
}

/**
 * The facts that a change needs and that only the owner knows. They are asked for before the message is sent, because the
 * web person would have to ask for them, or would guess.
 * @param fix what the finding asks for
 * @param work the same in values, where the check tells them
 * @param evidence other faults that the message orders, such as "LocalBusiness without address"
 */
export function factsFor(fix: string, evidence: readonly Place[], work?: Work): string[] {
  const lacking = evidence.flatMap(({ value }) => / without ([^"<>]+)$/.exec(value)?.[1] ?? [])
  const [, added = ''] = /^Add (?!autocomplete=)(.+?) (?:to|as) /.exec(fix) ?? []
  const text = [added, fix.startsWith('Write your own number') ? 'telephone' : '', ...lacking].join(' ')
  return [
    ...facts.flatMap(({ pattern, ask }) => (pattern.test(text) ? [ask] : [])),
    ...lostPicture(fix),
    ...(fix.startsWith('Write the right opening hours') ? ['which opening hours are right'] : []),
    ...(work?.kind === 'mark-dates' ? [dayOfArticles] : []),
    ...(work?.kind === 'left-open-text'
      ? ['what belongs where the template left a line open, as far as you know it']
      : []),
    ...(work?.kind === 'own-titles' ? subjectsOf(work.unnamed) : []),
    ...(work?.kind === 'empty-links'
      ? [
          `the address, or the file, for each link that leads nowhere now${work.named.length === 0 ? '' : ` (${listOf(work.named.slice(0, maxNamed))}${work.named.length > maxNamed ? ', and others that the message lists' : ''})`}, or “take it out”`,
        ]
      : []),
    ...(work?.kind === 'dead-links' ? pagesMeant(work.asked) : []),
    ...(work?.kind === 'gone-pictures' ? picturesMeant(work.asked) : []),
  ]
}

function subjectsOf(pages: readonly string[]): string[] {
  if (pages.length <= maxQuestions)
    return pages.map(
      (page) => `what the page ${page} is about, in two to five words that differ from all other titles`,
    )
  return [
    `what each of these pages is about, in two to five words that differ from all other titles. They are ${listOf(pages.slice(0, maxNamed))}${pages.length > maxNamed ? ', and others that the message lists' : ''}`,
  ]
}

/** One question for the markup and the preview, which may name the same picture. */
function lostPicture(fix: string): string[] {
  const [, url = ''] =
    /^Correct image in .{1,300}?: (https?:\S+) answers \d/.exec(fix) ??
    /Name another picture in og:image of .{1,300}? in place of (https?:\S+), which answers/.exec(fix) ??
    []
  if (url === '') return []
  const file = shownInQuotes(fileNameOf(url), 60)
  return [
    `a picture that shows your business, in the attachment, in place of “${file}”, which your pages name and which is gone`,
  ]
}

/** Whoever looks after the website may have the file, and only the owner knows whether it is still wanted. */
function picturesMeant(pictures: readonly AskedPicture[]): string[] {
  const [first, other] = pictures
  if (first === undefined) return []
  if (other === undefined)
    return [`the picture ${pictureNamed(first)} on ${first.page}, in the attachment, or “take it out”`]
  const named = [...Map.groupBy(pictures.slice(0, maxNamed), ({ page }) => page)].map(
    ([page, ofPage]) => `on ${page}: ${listOf(ofPage.map(pictureNamed))}`,
  )
  return [
    `each of these pictures, in the attachment, or “take it out”. They are, ${named.join('; ')}${pictures.length > maxNamed ? '; and others that the message lists' : ''}`,
  ]
}

function pictureNamed({ file, place }: AskedPicture): string {
  return file === '' ? `(${place})` : `“${file}” (${place})`
}

/** The owner sees the words of a link on a page, and not its address. Many links share one question. */
function pagesMeant(links: readonly DeadLink[]): string[] {
  if (links.length <= maxQuestions)
    return links.map((one) => {
      if (isNumber.test(pathOf(one.url)))
        return `the right telephone number for the link “${one.text}”, or “take the link out”`
      return one.guess === undefined
        ? `where ${nameOf(one)} shall lead: the page, its text if there is none yet, or “take the link out”`
        : `whether ${nameOf(one)} shall lead to ${pathShown(one.guess)}. If not: where, or “take the link out”`
    })
  const named = links
    .slice(0, maxNamed)
    .map((one) => `${nameOf(one)}${one.guess === undefined ? '' : `, perhaps to ${pathShown(one.guess)}`}`)
  return [
    `where each of these links shall lead: the page, its text if there is none yet, or “take the link out”. They are ${listOf(named)}${links.length > maxNamed ? ', and others that the message lists' : ''}`,
  ]
}

/** `“Read More” at “Braces” (/braces)` */
function nameOf({ url, text, otherTexts = [], picture, where }: DeadLink): string {
  const path = pathShown(url)
  const place = where === undefined ? '' : ` ${where}`
  if (text !== '') {
    const others = otherTexts.map((one) => `“${shownInQuotes(one)}”`)
    return `“${shownInQuotes(text)}”${place}${others.length === 0 ? '' : ` and, if that differs, ${listOf(others)}`} (${path})`
  }
  return picture === undefined ? `the link to ${path}${place}` : `the picture “${picture}”${place} (${path})`
}

/** As a reader writes it: `/serviços/profilaxia.html`. */
function pathShown(url: string): string {
  return shownInQuotes(`${decodedPathOf(url)}${URL.parse(url)?.hash ?? ''}`, 80)
}

/** "/003385226455": the link was meant to dial. */
const isNumber = /^\/\+?\d[\d-]{8,}$/

const maxQuestions = 4
const maxNamed = 30

const dayOfArticles = 'the day on which each article was published'

const facts: readonly { readonly pattern: RegExp; readonly ask: string }[] = [
  { pattern: /\bog:title\b/, ask: previewAsks['og:title'] },
  { pattern: /\blogo\b/, ask: 'your logo, as a picture in the attachment' },
  { pattern: /\bog:description\b/, ask: previewAsks['og:description'] },
  { pattern: /\bog:image\b/, ask: previewAsks['og:image'] },
  { pattern: /\baddress\b/, ask: contactAsks.street },
  { pattern: /\btelephone\b/, ask: contactAsks.phone },
  { pattern: /\bemail\b/, ask: contactAsks.pageMail },
  { pattern: /\bdatePublished\b/, ask: dayOfArticles },
  { pattern: /\bauthor\b/, ask: 'the author of each article' },
]
