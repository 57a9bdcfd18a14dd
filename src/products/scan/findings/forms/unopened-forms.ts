import { attributeOf } from '../../site/html/elements.ts'
import { type Form, formsOf } from '../../site/html/forms.ts'
import { around, type Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { closedClassesOf } from './closed-classes.ts'
import { readCodeOf } from './form-code.ts'

/**
 * The forms in a part of a page that is switched off by its own style or by a stylesheet, and that nothing opens: no link
 * or button names the part by its id, and no script that was read names its id or a class of it.
 */
export function unopenedFormsOf(site: Site): ReadonlySet<Form['node']> {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const closed = closedClassesOf(site)
  const found = new Set(
    site.pages.flatMap((page) =>
      formsOf(page).flatMap(({ node }) => {
        const part = offPartOf(node, closed)
        return part === undefined || mayBeOpened(part, page, site) ? [] : [node]
      }),
    ),
  )
  known.set(site, found)
  return found
}

/** Tells whether a field stands in a form that nothing opens. */
export function closedFields(site: Site): (field: Element) => boolean {
  const closed = unopenedFormsOf(site)
  return (field) => closed.size > 0 && around(field).some((outer) => closed.has(outer))
}

const known = new WeakMap<Site, ReadonlySet<Form['node']>>()

function offPartOf(form: Element, closed: ReadonlySet<string>): Element | undefined {
  return [form, ...around(form)].find(
    (element) =>
      /(?:^|[;\s])display\s*:\s*none/i.test(attributeOf(element, 'style').slice(0, 500)) ||
      attributeOf(element, 'class')
        .split(/\s+/)
        .some((name) => closed.has(name)),
  )
}

function mayBeOpened(part: Element, page: Page, site: Site): boolean {
  const code = readCodeOf(page, site)
  const id = attributeOf(part, 'id').trim()
  const names = [id, ...attributeOf(part, 'class').split(/\s+/)].filter((name) => name.length > 1)
  const isNamed = page.elements.some(
    ({ node }) =>
      openers.some((name) => id !== '' && attributeOf(node, name).endsWith(`#${id}`)) ||
      controls.some((name) => id !== '' && attributeOf(node, name) === id),
  )
  return isNamed || names.some((name) => code.includes(name))
}

const openers = ['href', 'data-target', 'data-bs-target']
const controls = ['aria-controls', 'popovertarget', 'commandfor']
