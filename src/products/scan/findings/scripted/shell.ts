import { absolute, addressKey, isPlaceholder } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { countWords } from '../../site/html/words.ts'
import { isSideScript } from '../../site/services/side-scripts.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Outcome, unmeasured } from '../check.ts'
import { includedPart } from './included-parts.ts'
import { filledPart, isRun, scriptedMenu } from './scripted-parts.ts'

/**
 * Whether every page that was read, or the home page with all that it tells, is the shell of an application: hardly a
 * word, and scripts that would write the rest. The scan runs no scripts, so a visitor may see content that the HTML does not
 * hold.
 */
export function isShell(site: Site): boolean {
  return site.pages.length > 0 && (site.pages.every(isShellPage) || isFilled(site))
}

/** The home page has a menu, and a script loads all that it tells: mostly the footer of the other pages as well. */
function isFilled({ home }: Site): boolean {
  return home !== undefined && isShellPage(home) && filledPart(home) !== undefined
}

/** Whether what was not found may stand where the scan could not look: in a shell, or behind a menu of scripts. */
export function isUnseen(site: Site): boolean {
  return isShell(site) || scriptedMenu(site) !== undefined || includedPart(site) !== undefined
}

/**
 * Makes a check `unmeasured` on a shell unless it passes. Other checks report the missing text; what that
 * text might have said must not count against the site a second time.
 */
export function unlessShell(run: (site: Site) => Outcome): (site: Site) => Outcome {
  return (site) => {
    const outcome = run(site)
    if (outcome.result === 'pass' || outcome.result === 'unmeasured' || !isUnseen(site)) return outcome
    const part = includedPart(site)
    return unmeasured(
      isShell(site)
        ? 'The HTML holds almost no text, and the scripts that would write it are not run, so this was not seen.'
        : scriptedMenu(site) === undefined && part !== undefined
          ? `A script puts ${part} into the page. No scripts are run, so what stands there was not seen.`
          : 'In the HTML as sent the menu has no link. Scripts write it, and none are run, so what stands behind it was not seen.',
    )
  }
}

/**
 * A short page written for readers still has a link or a form other than a search. On a page without any word a link proves
 * nothing, and an inline script is enough.
 */
export function isShellPage(page: Page): boolean {
  const elements = page.elements
  const words = countWords(page.text.slice(0, 10_000))
  if (words >= 50 || formsOf(page).some(({ use }) => use !== 'search')) return false
  const scripts = elements.filter(
    ({ name, node }) => name === 'script' && isRun(node) && !isSideScript(attributeOf(node, 'src'), page.url),
  )
  if (words === 0) return scripts.length > 0
  if (filledPart(page) !== undefined) return true
  return (
    !elements.some(({ name, node }) => name === 'a' && leadsSomewhere(attributeOf(node, 'href'), page)) &&
    scripts.some(({ node }) => attributeOf(node, 'src') !== '')
  )
}

/** A link of a template has no address until a script fills it in, and one to the page itself leads nowhere else. */
export function leadsSomewhere(href: string, { url }: Pick<Page, 'url'>): boolean {
  if (href === '' || isPlaceholder(href)) return false
  const target = absolute(href, url)
  return target === undefined ? /^(?:mailto|tel):/i.test(href) : addressKey(target) !== addressKey(url)
}
