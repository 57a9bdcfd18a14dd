import { absolute, isSameSite, pathOf, shown } from '../../site/addresses.ts'
import { programSourceIn } from '../../site/files/program-source.ts'
import { attributeOf, hasAttribute, type PageElement } from '../../site/html/elements.ts'
import { enquiryUses, type Form, formsOf, isEntry } from '../../site/html/forms.ts'
import { around, type Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { runsNoPrograms } from '../hosting.ts'
import { further, listed } from '../share.ts'
import { codeOf, isLibrary, sourcesOf } from './form-code.ts'
import { programsIn } from './sent-requests.ts'
import {
  bodyOf,
  escaped,
  handlersFor,
  handlersIn,
  handlersOf,
  handlersOfAll,
  isQuiet,
  reachOf,
  sends,
  stopsAlways,
} from './submit-handlers.ts'

export interface SilentForm extends Form {
  /** The address of the site that the form is sent to, on a host that runs no program: `https://site.example/mail.php`. */
  readonly program?: string
  /** No script handles it, so the browser sends it to its own page, on a host that runs no program. */
  readonly isSentToItself?: true
  /** The form itself keeps the browser from sending it, and no script sends it. */
  readonly isStopped?: true
  /** No field has a name or an id, so a browser sends nothing of it, and no script can tell the fields apart. */
  readonly isNameless?: true
}

/**
 * The forms that deliver nothing. A template comes with a script that plays the sending, or with a program that its host
 * does not run, and its owner waits for enquiries. A form is named here only where each script of its page that may send
 * it was read.
 */
export function silentFormsOf(site: Site): readonly SilentForm[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const forms = site.pages.flatMap((page) => {
    const nameless = formsOf(page).filter(isNameless)
    if (nameless.length > 0 && !mayTakeForms(page, site))
      return nameless.map((form): SilentForm => ({ ...form, isNameless: true }))
    const unserved = formsOf(page).flatMap((form) => {
      const program = unservedProgram(form)
      return program === undefined ? [] : [{ ...form, program }]
    })
    if (unserved.length > 0) return unserved
    const open = formsOf(page).filter((form) => isLeftToScripts(form) || isSentInVain(form))
    if (open.length === 0) return []
    const code = codeOf(page, site)
    return code === undefined ? [] : open.flatMap((form) => silentForm(form, code))
  })
  known.set(site, forms)
  return forms
}

const known = new WeakMap<Site, readonly SilentForm[]>()

/** A script may know the fields by their place or their placeholder. One that was not read may, too. */
function mayTakeForms(page: Page, site: Site): boolean {
  const code = codeOf(page, site)
  return code === undefined || handlersIn(code).length > 0
}

/**
 * Contact Form 7 sends to a program of WordPress, whose address stands in the page. A copy of the pages on a host without
 * programs has the form, and nothing takes what it sends.
 */
function unservedProgram({ node, page }: Form): string | undefined {
  if (!/(?:^|\s)wpcf7-form(?:\s|$)/.test(attributeOf(node, 'class')) || !runsNoPrograms(page.reply))
    return undefined
  const [, root] =
    /wpcf7\s{0,9}=\s{0,9}\{[^}]{0,200}?"root":\s{0,9}"(https?:[^"]{5,300})"/.exec(page.reply.body) ?? []
  const url = root === undefined ? undefined : absolute(root.replaceAll('\\/', '/'), page.url)
  return url !== undefined && isSameSite(url, page.url) ? url : undefined
}

const sentUses: ReadonlySet<Form['use']> = new Set([...enquiryUses, 'newsletter', 'comment'])

