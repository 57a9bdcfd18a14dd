import { addressKey, shown } from '../site/addresses.ts'
import { attributeOf } from '../site/html/elements.ts'
import type { Element } from '../site/html/visible-text.ts'
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

/** Whether what was not found may stand where the scan could not look: in a shell, or behind a menu of scripts. */
export function isUnseen(site: Site): boolean {
  return isShell(site) || scriptedMenu(site) !== undefined
}

/**
 * The empty part of the home page into which scripts write the menu, such as `#footer-container`. The page leads to
 * no other page of its site. A visitor finds a whole site behind the menu, and an agent finds one page.
 */
export function scriptedMenu({ home }: Site): string | undefined {
  if (home === undefined) return undefined
  const own = addressKey(home.url)
  if (home.links.some(({ url, isInternal }) => isInternal && addressKey(url) !== own)) return undefined
  const elements = home.elements
  const runs = elements.some(
    ({ name, node }) =>
      name === 'script' && isRun(attributeOf(node, 'type')) && attributeOf(node, 'src') !== '',
  )
  const part = elements.find(({ name, node }) => isMenu(name, node) && isEmpty(node))
  if (!runs || part === undefined) return undefined
  const id = attributeOf(part.node, 'id')
  return id === '' ? `the empty ${part.name} element` : `#${shown(id, 60)}`
}

function isMenu(name: string, node: Element): boolean {
  if (name === 'nav' || name === 'header' || name === 'footer') return true
  return (
    /^(?:div|section|ul)$/.test(name) &&
    /(?:^|[_-])(?:nav(?:bar|igation)?|menu|header|footer)(?:$|[_-])/i.test(
      attributeOf(node, 'id').slice(0, 100),
    )
  )
}

function isEmpty({ children }: Element): boolean {
  return children.every(
    (child) => child.type === 'comment' || (child.type === 'text' && child.data.trim() === ''),
  )
}

/**
 * Makes a check `unmeasured` on a shell unless it passes. Other checks report the missing text; what that
 * text might have said must not count against the site a second time.
 */
export function unlessShell(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    if (outcome.result === 'pass' || outcome.result === 'unmeasured' || !isUnseen(site)) return outcome
    return unmeasured(
      isShell(site)
        ? 'The HTML holds almost no text, and the scripts that would write it are not run, so this was not seen.'
        : 'Scripts write the menu, and none are run, so the pages behind it were not seen.',
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
