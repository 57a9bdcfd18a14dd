import { asking, type Evidence, fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { headingOfTile } from '../../findings/dead-ends/nearby.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { isLanguageSwitch } from '../../signals/generic-titles.ts'
import {
  absolute,
  addressKey,
  decodeEscapes,
  registrableDomain,
  shown,
  shownInQuotes,
  withoutOwnPath,
  writtenFileOf,
} from '../../site/addresses.ts'
import { datesIn } from '../../site/dates.ts'
import {
  attributeOf,
  elementsWithin,
  hasAttribute,
  type PageElement,
  spokenText,
} from '../../site/html/elements.ts'
import { around, type Element, isElement } from '../../site/html/visible-text.ts'
import { messengerOf } from '../../site/messenger-address.ts'
import { isSamplePhone } from '../../site/phone-numbers.ts'
import type { Page } from '../../site/site.ts'
import { namesOn } from './accessible-name.ts'
import { isBackdrop } from './backdrops.ts'
import { markupOf } from './markup.ts'

/**
 * Judges whether buttons and links have a name in the accessibility tree. Those without one are told apart by what they
 * need: a link that works needs a text, which its address tells, one without an address needs both, and a button needs
 * a word for what it does.
 */
export function judgeNames(pages: readonly Page[]): Outcome {
  let all = 0
  const nameless: Nameless[] = []
  for (const page of pages) {
    const names = namesOn(page)
    for (const element of page.elements) {
      if (element.isHidden || !isControl(element)) continue
      all += 1
      if (names.ofControl(element.node) === '' && !isDrawnWord(element.node))
        nameless.push({ page, element, kind: kindOf(element) })
    }
  }
  if (all === 0) return notApplicable('No page that was read has a button or a link.')
  const good = all - nameless.length
  const statement = `${good} of ${all === 1 ? '1 control' : `${all} buttons and links`} ${all === 1 || good === 1 ? 'has' : 'have'} a name`
  const ofKind = (kind: Nameless['kind']) => nameless.filter((one) => one.kind === kind)
  // What the owner is asked for comes first, because the list may be cut.
  const evidence = balanced(kinds.toReversed().map(ofKind)).map((one) => evidenceOf(one, pages))
  if (good * 100 >= all * 95)
    return pass(
      `${statement}.`,
      { url: pages[0]?.url ?? '', value: `${statement} on ${counted(pages.length, 'page')}` },
      ...evidence.slice(0, 4),
    )
  const outcome = fail(
    `${statement}; at least 95 % should. Without one an agent cannot tell what a control does.`,
    kinds.flatMap((kind) => orderFor(ofKind(kind), pages)).join(' '),
    ...evidence,
  )
  const empty = ofKind('empty link')
  const named = [...new Set(empty.map((one) => textFor(one, pages) ?? pictureFor(one) ?? anyIcon))]
  return empty.length > 0 ? asking(outcome, { kind: 'empty-links', named }) : outcome
}

/** How an owner finds a picture that is a link to nowhere: by the heading of its tile, or else by its file. */
function pictureFor({ page, element: { node } }: Nameless): string | undefined {
  const src = elementsWithin(node, 'img[src]')[0]?.attribs.src ?? ''
  if (src === '' || src.startsWith('data:')) return undefined
  const heading = headingOfTile(node)
  const file = writtenFileOf(src)
  // A footer has the same one on every page.
  return heading === undefined
    ? `the picture “${shownInQuotes(file, 60)}”`
    : `the picture at “${heading}” on ${shown(page.url, 100)}`
}

/** A drawing without a name: the owner finds it by a click. */
const anyIcon = 'each icon on which a click does nothing'

/** As many of each list as fit. A long list of one kind would hide all of another. */
function balanced(lists: readonly (readonly Nameless[])[]): readonly Nameless[] {
  const share = Math.floor(maxPlaces / lists.length)
  const left = maxPlaces - lists.reduce((sum, { length }) => sum + Math.min(length, share), 0)
  let rest = left
  return lists.flatMap((list) => {
    const more = Math.min(rest, Math.max(0, list.length - share))
    rest -= more
    return list.slice(0, share + more)
  })
}

const kinds = ['link', 'button', 'empty link', 'hollow link'] as const

interface Nameless {
  readonly page: Page
  readonly element: PageElement
  readonly kind: (typeof kinds)[number]
}

function isControl({ name, node }: PageElement): boolean {
  return (
    name === 'button' ||
    (name === 'a' && hasAttribute(node, 'href') && !isMarkupAlone(node)) ||
    (name === 'input' && /^(?:submit|button|reset|image)$/i.test(attributeOf(node, 'type'))) ||
    (['button', 'link'].includes(attributeOf(node, 'role').toLowerCase()) && !isBackdrop(node))
  )
}

/** An empty link of microdata (`<a itemprop="sameAs">`): no visitor sees or uses it. */
function isMarkupAlone(node: Element): boolean {
  return hasAttribute(node, 'itemprop') && node.children.length === 0
}

/** A link to "#" that a script uses as a button is named as one. */
function kindOf({ name, node }: PageElement): Nameless['kind'] {
  if (name !== 'a' || attributeOf(node, 'role').toLowerCase() === 'button' || leadsUp(node)) return 'button'
  const href = attributeOf(node, 'href').trim()
  if (isHollow(node, href)) return 'hollow link'
  if (!/^(?:#|javascript:.*)?$/i.test(href))
    return withoutScheme.test(href) || isStartOfService(href) ? 'empty link' : 'link'
  return opensPart(node) ? 'button' : 'empty link'
}

/** Programs that make websites leave links to themselves. Other empty links may be drawn by a style. */
const builders =
  /^https?:\/\/(?:www\.)?(?:mobiri\.se|mobirise\.(?:com|eu|co|info|org|net|site|pw)|wix\.com|weebly\.com|jimdo\.com|webnode\.\w{2,3}|site123\.com|strikingly\.com|000webhost\.com|nicepage\.com)(?:\/|$)/i

/** `<a href="https://mobiri.se"></a>`: a program that makes websites left it, and no visitor can see it. */
function isHollow({ attribs, children }: Element, href: string): boolean {
  return (
    builders.test(href) &&
    Object.keys(attribs).every((name) => /^(?:href|target|rel)$/.test(name)) &&
    children.every((child) => 'data' in child && child.data.trim() === '')
  )
}

/** `www.facebook.com`: a browser takes it for a page of the site, which is not there. */
const withoutScheme = /^www\.[^/?#]+\.[a-z]{2,}(?:[/?#]|$)/i

/** `https://facebook.com/` and `#https://twitter.com/`, as templates have them, show no profile of the owner. */
function isStartOfService(href: string): boolean {
  if (/^#https?:/i.test(href)) return true
  const url = URL.parse(href)
  return (
    url !== null && url.pathname === '/' && url.search === '' && services.has(registrableDomain(url.href))
  )
}

/** A script opens or closes a part of the page by it, such as the menu: an attribute says so, its class, or its icon. */
function opensPart(node: Element): boolean {
  return (
    Object.keys(node.attribs).some((name) =>
      /^(?:onclick|aria-(?:controls|expanded|haspopup)|data-(?:activates|(?:bs-)?(?:toggle|target|dismiss|slide(?:-to)?)))$/.test(
        name,
      ),
    ) ||
    [node, ...node.children.filter(isElement)].some(
      (one) =>
        ofMenu.test(`${attributeOf(one, 'class')} ${attributeOf(one, 'id')}`.slice(0, 300)) ||
        isIconOf(/^\s*(?:menu|close|more_vert|dehaze)\s*$/, one),
    )
  )
}

/** The word that an icon font draws as a picture is read aloud, and some of them say what the control does. */
function isDrawnWord({ children }: Element): boolean {
  return children
    .filter(isElement)
    .some(
      (icon) =>
        attributeOf(icon, 'aria-hidden') !== 'true' &&
        isIconOf(
          /^\s*(?:menu|close|search|home|e?mail|phone|call|share|print|download|log(?:in|out)|help|settings)\s*$/,
          icon,
        ),
    )
}

/** "menu" in `<i class="material-icons">menu</i>`: the font draws a picture in place of the word. */
function isIconOf(words: RegExp, { attribs, children }: Element): boolean {
  return (
    /material-(?:icons|symbols)/i.test(attribs.class ?? '') &&
    words.test(children.map((child) => ('data' in child ? child.data : '')).join(''))
  )
}

/** "site-menu-toggle", "hamburger", "fa-bars". */
const ofMenu =
  /(?:^|[\s_-])(?:(?:menu|nav(?:bar|igation)?)[_-]?(?:toggle|toggler|btn|button|trigger|opener|open|close)|toggle[_-]?(?:menu|nav)|button-collapse|side-?nav-trigger|btn-?close|close-?(?:btn|button|icon)|(?:modal|popup|dialog|area|panel|sidebar|drawer|overlay)[_-](?:close|trigger|open)|hamburger|burger(?:[_-]?menu)?|nav-?(?:show|hide|open|close)|(?:fa|icon|bi|ri|ion|mdi|lnr)-(?:bars|menu|list|navicon|cross|times|close|xmark))(?:$|[\s_-])/i

/** "#" is the address of the top of a page, where a link says by its class or id that it leads there. */
function leadsUp(node: Element): boolean {
  return [node, ...around(node).slice(0, 2)].some((one) =>
    toTop.test(`${attributeOf(one, 'class')} ${attributeOf(one, 'id')}`.slice(0, 300)),
  )
}

const toTop =
  /(?:^|[\s_-])(?:(?:back|scroll|go|return|up)[_-]?)?(?:to[_-]?top|totop|(?:back|go|scroll)[_-]?top|up[_-]?arrow|top[_-]?btn|btn[_-]?top|page[_-]?top|pagetop|nach[_-]?oben|scroll-?up)(?:$|[\s_-])/i

/** What is to be done with the elements of one kind. */
function orderFor(members: readonly Nameless[], pages: readonly Page[]): string[] {
  const [first] = members
  if (first === undefined) return []
  const place = `${markupOf(first.element)} on ${shown(first.page.url)}`
  const text = textFor(first, pages)
  const order = {
    link: `Give ${place} ${text === undefined ? 'a text, or an aria-label that says where it leads' : `the text "${text}", as an aria-label if only its picture shall be seen`}.`,
    button: `Put text into ${place}, or give it an aria-label that says what it does.`,
    'empty link': `Give ${place} the address that it shall open, and ${text === undefined ? 'a text' : `the text "${text}"`}.`,
    'hollow link': `Take ${place} out: it shows nothing.`,
  }[first.kind]
  // A link to the top of the page is named as a button is.
  const rest =
    first.kind === 'button'
      ? andTheRest(members.length - 1, 'button or link', 'buttons or links')
      : andTheRest(members.length - 1, first.kind)
  return [`${order}${first.kind === 'link' ? rest.replace(/\.$/, ', each with its own text.') : rest}`]
}

function evidenceOf(one: Nameless, pages: readonly Page[]): Evidence {
  const text = textFor(one, pages)
  const named = text === undefined ? '' : ` "${text}"`
  const need = {
    link: `a text${named}`,
    button: 'a text or an aria-label',
    'empty link': `${missingAddress(attributeOf(one.element.node, 'href').trim())} and a text${named}`,
    'hollow link': '',
  }[one.kind]
  const said = need === '' ? 'shows nothing' : `needs ${need}`
  return { url: one.page.url, value: `${markupOf(one.element)}${pictureIn(one)} ${said}` }
}

/** `<a href="#">` stands on a page many times, and its picture tells them apart. */
function pictureIn({ kind, element: { node } }: Nameless): string {
  const [picture] = node.children.filter(isElement).filter(({ name }) => name === 'img')
  const src = kind === 'link' || picture === undefined ? '' : attributeOf(picture, 'src')
  return src === '' ? '' : ` around the picture ${shown(withoutOwnPath(src), 60)}`
}

function serviceOfStart(link: Element): string | undefined {
  const url = URL.parse(attributeOf(link, 'href').trim().replace(/^#/, ''))
  return url === null ? undefined : services.get(registrableDomain(url.href))
}

function missingAddress(href: string): string {
  if (withoutScheme.test(href)) return 'its address with https:// before it,'
  return isStartOfService(href) ? 'the address of the profile that is meant,' : 'an address'
}

/** What a link is to be called: the service of its address, or the words by which the site calls that page elsewhere. */
function textFor({ page, element, kind }: Nameless, pages: readonly Page[]): string | undefined {
  if (kind === 'empty link') return serviceOfIcon(element.node) ?? serviceOfStart(element.node)
  if (kind !== 'link') return undefined
  const href = attributeOf(element.node, 'href')
  const [, contact] = /^\s*(?:mailto|tel):([^?]{3,100})/i.exec(href) ?? []
  // The number of a template is corrected, and not written out as well.
  if (contact !== undefined)
    return isSamplePhone(contact) ? undefined : shownInQuotes(decodeEscapes(contact), 60)
  // What it leads to is a part of the page, such as its top, and not the page.
  if (/^\s*#/.test(href)) return undefined
  const parsed = URL.parse(href, page.url)
  if (parsed === null) return undefined
  const service = messengerOf(parsed) ?? services.get(registrableDomain(parsed.href))
  if (service !== undefined) return service
  if (parsed.hash !== '') return wordsFor(parsed, pages)
  const url = absolute(href, page.url)
  if (url === undefined) return undefined
  const key = addressKey(url)
  // Links to parts of the home page, such as "Order now", lead to its address, too.
  const called = key === addressKey(pages[0]?.url ?? '') ? undefined : calledBy(key, pages)
  const title = pages.find((one) => addressKey(one.url) === key)?.title
  // Its address is wrong, and would give it the name of another link.
  if (called !== undefined && isLogo(element.node)) return undefined
  // The menu may have mixed up two addresses, and the tile says what its visitor expects.
  const heading = called === undefined ? undefined : headingOfTile(element.node)
  if (heading !== undefined) return heading
  return called?.replaceAll('"', '') ?? (title ? titleAlone(title, pages).replaceAll('"', '') : undefined)
}

function isLogo({ children, attribs }: Element): boolean {
  const marks = [attribs, ...children.filter(isElement).map((one) => one.attribs)].map(
    (one) => `${one.class ?? ''} ${one.src ?? ''}`,
  )
  return /(?:^|[\s_/.-])logo/i.test(marks.join(' ').slice(0, 500))
}

/** How links on other pages call a page: by the words of a menu, or else by those on which all agree. */
function calledBy(key: string, pages: readonly Page[]): string | undefined {
  const links = pages
    .filter((one) => addressKey(one.url) !== key)
    .flatMap((one) => one.links.slice(0, maxLinks))
    .filter(({ text, url }) => addressKey(url) === key && isNameOfPage(text))
  const texts = new Map(links.map(({ text }) => [text.toLowerCase(), text]))
  const [only] = texts.size === 1 ? texts.values() : []
  return links.find(({ isNavigation }) => isNavigation)?.text ?? only
}

/** Of one page. */
const maxLinks = 1_000

/** "Jan. 10, 2021" and "English" lead to the page, too, and are not what it is called. */
function isNameOfPage(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= 60 &&
    !jumpText.test(text) &&
    !isLanguageSwitch(text) &&
    datesIn(text, 1).length === 0
  )
}

/** The last part of a title whose beginning other pages share: "Map" of "Lind Dental, crowns and bridges in Totnes - Map". */
function titleAlone(title: string, pages: readonly Page[]): string {
  const isShared = pages.some((one) => one.title !== title && one.title.startsWith(title.slice(0, 40)))
  const last = title.split(/\s[-–—|·]\s/).at(-1) ?? ''
  return shown(isShared && title.length > 60 && last !== '' ? last : title, 60)
}

/** How other links call the same part of a page. */
function wordsFor({ href: address, hash }: URL, pages: readonly Page[]): string | undefined {
  const texts = pages.flatMap(({ url, elements }) =>
    elements.flatMap(({ name, node }) =>
      name === 'a' &&
      attributeOf(node, 'href').endsWith(hash) &&
      URL.parse(attributeOf(node, 'href'), url)?.href === address
        ? [spokenText(node, 60)]
        : [],
    ),
  )
  return texts
    .find((text) => text.length > 1 && /\p{L}{2}/u.test(text) && !jumpText.test(text))
    ?.replaceAll('"', '')
}

/** Facebook of `<i class="fab fa-facebook-f">`, of `<ion-icon name="logo-facebook">` and of a picture `facebook.svg`. */
function serviceOfIcon(link: Element): string | undefined {
  const named = [link, ...link.children.filter(isElement)]
    .slice(0, 10)
    .map(({ attribs }) => [attribs.class, attribs.name, attribs.src].join(' ').slice(0, 300))
    .join(' ')
  const [, service] =
    /(?:^|[^a-z])(facebook|instagram|linkedin|twitter|youtube|tiktok|pinterest|github|whatsapp)(?![a-z])/i.exec(
      named,
    ) ?? []
  return service === undefined ? undefined : services.get(`${service.toLowerCase()}.com`)
}

/** "Skip to content" links a part of its own page. It does not say what the page is called. */
const jumpText =
  /^(?:skip|jump) (?:to|over)|^zum (?:haupt)?inhalt|^aller au contenu|^(?:saltar|ir) al contenido/i

/** By registrable domain. */
const services = new Map([
  ['facebook.com', 'Facebook'],
  ['instagram.com', 'Instagram'],
  ['linkedin.com', 'LinkedIn'],
  ['x.com', 'X'],
  ['twitter.com', 'X'],
  ['youtube.com', 'YouTube'],
  ['tiktok.com', 'TikTok'],
  ['pinterest.com', 'Pinterest'],
  ['github.com', 'GitHub'],
  ['threads.net', 'Threads'],
  ['threads.com', 'Threads'],
  ['bsky.app', 'Bluesky'],
  ['xing.com', 'XING'],
  ['vimeo.com', 'Vimeo'],
  ['vk.com', 'VK'],
  ['wa.me', 'WhatsApp'],
  ['whatsapp.com', 'WhatsApp'],
  ['t.me', 'Telegram'],
  ['tripadvisor.com', 'Tripadvisor'],
  ['yelp.com', 'Yelp'],
  ['2gis.kz', '2GIS'],
  ['2gis.ru', '2GIS'],
])
