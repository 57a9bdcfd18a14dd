import { decodedPathOf, pathOf } from '../../site/addresses.ts'
import type { Exchange, SiteReply } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { spokenText } from '../../site/html/elements.ts'
import { type ShownPicture, shownPicturesOf } from '../../site/html/pictures/shown-pictures.ts'
import { around, type Element, isHidden } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { isGone } from '../document.ts'
import { isSoft404 } from '../soft-404.ts'

/** What the scan knows of the pictures that pages show. */
export interface AskedPictures {
  /** Of how many the answer tells whether they are there. */
  readonly answered: number
  readonly gone: readonly GonePicture[]
}

export interface GonePicture {
  readonly url: string
  readonly status: number
  /** That show it; the first is the one where an owner finds it first. */
  readonly pages: readonly [Page, ...Page[]]
  /** The heading that it belongs to; empty where there is none. */
  readonly heading: string
  readonly elsewhere: Elsewhere | undefined
}

/** Where the file may be. `same`: in other letter case. `alike`: of the same name. `near`: other files of its folder are there. */
interface Elsewhere {
  readonly url: string
  readonly by: 'same' | 'alike' | 'near'
}

/** Read once, because two checks ask for it. */
export function askedPicturesOf(site: Site): AskedPictures {
  const seen = known.get(site) ?? read(site)
  known.set(site, seen)
  return seen
}

const known = new WeakMap<Site, AskedPictures>()

function read(site: Site): AskedPictures {
  const replies = site.capture.exchanges.filter(isAsked)
  const isSoft = isSoft404(site)
  const gone = replies.filter((reply) => isGone(reply) || (isSoft && isPageInstead(reply)))
  const there = replies.filter((reply) => reply.status === 200 && !gone.includes(reply))
  const shown = gone.length === 0 ? [] : site.pages.map((page) => ({ page, pictures: shownPicturesOf(page) }))
  const elsewhere = placesOf(
    gone.map(({ url }) => url),
    [...there, ...site.capture.exchanges.filter(isOther)].map(({ url }) => url),
  )
  return {
    answered: gone.length + there.length,
    gone: gone.flatMap(({ url, status }) => {
      const showing = shown.filter(({ pictures }) => pictures.some((one) => one.url === url))
      const [first, ...others] = showing
      if (first === undefined) return []
      return [
        {
          url,
          status,
          pages: [first.page, ...others.map(({ page }) => page)],
          heading: headingOf(
            first.page,
            first.pictures.find((one) => one.url === url),
          ),
          elsewhere: elsewhere.get(url),
        } satisfies GonePicture,
      ]
    }),
  }
}

function isAsked(exchange: Exchange): exchange is SiteReply {
  return exchange.purpose === 'shown-picture' && exchange.outcome === 'replied'
}

/** Other files of which it is known that they are pictures and there. */
function isOther(exchange: Exchange): exchange is SiteReply {
  return (
    exchange.purpose === 'picture' &&
    exchange.outcome === 'replied' &&
    exchange.status === 200 &&
    !isHtml(exchange)
  )
}

/** A program that makes pictures may forget to say that they are no page, and browsers show them all the same. */
function isPageInstead(reply: SiteReply): boolean {
  return reply.status === 200 && isHtml(reply) && isPictureName.test(pathOf(reply.url))
}

const isPictureName = /\.(?:avif|bmp|gif|ico|jfif|jpe?g|png|svg|webp)$/i

/** Of a card the one heading in it, which often stands below the picture, else the last one above the picture. */
function headingOf({ $ }: Page, picture: ShownPicture | undefined): string {
  if (picture === undefined) return ''
  const { node } = picture
  for (const box of around(node).slice(0, 3)) {
    const headings = $(box).find(headingNames).toArray()
    if (headings.length === 0) continue
    if ($(box).find('img').length === 1 && headings.length === 1) return textOf(headings[0])
    break
  }
  const all = $(`${headingNames}, img`).toArray()
  return textOf(all.slice(0, all.indexOf(node)).findLast((one) => one.name !== 'img' && !isHidden(one)))
}

const headingNames = 'h1, h2, h3, h4, h5, h6'

function textOf(heading: Element | undefined): string {
  return heading === undefined ? '' : spokenText(heading, 40)
}

