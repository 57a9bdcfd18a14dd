import {
  decodedPart,
  decodedPathOf,
  fileNameOf,
  pathOf,
  shownInQuotes,
  writtenFileOf,
} from '../../site/addresses.ts'
import type { Exchange, SiteReply } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { shownPicturesOf, strandedPicturesOf } from '../../site/html/pictures/shown-pictures.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { isGone } from '../document.ts'
import { isSoft404 } from '../soft-404.ts'
import { leftAsSent } from './left-as-sent.ts'
import { placeOfPicture } from './nearby.ts'

/** What the scan knows of the pictures that pages show. */
export interface AskedPictures {
  /** Of how many the answer tells whether they are there. */
  readonly answered: number
  readonly gone: readonly GonePicture[]
}

export interface GonePicture {
  readonly fault: Fault
  /** The name of its file, safe to quote; empty where a program was to make it. */
  readonly file: string
  /** That show it; the first is the one where an owner finds it first. */
  readonly pages: readonly [Page, ...Page[]]
  /** On the first page: `at “Whitening”`. */
  readonly place: string
  readonly elsewhere: Elsewhere | undefined
}

/** Why visitors do not see it. */
type Fault =
  /** No file is at its address. */
  | { readonly kind: 'file'; readonly url: string; readonly status: number }
  /** A program was to draw a code there, for a field of a form. */
  | { readonly kind: 'code'; readonly url: string; readonly status: number; readonly field: string }
  /** Its address names a file on the computer of the page's author. */
  | { readonly kind: 'stranded' }

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
  const missing = replies.filter((reply) => isGone(reply) || (isSoft && isPageInstead(reply)))
  const there = replies.filter((reply) => reply.status === 200 && !missing.includes(reply))
  const files = [...there, ...site.capture.exchanges.filter(isOther)].map(({ url }) => url)
  const shown = showingsOf(new Set(missing.map(({ url }) => url)), site)
  const gone = missing.flatMap((reply) => {
    const showing = shown.filter(({ url }) => url === reply.url)
    return showing.length === 0 ? [] : [{ ...reply, showing }]
  })
  const elsewhere = placesOf(
    gone.map(({ url }) => url),
    files,
  )
  const stranded = strandedIn(site.pages, files)
  return {
    answered: stranded.length + gone.length + there.length,
    gone: [
      ...stranded,
      ...gone.flatMap(({ url, status, showing }) => {
        const [field] = showing.flatMap((one) => codeFieldFor(one, url) ?? [])
        return goneOn(showing, {
          fault: field === undefined ? { kind: 'file', url, status } : { kind: 'code', url, status, field },
          file: isPictureName.test(pathOf(url)) ? shownInQuotes(fileNameOf(url), maxName) : '',
          elsewhere: field === undefined ? elsewhere.get(url) : undefined,
        })
      }),
    ],
  }
}

interface Showing {
  readonly page: Page
  readonly node: Element
}

/** Where visitors see one of these pictures, or else a gap: no script and no style sheet changes that. One of each page. */
function showingsOf(urls: ReadonlySet<string>, site: Site): readonly (Showing & { readonly url: string })[] {
  return site.pages.flatMap((page) => {
    const named = urls.size === 0 ? [] : shownPicturesOf(page).filter(({ url }) => urls.has(url))
    if (named.length === 0) return []
    const isLeft = leftAsSent(page, site)
    const pictures = named.filter(({ node }) => isLeft(node)).map((one) => ({ page, ...one }))
    return [...Map.groupBy(pictures, ({ url }) => url).values()].flatMap(([first]) => first ?? [])
  })
}

/** The addresses at which no picture is. */
export function goneAddressesOf(site: Site): ReadonlySet<string> {
  return new Set(
    askedPicturesOf(site).gone.flatMap(({ fault }) => (fault.kind === 'stranded' ? [] : [fault.url])),
  )
}

