import type { CheerioAPI } from 'cheerio'
import { absolute, isSameSite } from '../../addresses.ts'
import { type Capture, repliesFor, type SiteReply } from '../../capture.ts'
import { attributeOf } from '../elements.ts'
import { parseHtml } from '../parse-html.ts'
import { baseOf } from '../references.ts'
import { around, type Element, isElement, textWithin } from '../visible-text.ts'

/**
 * A file that a script puts into a page in a browser: `<div w3-include-html="menu.html">`, or
 * `$("#footer").load("footer.html")`. Programs that run no scripts do not see what stands there.
 */
export interface IncludedPart {
  /** As the page or its script writes it. */
  readonly name: string
  /** Absolute; undefined where the name is no address on the page's own site. */
  readonly url: string | undefined
  /** Between header and footer, where it may hold most of the text. */
  readonly isText: boolean
  /** The file was fetched, and its content stands in the tree that checks read. */
  readonly isRead: boolean
}

/** What was fetched beside a page and is needed to read it as browsers show it. */
export interface PageFiles {
  /** Scripts of the site that have a file of their own. */
  readonly scripts: readonly SiteReply[]
  /** What those scripts, and those in the page, put into it. */
  readonly parts: readonly SiteReply[]
}

export function filesOf(capture: Pick<Capture, 'exchanges'>): PageFiles {
  return { scripts: repliesFor(capture, 'script'), parts: repliesFor(capture, 'part') }
}

export const noFiles: PageFiles = { scripts: [], parts: [] }

/**
 * Puts the parts that were fetched where browsers show them. What a visitor finds there is known then, and the check
 * `js-shell` alone reports that a script puts it there.
 */
export function placeIncludedParts(
  $: CheerioAPI,
  { body, finalUrl: pageUrl }: SiteReply,
  { scripts, parts }: PageFiles,
): readonly IncludedPart[] {
  const base = baseOf($, pageUrl)
  const byUrl = new Map(parts.filter(({ status }) => status === 200).map((part) => [part.url, part.body]))
  const byElements = mayInclude.test(body) ? namedByElements($) : []
  let room = maxPlaced
  return [...byElements, ...namedByScripts($, pageUrl, scripts)]
    .slice(0, maxParts)
    .map(({ name, target, isBefore }) => {
      const [file = name, fragment] = name.split('#')
      const address = absolute(file, base)
      const url = address !== undefined && isSameSite(address, pageUrl) ? address : undefined
      const whole = url === undefined ? undefined : byUrl.get(url)
      const content = whole === undefined || whole.length > room ? undefined : whole
      room -= content?.length ?? 0
      if (content !== undefined) place($, { name, target, isBefore }, contentOf(content, fragment))
      return { name, url, isText: !isFrame(name, target), isRead: content !== undefined }
    })
}

interface Named {
  readonly name: string
  readonly target: Element | undefined
  /** Before the target, which is the script itself. */
  readonly isBefore: boolean
}

const maxParts = 40
/** Characters of parts in one page, so that it stays as small as a page may be. */
const maxPlaced = 256 * 1024

/** Most pages have no such attribute, and then no element has to be looked at. */
const mayInclude = /include|hx-trigger|data-(?:partial|fragment|load)/i

