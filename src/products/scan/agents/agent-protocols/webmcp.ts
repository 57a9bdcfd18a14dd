import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { readDocument } from '../../findings/document.ts'
import { portion } from '../../findings/share.ts'
import { pathOf, shown } from '../../site/addresses.ts'

import type { Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether an agent in a browser finds tools in the pages: forms that describe themselves, or a script
 * that registers tools. The standard is young, so only shops and applications are expected to have them.
 */
export function judgeWebMcp(site: Site): Outcome {
  if (site.pages.length === 0) return unmeasured('No page answered 200 with HTML.')
  const registered = registrationIn(site)
  if (registered) return pass('A script registers tools for the browser’s agent.', registered)
  const forms = formsOf(site.pages)
  const tools = forms.filter(({ isTool }) => isTool)
  const evidence = [...forms.filter(({ isTool }) => !isTool), ...tools].slice(0, 5).map(({ place }) => place)
  const statement = `${portion(tools.length, forms.length, 'form', 'has', 'have')} toolname and tooldescription`
  if (tools.length > 0 && tools.length * 100 >= forms.length * 80) return pass(`${statement}.`, ...evidence)
  const isExpected = site.profile.app || site.profile.shop
  if (!isExpected && tools.length === 0)
    return notApplicable('A site of this kind needs no tools for a browser’s agent.')
  if (tools.length === 0) {
    const unread = unreadScripts(site)
    if (unread !== undefined) return unmeasured(unread)
    if (forms.length === 0)
      return notApplicable('There is no form to fill in, and no script that was read registers a tool.')
  }
  return (tools.length > 0 ? warn : fail)(
    `${statement}, and no script that was read registers tools. Without them, browser agents go by the names of the fields alone.`,
    `Add toolname and tooldescription to the form at ${evidence[0]?.url ?? site.origin}.`,
    ...evidence,
  )
}

function registrationIn({ capture, pages }: Site): Evidence | undefined {
  for (const exchange of capture.exchanges) {
    if (exchange.purpose !== 'script' || exchange.outcome !== 'replied' || exchange.status !== 200) continue
    if (registers(exchange.body)) return { url: exchange.url, value: 'modelContext.registerTool(' }
  }
  for (const page of pages) {
    const scripts = page.$('script:not([src])').toArray()
    if (scripts.some((script) => registers(page.$(script).text()))) {
      return { url: page.url, value: 'modelContext.registerTool( in an inline script' }
    }
  }
  return undefined
}

function registers(script: string): boolean {
  return /\bmodelContext\s{0,9}(?:\?\.|\.)\s{0,9}registerTool\s{0,9}\(/.test(script)
}

interface Form {
  readonly isTool: boolean
  readonly place: Evidence
}

/** Lists the forms to fill in. A form that is on every page, such as a search, counts once. */
function formsOf(pages: readonly Page[]): Form[] {
  const forms = new Map<string, Form>()
  for (const page of pages) {
    for (const [form, { fields, isFilledIn }] of fieldsByForm(page)) {
      if (!isFilledIn) continue
      const { action = '', toolname = '', tooldescription = '' } = form.attribs
      const key = [action, ...fields].join('\n')
      const isTool = toolname.trim() !== '' && tooldescription.trim() !== ''
      if (forms.has(key) || forms.size === 500) continue
      forms.set(key, { isTool, place: { url: page.url, value: describe(form, page) } })
    }
  }
  return [...forms.values()]
}

interface Fields {
  /** Names of the first 50 fields. */
  readonly fields: string[]
  /** The form has something to type or to choose. A single button is a click and needs no tool. */
  isFilledIn: boolean
}

function fieldsByForm(page: Page): Map<Element, Fields> {
  const forms = new Map<Element, Fields>()
  for (const { node, form, name } of page.elements) {
    if (!form) continue
    const entry = forms.get(form) ?? { fields: [], isFilledIn: false }
    forms.set(form, entry)
    if (node === form) continue
    if (node.attribs.name !== undefined && entry.fields.length < 50) entry.fields.push(node.attribs.name)
    const isInput = name === 'input' && !clicked.has(node.attribs.type?.trim().toLowerCase() ?? '')
    if (isInput || name === 'select' || name === 'textarea') entry.isFilledIn = true
  }
  return forms
}

const clicked: ReadonlySet<string> = new Set(['hidden', 'submit', 'button', 'image', 'reset'])

function describe({ attribs }: Element, page: Page): string {
  if (attribs.toolname?.trim()) return `<form toolname="${shown(attribs.toolname, 60)}">`
  const target = URL.parse(attribs.action ?? '', page.url)
  return `<form> to ${shown(pathOf(target?.href ?? page.url), 80)} without toolname`
}

/**
 * Explains why the scripts could not be judged; undefined when at least one was read or the page has none.
 */
function unreadScripts({ capture, home }: Site): string | undefined {
  const scripts = capture.exchanges.filter(({ purpose }) => purpose === 'script').map(readDocument)
  const read = scripts.filter((script) => script.state === 'present' && !script.answer.isCut)
  if (read.length > 0) return undefined
  const hasOwn = home
    ?.$('script[src]')
    .toArray()
    .slice(0, 500)
    .some(({ attribs }) => {
      const source = URL.parse(attribs.src ?? '', home.url)
      return source !== null && source.origin === new URL(home.url).origin
    })
  return scripts.length > 0 || hasOwn
    ? 'The site’s scripts were not read, and they may register tools.'
    : undefined
}
