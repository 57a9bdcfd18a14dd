import { goneAddressesOf } from '../../../findings/dead-ends/gone-pictures.ts'
import { missingPicture } from '../../../findings/dead-ends/missing-picture.ts'
import { companyName } from '../../../signals/company-name.ts'
import { absolute, addressKey, decodeEscapes, isSameSite } from '../../../site/addresses.ts'
import { attributeOf, elementsWithin, metaOf, type PageElement } from '../../../site/html/elements.ts'
import { nodesOf, textOf } from '../../../site/html/json-ld.ts'
import { around, textWithin } from '../../../site/html/visible-text.ts'
import type { Page, Site } from '../../../site/site.ts'

/** Chooses the pictures of a site that stand for its business: its logo, and one for a preview. */

/** The address of a picture in markup, where it may stand alone or in a node. */
export function addressOf(value: unknown, home: Page): string | undefined {
  const [one] = [value].flat()
  const text = typeof one === 'object' && one !== null && 'url' in one ? textOf(one.url) : textOf(one)
  return text === '' ? undefined : absolute(text, home.url)
}

/**
 * A picture that calls itself the logo, by its file, its class or its alternative text, and that stands at the top, in the
 * header or footer, leads home or bears the name: a page shows the logos of partners, too. The flag of a language switch
 * ("language-switch-logo") is none, and neither is a portrait, a placeholder or a picture whose address a script fills in.
 */
export function logoOf(site: Site, home: Page): string | undefined {
  const label = (site.registrableDomain.split('.')[0] ?? '').toLowerCase()
  const marks = [companyName(site).toLowerCase(), label].filter((mark) => mark.length >= 3)
  const first = new Set(home.elements.filter(({ name }) => name === 'img').slice(0, 3))
  const isLogo = (picture: Page['elements'][number], isNameAsked: boolean) => {
    const { name, node, region } = picture
    const src = attributeOf(node, 'src')
    if (name !== 'img' || region === 'main' || src === '' || leadsAway(node, home)) return false
    const names = ['src', 'class', 'id', 'alt'].map((one) => attributeOf(node, one).slice(0, 300)).join(' ')
    if (!/logo/i.test(names) || isSwitch.test(names) || isStandIn.test(names)) return false
    const isNamed = marks.some((mark) => names.toLowerCase().includes(mark))
    // The alternative text of a partner's logo may bear the name as well.
    if (isNameAsked) return region !== 'footer' && marks.some((mark) => src.toLowerCase().includes(mark))
    const isAtTop = first.has(picture) && /(?:^|\/)(?:site-?|main-?|our-?)?logo[^/]{0,40}$/i.test(src)
    return (
      isNamed ||
      isAtTop ||
      region === 'header' ||
      region === 'nav' ||
      (region === 'footer' && !isOfAnother(attributeOf(node, 'alt'))) ||
      leadsHome(node, home)
    )
  }
  // One that bears the name comes first: a house may show the logo of its group, too.
  const logo =
    home.elements.find((picture) => isLogo(picture, true)) ??
    home.elements.find((picture) => isLogo(picture, false))
  const src = logo === undefined ? '' : attributeOf(logo.node, 'src')
  return src === '' || missingPicture(src, home, site) !== undefined ? undefined : absolute(src, home.url)
}

/** "Onigiri Studio", who made the site, signs its footer. One that bears the name of the site was taken before. */
function isOfAnother(alt: string): boolean {
  return /\p{L}{3}/u.test(
    alt.replace(/\b(?:the|our|company|site|website|footer|main)\b|logo(?:type|s)?/gi, ''),
  )
}

/** The logo that other pages give to the business in their markup. */
export function logoInMarkup(site: Site): string | undefined {
  const found = site.pages.flatMap((page) =>
    nodesOf(page, 'Organization').flatMap((node) => {
      const url = addressOf(node.properties.logo, page)
      return url === undefined || missingPicture(url, page, site) !== undefined ? [] : [url]
    }),
  )
  return found.find((url) => isSameSite(url, `https://${site.registrableDomain}/`))
}

/** The picture of the preview, where its file was not found missing. */
export function previewPicture(home: Page, site: Site): string | undefined {
  const written = metaOf(home, 'og:image')
  return missingPicture(written, home, site) === undefined ? addressOf(written, home) : undefined
}

function leadsHome(picture: Page['elements'][number]['node'], home: Page): boolean {
  return around(picture).some((outer) => {
    const target = outer.name === 'a' ? absolute(attributeOf(outer, 'href'), home.url) : undefined
    return target !== undefined && addressKey(target) === addressKey(home.url)
  })
}

/** The logo of a society or a partner leads to its site. */
function leadsAway(picture: Page['elements'][number]['node'], home: Page): boolean {
  return around(picture).some((outer) => {
    const target = outer.name === 'a' ? absolute(attributeOf(outer, 'href'), home.url) : undefined
    return target !== undefined && /^https?:/.test(target) && !isSameSite(target, home.url)
  })
}

