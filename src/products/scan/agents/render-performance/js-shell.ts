import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { filledPages } from '../../findings/scripted/filled-pages.ts'
import { filledPart, scriptedMenu } from '../../findings/scripted/scripted-parts.ts'
import { leadsSomewhere } from '../../findings/scripted/shell.ts'
import { mountIds } from '../../findings/scripted/written-later.ts'
import { counted, listed, maxPlaces, portion } from '../../findings/share.ts'
import { addressKey, isPlaceholder, shown } from '../../site/addresses.ts'
import { isSamePhone } from '../../site/contact/phone-rules.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { indexedPages } from '../../site/indexable.ts'
import { isSideScript } from '../../site/services/side-scripts.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the page is a shell that a script fills. Most agents run no scripts, so they get an empty
 * page. A page with few words fails only when something shows that a script adds more; other checks judge
 * how much text a page has.
 */
export function judgeShell(site: Site): Outcome {
  const { home, pages } = site
  if (!home) return unmeasured('The page did not answer 200 with HTML.')
  const { words, mount, scripts, isBare, placeholder } = measure(home.asSent)
  const statement = `The HTML holds ${counted(words, 'word')}`
  const evidence: Evidence[] = [
    { url: home.url, value: `${counted(words, 'word')} without JavaScript` },
    ...(mount === undefined
      ? []
      : [{ url: home.url, value: `#${mount.id} holds ${counted(mount.length, 'character')}` }]),
  ]
  const fix = `Render ${home.url} on the server or at build time, so that its text stands in the HTML.`
  if (mount && words < minWords) {
    return fail(
      `${statement}, fewer than ${minWords}, and #${mount.id}, where scripts put a page, holds ${counted(mount.length, 'character')}. Agents that run no scripts miss what is put there.`,
      fix,
      ...evidence,
    )
  }
  if (isBare && words < minWords) {
    return (words === 0 || placeholder !== undefined ? fail : warn)(
      `${statement}, no link to another page and no form${placeholder === undefined ? '' : ` except placeholders such as ${placeholder}`}, and loads ${counted(scripts, 'script')}; whatever they add, agents that run no scripts miss it.`,
      fix,
      ...evidence,
      { url: home.url, value: `${counted(scripts, 'script')} with src` },
    )
  }
  const included = judgeParts(site)
  if (words < minWords) {
    const part = filledPart(home.asSent)
    if (included !== undefined) return included
    if (part === undefined)
      return notApplicable(`${statement}, and nothing in it shows that a script is to add others.`)
    return fail(
      `${statement}, and a script loads the content and puts it into #${part}, which is empty as sent. Agents that run no scripts miss it.`,
      fix,
      ...evidence,
      { url: home.url, value: `#${part} is empty` },
    )
  }
  if (mount) {
    return warn(
      `${statement}, but #${mount.id}, where scripts put a page, holds ${counted(mount.length, 'character')}. Agents that run no scripts miss what is put there.`,
      fix,
      ...evidence,
    )
  }
  const shells = pages.filter((page) => {
    const one = measure(page.asSent)
    return one.words < minWords && one.mount !== undefined
  })
  if (shells.length > 0) {
    return warn(
      `The first page has its text in the HTML, but ${portion(shells.length, pages.length, 'page', 'has', 'have')} fewer than ${minWords} words. An empty element shows where scripts put the page.`,
      `Render ${shells[0]?.url ?? home.url} on the server or at build time as well.`,
      ...shells.slice(0, 5).map(
        (page): Evidence => ({
          url: page.url,
          value: `${counted(measure(page.asSent).words, 'word')} without JavaScript`,
        }),
      ),
    )
  }
  const filled = judgeFilled(site)
  if (filled !== undefined) return filled
  if (included !== undefined) return included
  const menu = scriptedMenu(site)
  if (menu !== undefined)
    return warn(
      menu.statement,
      `Write the menu of ${home.url} into the page itself, so that agents find the pages behind it.`,
      { url: menu.url, value: menu.value },
    )
  return pass(`${statement} without JavaScript.`, ...evidence)
}

const minWords = 50

