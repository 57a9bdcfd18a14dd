import { attributeOf } from '../site/html/elements.ts'
import { countWords } from '../site/html/words.ts'
import type { Page, Site } from '../site/site.ts'
import { type Outcome, unmeasured } from './check.ts'

/**
 * Whether every page that was read is the shell of a single-page application: hardly a word, and scripts
 * that would write the rest. The scan runs no scripts, so a visitor may see content that the HTML does not
 * hold.
 */
export function isShell(site: Site): boolean {
  return site.pages.length > 0 && site.pages.every(isShellPage)
}

/**
 * Makes a check `unmeasured` on a shell unless it passes. Other checks report the missing text; what that
 * text might have said must not count against the site a second time.
 */
export function unlessShell(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    if (outcome.result === 'pass' || outcome.result === 'unmeasured' || !isShell(site)) return outcome
    return unmeasured(
      'The HTML holds almost no text, and the scripts that would write it are not run, so this was not seen.',
    )
  }
}

/**
 * A short page written for readers still has a link or a form. On a page without any word a link proves
 * nothing, and an inline script is enough.
 */
export function isShellPage(page: Page): boolean {
  const elements = page.elements
  const words = countWords(page.text.slice(0, 10_000))
  if (words >= 50 || elements.some(({ name }) => name === 'form')) return false
  const scripts = elements.filter(({ name, node }) => name === 'script' && isRun(attributeOf(node, 'type')))
  if (words === 0) return scripts.length > 0
  return (
    !elements.some(({ name, node }) => name === 'a' && attributeOf(node, 'href') !== '') &&
    scripts.some(({ node }) => attributeOf(node, 'src') !== '')
  )
}

/**
 * Browsers run a script without a type, with a JavaScript type, or of type `module`. Other types hold data.
 */
function isRun(type: string): boolean {
  return type === '' || /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)\s*(?:;|$)/i.test(type)
}