/** For each address that is gone, where the file is by what the scan has seen of the others. */
function placesOf(gone: readonly string[], there: readonly string[]): ReadonlyMap<string, Elsewhere> {
  const found = new Map<string, Elsewhere>()
  for (const url of gone) {
    const place = fileElsewhere(url, there)
    if (place !== undefined) found.set(url, place)
  }
  const moves = gone.flatMap((url) => {
    const to = found.get(url)?.url
    return [...(to === undefined ? [] : movedFolder(url, to)), ...there.flatMap((one) => otherCase(url, one))]
  })
  // A folder in which files are has not moved.
  const isEmpty = ({ from }: Move) => !there.some((one) => pathOf(one).startsWith(`${from}/`))
  for (const url of gone) {
    const path = pathOf(url)
    const move = moves.find((one) => path.startsWith(`${one.from}/`) && isEmpty(one))
    if (move === undefined || found.has(url)) continue
    const near = new URL(url)
    near.pathname = `${move.to}${path.slice(move.from.length)}`
    found.set(url, { url: near.href, by: 'near' })
  }
  return found
}

/** The one file that is there and differs in letter case, or else in its ending, or else in its folder. */
function fileElsewhere(url: string, there: readonly string[]): Elsewhere | undefined {
  const path = partsOf(url)
  const alike: readonly [Elsewhere['by'], (one: Parts) => boolean][] = [
    [
      'same',
      ({ folder, stem, ending }) => folder === path.folder && stem === path.stem && ending === path.ending,
    ],
    ['alike', ({ folder, stem }) => folder === path.folder && stem === path.stem],
    ['alike', ({ stem, ending }) => stem === path.stem && ending === path.ending && isTelling(stem)],
  ]
  for (const [by, isLike] of alike) {
    const [first, other] = new Set(there.filter((one) => one !== url && isLike(partsOf(one))))
    if (first !== undefined) return other === undefined ? { url: first, by } : undefined
  }
  return undefined
}

interface Parts {
  readonly folder: string
  readonly stem: string
  readonly ending: string
}

function partsOf(url: string): Parts {
  const [, folder = '', stem = '', ending = ''] =
    /^(.*\/)([^/]*?)(\.[a-z]{2,5})?$/.exec(decodedPathOf(url).slice(-500).toLowerCase()) ?? []
  return { folder, stem, ending }
}

/** "anna-lind" tells a picture in any folder. There may be a "team", a "1" and an "image-2" in each. */
function isTelling(stem: string): boolean {
  const word = stem.replace(/[\d\s()_.-]+/g, '')
  return word.length >= 4 && !generic.test(word)
}

const generic =
  /^(?:image|img|imagem|imagen|photo|foto|picture|pic|bild|slider?|banner|hero|logo|icon|thumb|team|about|home|main|back(?:ground)?|cover|header|footer|default|gallery|before|after|front|left|right|small|large|untitled|screenshot|whatsappimage)s?$/

/** A folder that pages name, and the one in which its files are. */
interface Move {
  readonly from: string
  readonly to: string
}

/** `/images` and `/Images` by `/images/lind.jpg` and `/Images/lind.jpg`, `/img` and `/practice/img` by `/img/a/b.svg`. */
function movedFolder(url: string, right: string): Move[] {
  const from = pathOf(url).split('/')
  const to = pathOf(right).split('/')
  if (from.at(-1) !== to.at(-1)) return []
  let count = 1
  while (count < from.length - 2 && from.at(-1 - count) === to.at(-1 - count)) count += 1
  return [{ from: from.slice(0, -count).join('/'), to: to.slice(0, -count).join('/') }].filter(
    (move) => move.from !== '' && move.from !== move.to,
  )
}

/** `/images` and `/Images` of `/images/team/lind.jpg` and `/Images/front.jpg`. */
function otherCase(url: string, there: string): Move[] {
  const from = pathOf(url).split('/').slice(0, -1)
  const to = pathOf(there).split('/').slice(0, -1)
  const at = from.findIndex((name, place) => name !== to[place])
  return at > 0 && from[at]?.toLowerCase() === to[at]?.toLowerCase()
    ? [{ from: from.slice(0, at + 1).join('/'), to: to.slice(0, at + 1).join('/') }]
    : []
}
