import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { PricingDocument } from '../../handlers/service/pricing.ts'

/**
 * The price list for people. It is plain HTML that reads without JavaScript and loads nothing from
 * anywhere; the policy that goes with it forbids everything but its own style sheet, so that a
 * description that slipped past the escaping could still run nothing.
 */

export interface PricingPageView {
  readonly document: PricingDocument
  /** What only the holder of a key may call. */
  readonly keyed: readonly { readonly endpoint: string; readonly description: string }[]
  /** Names of what an upstream carries out: what it takes and gives is not known here. */
  readonly relayed: ReadonlySet<string>
  /** A shell command that meets the first 402; undefined when nothing answers one. */
  readonly firstCall: string | undefined
  readonly jsonUrl: string
  readonly markdownUrl: string
}

/** Renders the page; `csp` is the Content-Security-Policy to send with it. */
export function renderPricingPage(view: PricingPageView): { html: string; csp: string } {
  return { html: eta.render('./pricing', { view, css }), csp }
}

const views = fileURLToPath(new URL('views', import.meta.url))
const eta = new Eta({ views, autoEscape: true, cache: true })
const css = readFileSync(new URL('views/pricing.css', import.meta.url), 'utf8')
// The hash is of the element's exact text: one more space in the template and browsers drop the style.
const styleHash = createHash('sha256').update(css).digest('base64')
const csp = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