/** A white one shows nothing on the white page of an engine. */
const isStandIn =
  /placeholder|(?:^|[\s_/.-])(?:white|weiss|inverted|negative?)(?=$|[\s_/.-])|(?:^|[\s_/.-])(?:sample|dummy|default|profile\d*|avatar|portrait|author)(?=$|[\s_/.-])/i

const isSwitch =
  /(?:^|[\s_/.-])(?:lang(?:uages?)?|locale|langues?|sprachen?|idiomas?|lingua|flags?|flagge|drapeaux?|bandera|country-(?:switch(?:er)?|select(?:or)?))(?=$|[\s_/.-])/i

/**
 * The first picture of the main part. Few apps show drawings, or pictures of the newest formats, in a preview. One that shows a
 * treatment before and after is of a patient, and many countries forbid to advertise with it. None is shown of a file that
 * is gone.
 */
export function imageOf(home: Page, site: Site): string | undefined {
  const gone = goneAddressesOf(site)
  const fits = ({ name, node }: PageElement) =>
    name === 'img' &&
    !gone.has(absolute(attributeOf(node, 'src'), home.url) ?? '') &&
    !/\.(?:svg|avif)(?:[?#]|$)/i.test(attributeOf(node, 'src')) &&
    !isBeforeAndAfter(node)
  const chosen =
    home.elements.find((one) => one.region === 'main' && fits(one)) ??
    home.elements.find((one) => one.region === 'header' && fits(one) && isBesideHeading(one.node))
  return chosen === undefined ? undefined : absolute(attributeOf(chosen.node, 'src'), home.url)
}

/** The large picture at the top, in one header with the main heading. The logo there leads home or calls itself so. */
function isBesideHeading(picture: PageElement['node']): boolean {
  const names = ['src', 'class', 'id', 'alt'].map((one) => attributeOf(picture, one).slice(0, 300)).join(' ')
  const outer = around(picture)
  const header = outer.find(({ name }) => name === 'header')
  return (
    header !== undefined &&
    elementsWithin(header, 'h1').length > 0 &&
    !outer.some(({ name }) => name === 'a' || name === 'h1') &&
    !/logo|icon|brand/i.test(names) &&
    !isSwitch.test(names) &&
    !isStandIn.test(names)
  )
}

/** By its file ("antes-depois1.jpg", "before.png"), its alternative text or its caption. */
function isBeforeAndAfter(picture: PageElement['node']): boolean {
  const figure = around(picture).find(({ name }) => name === 'figure')
  const file = decodeEscapes(attributeOf(picture, 'src').slice(0, 500)).split(/[?#]/, 1)[0] ?? ''
  const alt = attributeOf(picture, 'alt').slice(0, 300)
  const caption = figure === undefined ? '' : textWithin([figure]).slice(0, 300)
  const base = (file.split('/').at(-1) ?? '').replace(/\.\w+$/, '')
  return (
    [file, alt, caption].some((text) => bothStates.test(text)) ||
    [base, alt].some((one) => oneState.test(one))
  )
}

const bothStates =
  /(?<!\p{L})(?:before\P{L}{0,3}(?:(?:and|n)\P{L}{0,3})?after|antes\P{L}{0,3}(?:[ey]\P{L}{0,3})?(?:depois|despu[eé]s)|avant\P{L}{0,3}(?:et\P{L}{0,3})?apr[eè]s|vorher\P{L}{0,3}(?:und\P{L}{0,3})?nachher|prima\P{L}{0,3}(?:e\P{L}{0,3})?dopo|f[øo]r\P{L}{0,3}(?:og\P{L}{0,3})?(?:etter|efter)|f[öo]re\P{L}{0,3}(?:och\P{L}{0,3})?efter|przed\P{L}{0,3}(?:i\P{L}{0,3})?po|voor\P{L}{0,3}(?:en\P{L}{0,3})?na|p[řr]ed\P{L}{0,3}(?:a\P{L}{0,3})?po|[îi]nainte\P{L}{0,3}(?:[șs]i\P{L}{0,3})?dup[aă]|[öo]nce(?:si)?\P{L}{0,3}(?:ve\P{L}{0,3})?sonra(?:s[ıi])?|до\P{L}{0,3}(?:[иі]\P{L}{0,3})?(?:после|після))(?!\p{L})|ビフォー|(?:術|施術|治療)[前後]|전후|前后对比|前後對比/iu
const oneState =
  /^(?:before|after|antes|depois|despu[eé]s|avant|apr[eè]s|vorher|nachher|prima|dopo|f[öo]re|f[øo]r|efter|etter|przed|po|до|после|öncesi|sonrası)[\s_-]{0,2}\d{0,4}$/iu