/** A framework knows its fields by itself, so its pages are left out. */
function isNameless({ node, page, use }: Form): boolean {
  // To a script of the site, or by a browser to a service: the site's own program is judged elsewhere.
  if (!sentUses.has(use) || node.name !== 'form' || !/^(?:#?$|https?:)/i.test(attributeOf(node, 'action')))
    return false
  if (hasAttribute(node, 'id') || hasAttribute(node, 'onsubmit')) return false
  const fields = page.elements.filter((element) => element.form === node && isEntry(element))
  return (
    fields.length >= 2 &&
    fields.every(({ node: field }) => attributeOf(field, 'name') === '' && attributeOf(field, 'id') === '') &&
    !framework.test(page.reply.body.slice(0, 300_000))
  )
}

const framework =
  /__NEXT_DATA__|\/_next\/|__NUXT__|\/_nuxt\/|data-reactroot|<astro-island|data-v-[0-9a-f]{6}|ng-version|svelte-[0-9a-z]{5}|x-data=|wire:|<script[^>]{1,200}type="module"/

/** Whether only a script can send a form: it names no address and no service. */
function isLeftToScripts(form: Form): boolean {
  const { node, use } = form
  if (!sentUses.has(use)) return false
  if (isLoose(form))
    return buttonsIn(form).some((button) => hasAttribute(button, 'onclick') || hasAttribute(button, 'id'))
  return (
    /^(?:#|javascript:.*)?$/i.test(attributeOf(node, 'action')) &&
    Object.keys(node.attribs).every((name) => plain.has(name) || drawn.test(name))
  )
}

/** Fields and a button without a form element. */
function isLoose({ node }: Form): boolean {
  return node.name !== 'form'
}

const maxButtons = 10

function buttonsIn({ node, page }: Form): Element[] {
  return page.elements
    .filter(({ name, node: button }) => name === 'button' && around(button).includes(node))
    .slice(0, maxButtons)
    .map(({ node: button }) => button)
}

/** What the buttons among the fields run: `sendRequest()` in an attribute, or a handler that a script adds by their id. */
function clickedIn(form: Form, code: string): readonly (string | undefined)[] {
  return buttonsIn(form).flatMap((button) => {
    const click = attributeOf(button, 'onclick')
    const id = attributeOf(button, 'id')
    return [
      ...(click === '' ? [] : [bodyOf(click, code)]),
      ...(id === '' ? [] : handlersOf('click', id, code)),
    ]
  })
}

/**
 * A form that is sent to its own site, on a host that runs no program and refuses what is posted to it. A script may still
 * send it elsewhere.
 */
function isSentInVain({ node, use, page }: Form): boolean {
  const action = attributeOf(node, 'action')
  // One for Netlify is sent to its own page where it names no other.
  const isNetlify = Object.keys(node.attribs).some((name) => ofNetlify.test(name))
  const isPosted = isNetlify || /^post$/i.test(attributeOf(node, 'method').trim())
  return (
    node.name === 'form' &&
    sentUses.has(use) &&
    runsNone(page) &&
    (isOwn(action, page) ? isPosted || isOwnProgram(action, page) : isNetlify && action.trim() === '') &&
    Object.keys(node.attribs).every((name) => plain.has(name) || ofNetlify.test(name) || drawn.test(name))
  )
}

/** Where the source of a program stands in the page, its host has not run it. */
function runsNone({ reply }: Page): boolean {
  return runsNoPrograms(reply) || programSourceIn(reply) !== undefined
}

/** Only Netlify reads it. */
const ofNetlify = /^(?:data-)?netlify(?:-honeypot|-recaptcha)?$/

function isOwn(address: string, page: Page): boolean {
  const url = address.trim() === '' ? undefined : absolute(address, page.url)
  return url !== undefined && new URL(url).host === new URL(page.url).host
}

/** "/mail.php", "/api/send-contact": a file of a site has another ending. */
function isOwnProgram(address: string, page: Page): boolean {
  const url = absolute(address, page.url)
  return url !== undefined && isOwn(address, page) && /(?:\.php|\/[^/.]+)$/i.test(pathOf(url))
}

/** Any other attribute may belong to a service or to a framework, such as `data-netlify` and `hx-post`. */
const plain: ReadonlySet<string> = new Set([
  ...['action', 'aria-label', 'autocomplete', 'class', 'enctype', 'id', 'method', 'name', 'novalidate'],
  ...['onsubmit', 'role', 'style', 'target'],
])

/** How it comes into view. */
const drawn = /^data-(?:aos|wow)(?:-|$)/

/** Scripts of the page that may handle its forms, for a scan to read. */
export function formScriptsOf(page: Page): readonly string[] {
  if (!formsOf(page).some((form) => isNameless(form) || isLeftToScripts(form) || isSentInVain(form)))
    return []
  const { origin } = new URL(page.url)
  return sourcesOf(page).filter((url) => new URL(url).origin === origin && !isLibrary(url))
}

function silentForm(form: Form, code: string): SilentForm[] {
  const { node, page } = form
  if (isLoose(form)) {
    const clicked = clickedIn(form, code)
    return clicked.length > 0 &&
      clicked.every((body) => body !== undefined && thanks.test(body) && isQuiet(body, code))
      ? [form]
      : []
  }
  const own = attributeOf(node, 'onsubmit')
  const added = handlersFor(node, code)
  if (refusal.test(own))
    return !handlersIn(code).some((body) => body === undefined || sends(body)) && !hasOwnScript(form)
      ? [{ ...form, isStopped: true }]
      : []
  const bodies = own === '' ? added : [/alert\(|preventDefault\(\)\s*;/.test(own) ? own : bodyOf(own, code)]
  const action = isLeftToScripts(form) ? undefined : attributeOf(node, 'action')
  const known = bodies.filter((body) => body !== undefined)
  if (known.length < bodies.length) return []
  if (bodies.length === 0 && action === undefined)
    return runsNoPrograms(page.reply) && !sends(code) && !hasOwnScript(form)
      ? [{ ...form, isSentToItself: true }]
      : []
  const isUnsent = known.every((body) => isQuiet(body, code)) && isUnclicked(form, code)
  if (runsNone(page)) {
    const programs = known.map((body) => programsIn(body, code, action))
    // Without a handler that sends it, the browser sends the form to its action.
    const [program] =
      action !== undefined && isUnsent && (known.length > 0 || !sends(code) || !isTouched(form, code))
        ? [action]
        : programs.flat()
    if (
      program !== undefined &&
      (isUnsent || programs.every((all) => all.length > 0 && all.every((one) => isOwnProgram(one, page))))
    )
      return [{ ...form, program: absolute(program, page.url) ?? program }]
  }
  const ofAll = handlersOfAll(code)
  const ownBodies = known.filter((body) => !ofAll.includes(body))
  return action === undefined &&
    isUnsent &&
    ownBodies.length > 0 &&
    ownBodies.every((body) => onlyThanks(body, code))
    ? [form]
    : []
}

/** A script may send a form when its button is clicked. */
function isUnclicked(form: Form, code: string): boolean {
  return clickedIn(form, code).every((body) => body !== undefined && isQuiet(body, code))
}

/** Whether a script may know the form: by a name of the form, of its fields or of its buttons, or by their kind. */
function isTouched({ node, page }: Form, code: string): boolean {
  if (kinds.test(code) || framework.test(page.reply.body.slice(0, 300_000))) return true
  const parts = page.elements.filter(
    (element) => element.form === node && (isEntry(element) || isButton(element)),
  )
  return [node, ...parts.map((part) => part.node)].some((element) => {
    const id = attributeOf(element, 'id')
    const name = attributeOf(element, 'name')
    return (
      (id !== '' && new RegExp(`["'\`#]${escaped(id.slice(0, maxName))}(?![\\w-])`).test(code)) ||
      (name !== '' &&
        new RegExp(`name\\s{0,3}=\\s{0,3}\\\\?["']?${escaped(name.slice(0, maxName))}(?![\\w-])`).test(
          code,
        )) ||
      attributeOf(element, 'class')
        .split(/\s+/)
        .slice(0, 20)
        .some(
          (one) =>
            one !== '' &&
            new RegExp(`["'\`,]\\s{0,3}\\w{0,20}\\.${escaped(one.slice(0, maxName))}(?![\\w-])`).test(code),
        )
    )
  })
}

const maxName = 100

/** What takes forms or their buttons by the kind of their elements. */
const kinds =
  /(?<!=)["'`](?:form|button)(?![\w-])|,\s{0,3}(?:form|button)["'`,[:]|\[type=[^\]]{0,3}submit|:submit|document\.forms|\bforms\[/

function isButton({ name, node }: PageElement): boolean {
  return (
    name === 'button' || (name === 'input' && /^(?:submit|image|button)$/i.test(attributeOf(node, 'type')))
  )
}

/** `onsubmit="return false;"` */
const refusal = /^\s*(?:event\.preventDefault\(\)\s*;?\s*)?return\s+false\s*;?\s*$/i

/** A button of the form may send it by a script in an attribute. */
function hasOwnScript({ node, page }: Form): boolean {
  return page.elements.some((element) => element.form === node && hasAttribute(element.node, 'onclick'))
}

/** The handler keeps the browser from sending, and shows that it did something. */
function onlyThanks(body: string, code: string): boolean {
  return stopsAlways(body) && shows.test(reachOf(body, code).text)
}

const shows =
  /alert\(|\.reset\(|textContent|inner(?:HTML|Text)|\.hidden\s{0,3}=|\.style\.|classList|\.(?:text|html|show|fadeIn|addClass|removeClass|removeAttribute|modal)\(/

/** Fields without a form may belong to a tool that shows its result in the page. Only an enquiry is thanked for. */
const thanks =
  /succe|thank|danke|merci|gracias|grazie|obrigad|bedankt|te[sş]ekk[uü]r|спасибо|شكر|ありがとう|감사|感谢|感謝|dzi[eę]ku|d[eě]kuj|hvala|faleminderit|[sš]ukses|has been sent/i

/** For a sentence: the pages of the forms, the first ones by their addresses. A form in a footer stands on every page. */
export function pagesOfForms(forms: readonly Form[]): string {
  const pages = [...new Set(forms.map(({ page }) => shown(page.url)))]
  if (pages.length <= maxNamed) return listed(pages)
  return listed([...pages.slice(0, maxNamed), further(pages.length - maxNamed, 'page')])
}

const maxNamed = 3

/** How many forms there are to mend: one that pages repeat, as in a footer, is mended once. */
export function countForms(forms: readonly SilentForm[]): number {
  const fieldsOf = ({ node, page }: SilentForm) =>
    page.elements.flatMap(({ node: field, form }) => (form === node ? [attributeOf(field, 'name')] : []))
  const alike = Map.groupBy(forms, (form) => [form.label, form.program, ...fieldsOf(form)].join(' '))
  return [...alike.values()].reduce((sum, ones) => {
    const onPages = Map.groupBy(ones, ({ page }) => page.url)
    return sum + Math.max(...Array.from(onPages.values(), ({ length }) => length))
  }, 0)
}
