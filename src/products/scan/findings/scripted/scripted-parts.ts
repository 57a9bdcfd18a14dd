import { absolute, addressKey, depthOf, isSameSite, pathOf, shown } from '../../site/addresses.ts'
import { repliesFor, type SiteReply } from '../../site/capture.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around, type Element, textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { isSideScript } from '../../site/services/side-scripts.ts'
import type { Page, Site } from '../../site/site.ts'
import { writtenIds } from './written-ids.ts'

/**
 * What the site's own scripts write into its pages. Scripts are not run, so the menu of such a site and all that it
 * links are unseen. Without this, each check that looks for a link would call something missing that visitors have,
 * and one cause would count many times; `js-shell` reports it once.
 */
export interface ScriptedMenu {
  readonly url: string
  /** What the HTML as sent lacks, and what follows. */
  readonly statement: string
  /** For evidence. */
  readonly value: string
}

const known = new WeakMap<Site, { readonly menu: ScriptedMenu | undefined }>()

/** The script that makes header, menu and footer, where the HTML as sent has no link in any of them. */
export function scriptedMenu(site: Site): ScriptedMenu | undefined {
  const seen = known.get(site)
  if (seen !== undefined) return seen.menu
  const menu = findMenu(site)
  known.set(site, { menu })
  return menu
}

function findMenu(site: Site): ScriptedMenu | undefined {
  const { home } = site
  if (home === undefined) return undefined
  const part = emptyPart(home)
  if (part !== undefined)
    return {
      url: home.url,
      statement:
        'The menu appears only in browsers that run scripts. Agents that run none find no link on this page to another.',
      value: `no link to another page, and ${part} is left to scripts`,
    }
  const scripts = ownScripts(site, [home]).filter(({ code }) => insertion.test(code))
  const loader = hasEmptyNav(home) ? scripts.find(({ code }) => writesMenu(code)) : undefined
  if (loader)
    return {
      url: loader.url,
      statement: `In the HTML as sent the menu is empty; ${loader.name} fills it. Agents that run no scripts miss what is linked nowhere else.`,
      value: 'no link in the nav element',
    }
  if (hasMenuLinks(home)) return undefined
  const writer = scripts.find(({ code }) => markup.test(code))
  const drawer = drawnMenu(site, scripts)
  if (drawer !== undefined)
    return {
      url: drawer.url,
      statement: `In the HTML as sent header, menu and footer have no link; ${drawer.name} writes a menu. Agents that run no scripts miss what is linked nowhere else.`,
      value: 'no link in header, menu and footer',
    }
  // Where no script is seen to write a menu, a plain list of links is one.
  const filler =
    hasEmptyPart(home) && !hasListOfPages(home)
      ? (scripts.find(({ code }) => made.test(code)) ?? scripts[0])
      : undefined
  const script = writer ?? filler
  return (
    script && {
      url: script.url,
      statement: `In the HTML as sent header, menu and footer have no link; ${writer ? `${writer.name} writes them` : 'scripts fill them'}. Agents that run no scripts miss what is linked nowhere else.`,
      value: 'no link in header, menu and footer',
    }
  )
}

/** The script that makes a menu of links element by element: it names three pages or more to which no link leads. */
function drawnMenu(site: Site, scripts: readonly OwnScript[]): OwnScript | undefined {
  const named = pagesNamedByScripts(site)
  return scripts.find(
    ({ name, code }) => /createElement/.test(code) && named.filter((page) => page.name === name).length >= 3,
  )
}

/** A page of the site that a script names, where no link of a page that was read leads to it. */
export interface NamedPage {
  readonly url: string
  /** Of the script, for a sentence. */
  readonly name: string
}

const namedPages = new WeakMap<Site, readonly NamedPage[]>()

/** The pages whose addresses stand in the code of the site's own scripts, and in no link of the HTML. */
export function pagesNamedByScripts(site: Site): readonly NamedPage[] {
  const seen = namedPages.get(site)
  if (seen !== undefined) return seen
  const linked = new Set(
    site.pages.flatMap(({ url, links }) => [url, ...links.map((link) => link.url)].map(addressKey)),
  )
  const found = new Map<string, NamedPage>()
  for (const { name, code } of ownScripts(site, site.pages)) {
    for (const [, href = ''] of code.matchAll(pageAddress)) {
      const url = absolute(href, site.home?.url ?? site.origin)
      if (url === undefined || !isSameSite(url, site.origin) || depthOf(url) === 0) continue
      if (noPage.test(pathOf(url))) continue
      const key = addressKey(url)
      if (!linked.has(key) && !found.has(key) && found.size < maxNamed) found.set(key, { url, name })
    }
  }
  const pages = [...found.values()]
  namedPages.set(site, pages)
  return pages
}

const maxNamed = 200