/** The images that show nothing, as their file is not there. What is not seen needs no description and no size. */
export function goneImagesOf(site: Site): ReadonlySet<Element> {
  const gone = goneAddressesOf(site)
  return new Set(
    gone.size === 0
      ? []
      : site.pages.flatMap((page) =>
          shownPicturesOf(page).flatMap(({ node, url }) => (gone.has(url) ? [node] : [])),
        ),
  )
}

function goneOn(
  [first, ...others]: readonly Showing[],
  what: Omit<GonePicture, 'pages' | 'place'>,
): readonly GonePicture[] {
  return first === undefined
    ? []
    : [
        {
          ...what,
          pages: [first.page, ...others.map(({ page }) => page)],
          place: placeOfPicture(first.page, first.node),
        },
      ]
}

const maxName = 60

function strandedIn(pages: readonly Page[], files: readonly string[]): readonly GonePicture[] {
  const all = pages.flatMap((page) => strandedPicturesOf(page).map((one) => ({ page, ...one })))
  return [...Map.groupBy(all, ({ written }) => written)].flatMap(([written, showing]) => {
    const onPages = [...new Map(showing.map((one) => [one.page, one])).values()]
    const url = fileOfName(written, files)
    return goneOn(onPages, {
      fault: { kind: 'stranded' },
      file: shownInQuotes(decodedPart(writtenFileOf(written)), maxName),
      elsewhere: url === undefined ? undefined : { url, by: 'alike' },
    })
  })
}

/** The one file of the site with the name of the one on the computer, or else the one that is in a folder of the same name, too. */
function fileOfName(written: string, files: readonly string[]): string | undefined {
  const path = decodedPart(written.slice(-500)).toLowerCase().split(/[/\\]/)
  const alike = [1, 2].map((depth) => [
    ...new Set(
      files.filter(isFileByPath).filter((url) => {
        const own = decodedPathOf(url).toLowerCase().split('/')
        return own.slice(-depth).join('/') === path.slice(-depth).join('/')
      }),
    ),
  ])
  return alike.find(({ length }) => length === 1)?.[0]
}

/** The field of a form into which a visitor is to copy what the picture shows. A file has no code, so a program draws it. */
function codeFieldFor({ page: { elements }, node }: Showing, url: string): string | undefined {
  const form = isPictureName.test(pathOf(url)) ? undefined : elements.find((one) => one.node === node)?.form
  if (form === undefined) return undefined
  const field = elements.find(
    (one) =>
      one.form === form &&
      one.name === 'input' &&
      /captcha|(?:security|verif\w{0,10}|confirm\w{0,10})[_-]?code|^(?:code|vcode)$/i.test(
        attributeOf(one.node, 'name') || attributeOf(one.node, 'id'),
      ),
  )
  return field && (attributeOf(field.node, 'name') || attributeOf(field.node, 'id'))
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

/** For each address that is gone, where the file is by what the scan has seen of the others. */
function placesOf(gone: readonly string[], there: readonly string[]): ReadonlyMap<string, Elsewhere> {
  const found = new Map<string, Elsewhere>()
  const files = gone.filter(isFileByPath)
  const others = there.filter(isFileByPath)
  for (const url of files) {
    const place = fileElsewhere(url, others)
    if (place !== undefined) found.set(url, place)
  }
  const moves = files.flatMap((url) => {
    const to = found.get(url)?.url
    return [...(to === undefined ? [] : movedFolder(url, to)), ...there.flatMap((one) => otherCase(url, one))]
  })
  // A folder in which files are has not moved.
  const isEmpty = ({ from }: Move) => !there.some((one) => pathOf(one).startsWith(`${from}/`))
  for (const url of files) {
    const path = pathOf(url)
    const move = moves.find((one) => path.startsWith(`${one.from}/`) && isEmpty(one))
    if (move === undefined || found.has(url)) continue
    const near = new URL(url)
    near.pathname = `${move.to}${path.slice(move.from.length)}`
    found.set(url, { url: near.href, by: 'near' })
  }
  return found
}

/** Of `/image.php?id=1` the path is that of a program, and the picture is told by the rest. */
function isFileByPath(url: string): boolean {
  return new URL(url).search === ''
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
