import { type Outcome, unmeasured } from './check.ts'
import { attributeOf, elementsOf } from './elements.ts'
import type { Page, Site } from './site.ts'
import { countWords } from './words.ts'

/**
 * Nothing but the shell of an application was read: hardly a word, and scripts that would write the rest.
 * The scan runs no scripts, so what is not in the HTML may well be on the screen.
 */
export function isShell(site: Site): boolean {
  return site.pages.length > 0 && site.pages.every(isShellPage)
}

/** That the text is missing is judged elsewhere; what it might have said is not held against the site again. */
export function sparingShells(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    if ((outcome.result !== 'fail' && outcome.result !== 'warn') || !isShell(site)) return outcome
    return unmeasured(
      'The HTML holds almost no text, and the scripts that would write it are not run, so this was not seen.',
    )
  }
}

/** Also a short page has a link or a form when it was written for readers. */
function isShellPage(page: Page): boolean {
  const elements = elementsOf(page)
  return (
    countWords(page.text.slice(0, 10_000)) < 50 &&
    page.links.length === 0 &&
    !elements.some(({ name }) => name === 'form') &&
    elements.some(({ name, node }) => name === 'script' && attributeOf(node, 'src') !== '')
  )
}