/** Pages whose heading and text a script writes into empty elements. What a page keeps out of search matters less. */
function judgeFilled(site: Site): Outcome | undefined {
  const indexed = indexedPages(site)
  const filled = filledPages(site).filter(({ page }) => indexed.includes(page))
  const [first, ...others] = filled
  if (first === undefined) return undefined
  return warn(
    `${portion(filled.length, indexed.length, 'page', 'gets its text', 'get their texts')} from a script, ${shown(first.script)}. Agents that run no scripts find the frame of such a page, and nothing of what it tells.`,
    `Write the heading and the text of ${shown(first.page.url)} into its HTML. ${shown(first.script)} puts them there in a browser.${others.length === 0 ? '' : ` Do the same on ${counted(others.length, 'more page')}.`} A step of the build can do it.`,
    ...filled.slice(0, maxPlaces).map(({ page, script, ids }) => ({
      url: page.url,
      value: `empty as sent: ${listed(ids.slice(0, 4).map((id) => `#${shown(id, 40)}`))}; ${shown(script)} fills them`,
    })),
  )
}

/** Header, menu and footer that scripts put into pages from files of the site, where these were read. */
function judgeParts({ pages }: Site): Outcome | undefined {
  const [page, ...others] = pages.filter((one) => readParts(one).length > 0)
  if (page === undefined) return undefined
  const names = readParts(page)
  const { asSent } = page
  const words = countWords(page.text) - countWords(asSent.text)
  const linked = new Set(asSent.links.map(({ url }) => addressKey(url)))
  const added = new Set(page.links.map(({ url }) => addressKey(url)).filter((key) => !linked.has(key)))
  const links = added.size
  const phones = page.phones.filter((phone) => !asSent.phones.some((one) => isSamePhone(one, phone))).length
  const lost = [
    ...(words > 0 ? [counted(words, 'word')] : []),
    ...(links > 0 ? [counted(links, 'link')] : []),
    ...(phones > 0 ? [counted(phones, 'telephone number')] : []),
  ]
  if (lost.length === 0) return undefined
  const further = [...new Set(others.flatMap(readParts))].filter((name) => !names.includes(name))
  const files = filesNamed(names)
  const url = shown(page.url)
  return warn(
    `A script puts ${files} into ${page === pages[0] ? 'the page' : url}. Agents that run no scripts miss what stands there: ${listed(lost)}.`,
    `Write the HTML of ${files} into ${url} itself, in place of the script that loads ${names.length === 1 ? 'it' : 'them'}. ${others.length === 0 ? '' : `Do the same on ${counted(others.length, 'more page')}${further.length === 0 ? '' : `, and there with ${filesNamed(further)}`}. `}A step of the build, or the server, can do it as well.`,
    { url, value: `not in the HTML as sent: ${listed(lost)}` },
    ...[page, ...others].slice(0, maxPlaces).map((one) => ({
      url: one.url,
      value: `a script puts in ${filesNamed(readParts(one))}`,
    })),
  )
}

/** The files that scripts put into the page, as it writes them, where they were fetched. */
function readParts({ parts }: Page): readonly string[] {
  return [...new Set(parts.flatMap(({ name, isRead }) => (isRead ? shown(name, 60) : [])))]
}

function filesNamed(names: readonly string[]): string {
  const [first = ''] = names
  return names.length <= 3 ? listed(names) : `${first} and ${names.length - 1} other files`
}

interface Measures {
  readonly words: number
  /**
   * The first of those elements with fewer than 50 characters, on a page with a script that could fill it.
   */
  readonly mount: { readonly id: string; readonly length: number } | undefined
  /** Number of scripts with a file of their own that could add content. */
  readonly scripts: number
  /** The page has no link and no form other than a search, which every page for readers has, and a script that could add them. */
  readonly isBare: boolean
  /** The first link address that a script fills in. */
  readonly placeholder: string | undefined
}

function measure(page: Page): Measures {
  const running = page
    .$('script')
    .toArray()
    .filter(({ attribs }) => isRun(attribs.type) && !isSideScript(attribs.src ?? '', page.url))
  const scripts = running.filter(({ attribs }) => attribs.src?.trim()).length
  const mounted = mountIds.flatMap((id) => {
    const element = page.$(`[id="${id}"]`).toArray()[0]
    return element === undefined ? [] : [{ id, length: textWithin([element]).length }]
  })
  return {
    words: countWords(page.text),
    mount: running.length === 0 ? undefined : mounted.find(({ length }) => length < 50),
    scripts,
    isBare:
      scripts > 0 &&
      !page.links.some(({ url }) => leadsSomewhere(url, page)) &&
      formsOf(page).every(({ use }) => use === 'search'),
    placeholder: page.elements
      .map(({ node }) => attributeOf(node, 'href'))
      .find((href) => href !== '' && isPlaceholder(href)),
  }
}

/** Blocks of data such as JSON-LD do not run. */
function isRun(type = ''): boolean {
  return /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i.test(type.trim())
}
