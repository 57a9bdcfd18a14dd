import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { HtmlPage } from '../handlers/service/html-page.ts'

/**
 * Renders a page for people: plain HTML without JavaScript or outside resources. Its policy allows only its own style
 * sheet, so that no script in a description runs, even if the escaping failed.
 * @param view what the template reads as `it.view`.
 */
export function renderPage(template: 'home' | 'pricing' | 'reference', view: object): HtmlPage {
  return { html: eta.render(`./${template}`, { view, css }), headers }
}

const views = fileURLToPath(new URL('views', import.meta.url))
const eta = new Eta({ views, autoEscape: true, cache: true })
const css = readFileSync(new URL('views/page.css', import.meta.url), 'utf8')
// The hash covers the exact text of the element: with one more space in the template, browsers ignore the
// style.
const styleHash = createHash('sha256').update(css).digest('base64')
const csp = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
const headers = { 'content-security-policy': csp, 'referrer-policy': 'no-referrer' }