function namedByElements($: CheerioAPI): Named[] {
  return $('*')
    .toArray()
    .flatMap((target) => {
      if (!isElement(target)) return []
      const name = includeOf(target).trim()
      // A name goes into sentences of the report, and an address has neither blanks nor quotation marks.
      return /^[^\s"'<>“”]{1,300}$/.test(name) ? [{ name, target, isBefore: false }] : []
    })
}

function includeOf(node: Element): string {
  if (node.name === 'include-fragment') return attributeOf(node, 'src')
  const loads = /(?:^|[\s,])load(?:$|[\s,])/.test(attributeOf(node, 'hx-trigger'))
  const address = Object.keys(node.attribs)
    .map((attribute) => ({ attribute, value: attributeOf(node, attribute) }))
    .find(
      ({ attribute, value }) =>
        (including.test(attribute) && !/^(?:|true|false|\d+)$/i.test(value)) ||
        (loading.test(attribute) && isFile.test(value)),
    )?.value
  return address ?? (loads ? attributeOf(node, 'hx-get') : '')
}

/** "w3-include-html", "data-include", "data-include-path": there is no one name for it. */
const including = /^(?:data-)?(?:w3-)?(?:html-)?include(?:-(?:html|path|src|url|file|page|part))*$/

/** These names are used for other things, too, so their value has to be the address of a page. */
const loading = /^data-(?:partial|fragment|load)(?:-(?:html|path|src|url|file))*$/
const isFile = /^[\w./:-]{1,200}\.(?:x?html?|php|inc|tpl|shtml)(?:[?#]\S*)?$/i

/** The files that scripts load by name and write into an element of the page. */
function namedByScripts($: CheerioAPI, pageUrl: string, files: readonly SiteReply[]): Named[] {
  const loaded = new Set(
    $('script[src]')
      .toArray()
      .map(({ attribs }) => absolute(attribs.src ?? '', baseOf($, pageUrl))),
  )
  const codes: { readonly code: string; readonly script: Element | undefined }[] = [
    ...$('script:not([src])')
      .toArray()
      .slice(0, maxScripts)
      .map((script) => ({ code: $(script).text().slice(0, maxCode), script })),
    ...files
      .filter(({ url, status }) => status === 200 && loaded.has(url))
      .map(({ body }) => ({ code: body.slice(0, maxCode), script: undefined })),
  ]
  const found = new Map<string, Named>()
  const byId = firstById($)
  for (const { code, script } of codes) {
    if (!loads.test(code) || !inserts.test(code)) continue
    for (const match of code.matchAll(quotedFile)) {
      const [, name = '', fragment] = match
      if (found.has(name)) continue
      const before = code.slice(Math.max(0, match.index - reach), match.index)
      const after = code.slice(match.index + match[0].length, match.index + match[0].length + reach)
      const target = targetOf(byId, before, after, script)
      if (target === undefined) continue
      found.set(name, { name: fragment === undefined ? name : `${name}#${fragment}`, ...target })
    }
  }
  return [...found.values()]
}

const maxScripts = 50
const maxCode = 100_000
/** Characters around the name of a file in which the element may be named that it is for. */
const reach = 240

const loads = /(?<![\w.])(?:fetch|axios(?:\.get)?)\s?\(|XMLHttpRequest|\$\.(?:get|ajax)\s?\(|\)\.load\s?\(/
const inserts =
  /innerHTML|outerHTML|insertAdjacent|\.(?:html|append|prepend|before|after|replaceWith)\s?\(|\)\.load\s?\(/
/** `"footer.html"`, and of jQuery `"parts.html #footer"`. */
const quotedFile =
  /["'`]((?:\.{0,2}\/)?[\p{L}\p{N}_.~%/-]{1,100}\.(?:x?html?|inc|tpl|shtml))(?:\s{1,3}#([\w-]{1,60}))?["'`]/giu

/** The call that loads ends directly before the name: `fetch(`, `$.get(`, `open("GET", `. */
const directCall =
  /(?:(?<![\w.])(?:fetch|axios(?:\.get)?)|\$\.(?:get|ajax)|\)\.load|\.open)\s?\(\s{0,20}(?:["'`]GET["'`]\s?,\s?|\{\s{0,20}url\s?:\s?)?$/i

/**
 * The element into which a script puts the file that it names. Scripts name pages for other reasons, too. So the name has to
 * stand in a call that loads, or beside the id of an empty element, as in `include("footer", "footer.html")`.
 * @returns undefined where the script only names the file
 */
function targetOf(
  byId: ReadonlyMap<string, Element>,
  before: string,
  after: string,
  script: Element | undefined,
): Omit<Named, 'name'> | undefined {
  const firstEmpty = (ids: readonly (string | undefined)[]) => {
    const elements = ids.flatMap((id) => byId.get(id ?? '') ?? [])
    const target = elements.find((element) => textWithin([element]).trim() === '')
    return target && { target, isBefore: target.name === 'script' }
  }
  const [, beside] = /["'`]#?([\w-]{1,60})["'`]\s?[,:]\s{0,20}$/.exec(before) ?? []
  const [, behind] = /^\s?,\s{0,20}["'`]#?([\w-]{1,60})["'`]/.exec(after) ?? []
  const pair = firstEmpty([beside, behind])
  if (pair !== undefined) return pair
  if (!directCall.test(before)) return undefined
  const [, loaded] = /\$\(\s?["'`]#([\w-]{1,60})["'`]\s?\)\.load\s?\(\s{0,20}$/.exec(before) ?? []
  const ids = [loaded, ...[...after.matchAll(/["'`]#?([\w-]{1,60})["'`]/g)].map(([, id]) => id)]
  return firstEmpty(ids) ?? { target: script, isBefore: true }
}

function firstById($: CheerioAPI): ReadonlyMap<string, Element> {
  const byId = new Map<string, Element>()
  for (const element of $('[id]').toArray()) {
    const { id = '' } = element.attribs
    if (!byId.has(id)) byId.set(id, element)
  }
  return byId
}

/** Whether it is the header, the menu or the footer of the page, by where it stands or by a name. */
function isFrame(name: string, target: Element | undefined): boolean {
  const outer = target === undefined ? [] : [target, ...around(target)]
  return (
    outer.some((element) => /^(?:header|nav|footer)$/.test(element.name)) ||
    frameName.test(name) ||
    frameName.test(target === undefined ? '' : attributeOf(target, 'id'))
  )
}

const frameName =
  /(?:^|[^a-z])(?:head(?:er)?|foot(?:er)?|nav(?:bar|igation)?|menu|topbar|sidebar)(?:[^a-z]|$)/i

/** Whether an element that calls itself the header, the menu or the footer is empty. */
export function hasEmptyFrame({ $ }: { readonly $: CheerioAPI }): boolean {
  return $('div[id], header, nav, footer')
    .toArray()
    .slice(0, maxFrames)
    .some(
      (element) =>
        (element.name !== 'div' || frameName.test(attributeOf(element, 'id'))) &&
        element.children.every(
          (node) => node.type === 'comment' || (node.type === 'text' && node.data.trim() === ''),
        ),
    )
}

const maxFrames = 500

function place(
  $: CheerioAPI,
  { name, target, isBefore }: Named,
  content: readonly ReturnType<typeof contentOf>[number][],
): void {
  if (target !== undefined && isBefore) $(target).before([...content])
  else if (target !== undefined) $(target).append([...content])
  else if (/head|nav|menu|top/i.test(name)) $('body').prepend([...content])
  else $('body').append([...content])
}

/** What a browser shows of the file. What its head says of it as a page of its own is left out. */
function contentOf(html: string, fragment: string | undefined) {
  const $ = parseHtml(html)
  $('title, meta, base, link').remove()
  if (fragment === undefined) return $('head, body').contents().toArray()
  return $('[id]')
    .toArray()
    .filter(({ attribs }) => attribs.id === fragment)
    .slice(0, 1)
}