/** What a script calls or loads, such as the program that sends a form: `/mail/contact_me.php`. */
const noPage =
  /^\/(?:api|ajax|wp-json|graphql|rest|static|assets|images?|img|js|css|fonts?|media|mail|mailer|cgi-bin)\/|\.(?!html?$|php$)[a-z0-9]{2,5}$/i

/** A value of a list of links: `link: "/team"`, `href="about.html"`. A bare string of code may be anything. */
const pageAddress =
  /(?<![\p{L}\p{N}_])(?:href|link|url|path|page|to)["']?\s{0,3}[:=]\s{0,3}["'`]((?:\.{0,2}\/)?[\p{L}\p{N}._~%/-]{2,100}?(?:\.html?|\.php)?\/?)["'`]/giu

/** Whatever their elements are: many older sites have their menu in a div of that name. */
function hasMenuLinks({ elements }: Page): boolean {
  return elements.some(
    ({ name, node, region }) =>
      name === 'a' &&
      attributeOf(node, 'href') !== '' &&
      (region === 'header' ||
        region === 'nav' ||
        region === 'footer' ||
        around(node).some((outer) =>
          menuName.test(`${attributeOf(outer, 'id')} ${attributeOf(outer, 'class').slice(0, 300)}`),
        )),
  )
}

/** A list of four links to pages of the site or more: a menu, whatever it is called. */
function hasListOfPages({ elements, url }: Page): boolean {
  const own = addressKey(url)
  const lists = new Map<Element, Set<string>>()
  for (const { name, node, isHidden } of elements) {
    const list =
      name === 'a' && !isHidden ? around(node).find((outer) => /^(?:ul|ol)$/.test(outer.name)) : undefined
    const target = list === undefined ? undefined : absolute(attributeOf(node, 'href'), url)
    if (list === undefined || target === undefined || !isSameSite(target, url)) continue
    const key = addressKey(target)
    if (key !== own) lists.set(list, (lists.get(list) ?? new Set()).add(key))
  }
  return [...lists.values()].some(({ size }) => size >= minListed)
}

const minListed = 4

const menuName = /(?:^|[\s_-])(?:nav\w*|menu\w*|footer|header|topbar|sidebar)(?:$|[\s_-])/i

/** A nav without anything in it, where no other part of the page is a menu. Links of the footer are no menu. */
function hasEmptyNav({ elements }: Page): boolean {
  if (!elements.some(({ name, node, isHidden }) => name === 'nav' && !isHidden && isEmpty(node))) return false
  return !elements.some(
    ({ name, node, region }) =>
      name === 'a' &&
      region !== 'footer' &&
      attributeOf(node, 'href') !== '' &&
      (region === 'nav' ||
        around(node).some((outer) =>
          /(?:^|[\s_-])(?:nav\w*|menu\w*)(?:$|[\s_-])/i.test(
            `${attributeOf(outer, 'id')} ${attributeOf(outer, 'class').slice(0, 300)}`,
          ),
        )),
  )
}

/** Code that has to do with the menu and with addresses of pages. */
function writesMenu(code: string): boolean {
  return /(?:querySelector|getElement|\$\()[^\n]{0,60}nav/i.test(code) && /href|\.html?["'`]/i.test(code)
}

function hasEmptyPart({ elements }: Page): boolean {
  return elements.some(({ name, node }) => isMenu(name, node) && isEmpty(node))
}

