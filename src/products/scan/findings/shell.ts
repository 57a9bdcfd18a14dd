import { attributeOf, elementsOf } from '../site/html/elements.ts'
import { countWords } from '../site/html/words.ts'
import type { Page, Site } from '../site/site.ts'
import { type Outcome, unmeasured } from './check.ts'

/**
 * Nothing but the shell of an application was read: hardly a word, and scripts that would write the rest.
 * The scan runs no scripts, so what is not in the HTML may well be on the screen.
 */
export function isShell(site: Site): boolean {
  return site.pages.length > 0 && site.pages.every(isShellPage)
}

/**
 * That the text is missing is judged elsewhere; what it might have said is not held against the site again,
 * and what does not seem to apply may well stand on the screen.
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
 * Also a short page has a link or a form when it was written for readers. Where there is no word at all, a
 * link is no sign of readers either, and a script needs no file of its own.
 */
function isShellPage(page: Page): boolean {
  const elements = elementsOf(page)
  const words = countWords(page.text.slice(0, 10_000))
  if (words >= 50 || elements.some(({ name }) => name === 'form')) return false
  const scripts = elements.filter(({ name, node }) => name === 'script' && isRun(attributeOf(node, 'type')))
  if (words === 0) return scripts.length > 0
  return (
    !elements.some(({ name, node }) => name === 'a' && attributeOf(node, 'href') !== '') &&
    scripts.some(({ node }) => attributeOf(node, 'src') !== '')
  )
}

/** Without a type, with one of JavaScript, or as a module; anything else is text for programs. */
function isRun(type: string): boolean {
  return type === '' || /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)\s*(?:;|$)/i.test(type)
}
