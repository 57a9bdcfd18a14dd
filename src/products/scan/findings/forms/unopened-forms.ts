import { attributeOf } from '../../site/html/elements.ts'
import { type Form, formsOf } from '../../site/html/forms.ts'
import { around, type Element } from '../../site/html/visible-text.ts'
import { once } from '../../site/once.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf } from './form-code.ts'

/**
 * The forms in a part of a page that its own style switches off and that nothing opens: neither a link or a button, nor an
 * attribute of a framework, nor a script. Where a script was not read, or may open parts that it does not name, no form of
 * the page is here.
 */
export function unopenedFormsOf(site: Site): ReadonlySet<Form['node']> {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const attributes = once(() => site.pages.map(openersOn).join('\n').slice(0, maxCharacters))
  const found = new Set(
    site.pages.flatMap((page) => {
      const off = formsOf(page).flatMap(({ node }) => {
        const part = offPartOf(node)
        return part === undefined ? [] : [{ node, part }]
      })
      const code = off.length === 0 ? undefined : codeOf(page, site)
      if (code === undefined || opensAnything.test(code)) return []
      const told = `${code}\n${attributes()}`
      const parts = new Map(
        [...new Set(off.map(({ part }) => part))].map((part) => [part, mayBeOpened(part, told)]),
      )
      return off.flatMap(({ node, part }) => (parts.get(part) === true ? [] : [node]))
    }),
  )
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, ReadonlySet<Form['node']>>()

function offPartOf(form: Element): Element | undefined {
  return [form, ...around(form)].find((element) =>
    /(?:^|[;\s])display\s*:\s*none/i.test(attributeOf(element, 'style').slice(0, 500)),
  )
}

/** What opens parts by their place in the page, and not by a name. */
const opensAnything =
  /slide(?:Toggle|Down)|fade(?:In|Toggle)|\.(?:next|prev|closest|find|children|siblings|show|toggle)\(|(?:next|previous)ElementSibling|querySelectorAll|getElementsBy|\bimport\b/

/** What the attributes of a page say that may open a part: `onclick="show('contact')"`, `href="#contact"`. */
function openersOn({ elements }: Page): string {
  return elements
    .flatMap(({ node: { attribs } }) =>
      Object.entries(attribs).flatMap(([name, value]) => (silent.has(name) ? [] : [value.slice(0, 300)])),
    )
    .join('\n')
    .slice(0, maxCharacters)
}

const maxCharacters = 300_000

function mayBeOpened(part: Element, told: string): boolean {
  const own = [part, ...around(part)]
  // A framework tells by an attribute when the part is shown.
  if (own.some(({ attribs }) => Object.keys(attribs).some((name) => framework.test(name)))) return true
  const id = attributeOf(part, 'id').trim()
  const names = [id, ...attributeOf(part, 'class').split(/\s+/).slice(0, 20)].filter(
    (name) => name.length > 1,
  )
  return names.some((name) => told.includes(name))
}

const framework = /^(?:x-|v-|:|@|\(|\[|\*|ng-|hx-|wire:|uk-|up-|data-)/
/** Attributes that open nothing. */
const silent: ReadonlySet<string> = new Set(['id', 'class', 'style', 'name', 'for', 'title', 'alt', 'src'])