const markup = /<(?:nav|footer)[\s>]/i
const made = /createElement\(\s*["'`](?:nav|footer|header)["'`]/

const insertion =
  /innerHTML|outerHTML|insertAdjacent|append|prepend|replaceWith|attachShadow|\.html\(|\.load\(/

/** The script that writes an element of this name into the page. */
export function scriptThatWrites(site: Site, element: 'nav' | 'main'): OwnScript | undefined {
  const written = new RegExp(`<${element}[\\s>]`, 'i')
  const made = new RegExp(`createElement\\(\\s*["'\`]${element}["'\`]`, 'i')
  const scripts = ownScripts(site, site.pages).filter(({ code }) => insertion.test(code))
  return scripts.find(({ code }) => written.test(code)) ?? scripts.find(({ code }) => made.test(code))
}

/** The script that holds a list of prices. */
export function scriptWithPrices(site: Site): OwnScript | undefined {
  return ownScripts(site, site.pages).find(({ code }) => (code.match(price)?.length ?? 0) >= 2)
}

const price =
  /(?<![\p{L}])["']?(?:price|preis|prix|precio|prezzo|pre[cç]o|prijs|fiyat|цена)["']?\s{0,5}:\s{0,5}["']?[\d.,]{1,12}/giu

const filledParts = new WeakMap<Page, { readonly id: string | undefined }>()

/**
 * The id of an empty part of the main content that an inline script fills with data which it loads. The menu of such a page
 * stands in the HTML, and what it tells does not.
 */
export function filledPart(page: Page): string | undefined {
  const seen = filledParts.get(page)
  if (seen !== undefined) return seen.id
  const id = findFilledPart(page)
  filledParts.set(page, { id })
  return id
}

function findFilledPart(page: Page): string | undefined {
  if (countWords(page.mainText.slice(0, 10_000)) >= 20) return undefined
  const code = inlineScripts(page)
    .map((script) => script.code)
    .join('\n')
    .slice(0, 200_000)
  if (!loadsData.test(code)) return undefined
  const parts = page.elements
    .filter(({ name, region }) => containers.has(name) && !/^(?:nav|header|footer)$/.test(region ?? ''))
    .map(({ node }) => ({ id: attributeOf(node, 'id'), node }))
    .filter(({ id }) => id !== '' && !isEffect.test(id))
  const written = writtenIds(code, new Set(parts.map(({ id }) => id)), 'text')
  return parts.find(({ id, node }) => written.has(id) && textWithin([node]) === '')?.id
}

const loadsData =
  /(?<![\w.])(?:fetch|axios(?:\.get)?)\s?\(|XMLHttpRequest|\$\.(?:get|getJSON|ajax)\s?\(|getDatabase|getFirestore|firebase\.(?:database|firestore)|createClient\s?\(/
const containers: ReadonlySet<string> = new Set(['main', 'section', 'article', 'div', 'ul', 'ol', 'tbody'])

/** What decorates a page, or reports to its reader, holds no content. */
export const isEffect =
  /particle|star|snow|bubble|confetti|cursor|background|canvas|map|toast|modal|lightbox|popup|overlay|loader|spinner|status|error|message|cookie|chat|result|captcha/i

export interface OwnScript {
  /** Its address, or that of the page that holds it. */
  readonly url: string
  /** For a sentence: "/js/main.js" or "a script in /order.html". */
  readonly name: string
  readonly code: string
}

function ownScripts(site: Site, pages: readonly Page[]): readonly OwnScript[] {
  return [...scriptFiles(site), ...pages.flatMap(inlineScripts)]
}

/** The files of scripts that were read, or those of them that are wanted. */
export function scriptFiles(
  { capture }: Site,
  isWanted: (file: SiteReply) => boolean = () => true,
): readonly OwnScript[] {
  return repliesFor(capture, 'script')
    .filter((file) => file.status === 200 && isWanted(file))
    .map(({ finalUrl, body }) => ({ url: finalUrl, name: pathOf(finalUrl), code: body.slice(0, maxCode) }))
}

export function inlineScripts({ url, elements }: Page): readonly OwnScript[] {
  return elements
    .filter(({ name, node }) => name === 'script' && isRun(node) && attributeOf(node, 'src') === '')
    .slice(0, 50)
    .map(({ node }) => {
      const [text] = node.children
      const code = text?.type === 'text' ? text.data.slice(0, maxCode) : ''
      return { url, name: `a script in ${pathOf(url)}`, code }
    })
}

const maxCode = 300_000

/**
 * The empty part of the home page into which scripts write the menu, such as `#footer-container`. The page leads to
 * no other page of its site. A visitor finds a whole site behind the menu, and an agent finds no link on it.
 */
function emptyPart(home: Page): string | undefined {
  const own = addressKey(home.url)
  if (home.links.some(({ url, isInternal }) => isInternal && addressKey(url) !== own)) return undefined
  const elements = home.elements
  const runs = elements.some(
    ({ name, node }) =>
      name === 'script' &&
      isRun(node) &&
      attributeOf(node, 'src') !== '' &&
      !isSideScript(attributeOf(node, 'src'), home.url),
  )
  const part = elements.find(({ name, node }) => isMenu(name, node) && isEmpty(node))
  if (!runs || part === undefined) return undefined
  const id = attributeOf(part.node, 'id')
  return id === '' ? `the empty ${part.name} element` : `#${shown(id, 60)}`
}

function isMenu(name: string, node: Element): boolean {
  if (name === 'nav' || name === 'header' || name === 'footer') return true
  return (
    /^(?:div|section|ul)$/.test(name) &&
    /(?:^|[_-])(?:nav(?:bar|igation)?|menu|header|footer)(?:$|[_-])/i.test(
      attributeOf(node, 'id').slice(0, 100),
    )
  )
}

export function isEmpty({ children }: Element): boolean {
  return children.every(
    (child) => child.type === 'comment' || (child.type === 'text' && child.data.trim() === ''),
  )
}

/** Whether a browser runs a script. Blocks of data such as JSON-LD have another type. */
export function isRun(node: Element): boolean {
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)\s*(?:;|$)/i.test(
    attributeOf(node, 'type'),
  )
}
