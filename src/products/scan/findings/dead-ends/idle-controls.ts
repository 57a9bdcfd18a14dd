import { attributeOf, type PageElement, spokenText } from '../../site/html/elements.ts'
import { around, type Element, isElement } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf, sourcesOf } from '../forms/form-code.ts'
import { isForShow, mayReach, readCode } from './click-code.ts'

/** A link to "#" or a button that does nothing, because no script of its page finds it. */
export interface IdleControl {
  readonly page: Page
  readonly node: Element
  readonly text: string
}

/**
 * The controls that do nothing when they are clicked. All of a page that has an unread script are left out, and so is each
 * that a script may find, or that an attribute or the elements around it give something to do.
 */
export function idleControlsOf(site: Site): readonly IdleControl[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const found = site.pages.flatMap((page) => {
    const controls = page.elements.filter(
      ({ name, node, isHidden }) =>
        !isHidden && (name === 'button' || (name === 'a' && attributeOf(node, 'href').trim() === '#')),
    )
    const code = controls.length === 0 || controls.length > maxControls ? undefined : wholeCodeOf(page, site)
    if (code === undefined) return []
    const heard = readCode(code, site)
    return controls.flatMap((control) => {
      const { node } = control
      const text = spokenText(node, 60)
      const isIdle =
        /\p{L}{2}/u.test(text) &&
        !leadsUp.test(text) &&
        !hasWork(node) &&
        // Most buttons are there for a script, by whatever it finds them.
        (heard.isSilent || (control.name === 'a' && !mayReach(heard, node, text))) &&
        !(page === site.home && isBrand(control))
      return isIdle ? [{ page, node, text }] : []
    })
  })
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, readonly IdleControl[]>()
/** A page with more is no menu. */
const maxControls = 300

/** "#" is the top of the page. */
const leadsUp =
  /^\W*(?:(?:back |go |scroll |return )?(?:to )?(?:the )?top(?: of (?:the )?page)?|page top|(?:nach|zurück nach) oben|seitenanfang|(?:retour en )?haut(?: de (?:la )?page)?|(?:volver |ir )?arriba|inicio de (?:la )?página|torna su|inizio pagina|(?:voltar ao )?topo|topo|naar boven|наверх|home|start(?:seite)?|logo)\W*$/iu

/** The name of the site above the home page: a click on it leads to the top, where visitors expect to come. */
function isBrand({ name, node, region }: PageElement): boolean {
  return (
    name === 'a' &&
    (region === 'header' || region === 'nav') &&
    [node, ...around(node).slice(0, 1)].some(
      ({ name: tag, attribs }) =>
        tag !== 'header' &&
        tag !== 'nav' &&
        brand.test(`${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 300)),
    )
  )
}

const brand = /(?:^|[\s_-])(?:brand|logo|site-?(?:title|name))(?:$|[\s_-])/i

/** undefined where a script was not read, or a library finds its elements by itself. */
function wholeCodeOf(page: Page, site: Site): string | undefined {
  return sourcesOf(page).some((url) => ownBehaviour.test(url)) ? undefined : codeOf(page, site)
}

/** Libraries that give elements something to do by their attributes, their classes or their place. */
const ownBehaviour =
  /bootstrap|foundation|uikit|alpine|htmx|vue|react|angular|stimulus|turbo|hyperscript|semantic|materialize|flowbite|webflow|elementor/i

/** An attribute, or an element around it, by which the browser or a library gives it something to do. */
function hasWork(node: Element): boolean {
  const outer = around(node)
  const item = outer.find(({ name }) => name === 'li')
  return (
    Object.keys(node.attribs).some((name) => !plain.has(name) && !isForShow(name)) ||
    outer.some(
      ({ name, attribs }) =>
        active.has(name) ||
        name.includes('-') ||
        Object.keys(attribs)
          .slice(0, 50)
          .some((one) => behaviour.test(one)),
    ) ||
    // The entry of a menu whose list opens below it.
    item?.children.some((child) => isElement(child) && /^(?:ul|ol|div)$/.test(child.name)) === true ||
    isBeforeList(node)
  )
}

/** A style sheet opens what stands right behind it, such as the list of a menu. */
function isBeforeList(node: Element): boolean {
  const next = node.nextSibling?.type === 'text' ? node.nextSibling.nextSibling : node.nextSibling
  return isElement(next) && /^(?:ul|ol|div|nav|form)$/.test(next.name)
}

const plain: ReadonlySet<string> = new Set([
  ...['href', 'class', 'id', 'style', 'title', 'target', 'rel', 'type', 'lang', 'tabindex', 'aria-label'],
])
/** A button in one of these opens, sends or belongs to it. */
const active: ReadonlySet<string> = new Set(['form', 'a', 'summary', 'details', 'label', 'dialog'])
const behaviour = /^(?:on|x-|v-|@|:|\(|ng-|hx-|wire:|uk-|up-|_$|jsaction$|data-(?:controller|action|toggle))/
