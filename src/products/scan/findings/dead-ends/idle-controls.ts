import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { around, type Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf } from '../forms/form-code.ts'

/** A link to "#" or a button that does nothing, because no script of its page listens to clicks. */
export interface IdleControl {
  readonly page: Page
  readonly node: Element
  readonly text: string
}

/**
 * The controls that do nothing when they are clicked. All of a page that has an unread script, or one that may listen to
 * clicks, are left out, and so is each that an attribute or a form gives something to do.
 */
export function idleControlsOf(site: Site): readonly IdleControl[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const found = site.pages.flatMap((page) => {
    const idle = page.elements.flatMap(({ name, node, isHidden }) => {
      const isLink = name === 'a' && attributeOf(node, 'href').trim() === '#'
      const isButton =
        name === 'button' && !around(node).some((outer) => outer.name === 'form' || outer.name === 'a')
      if (isHidden || (!isLink && !isButton) || hasWork(node)) return []
      const text = spokenText(node, 60)
      return /\p{L}{2}/u.test(text) ? [{ page, node, text }] : []
    })
    if (idle.length === 0) return []
    const code = codeOf(page, site)
    return code === undefined || listens.test(code) ? [] : idle
  })
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, readonly IdleControl[]>()

/** An attribute by which the browser or a library gives it something to do, on it or around it. */
function hasWork(node: Element): boolean {
  return [node, ...around(node)].some(({ attribs }) =>
    Object.keys(attribs).some((name) =>
      /^(?:on|data-|@|x-|v-|ng-|:|aria-(?:controls|expanded|haspopup)$|popovertarget$|commandfor$|form(?:action)?$|jsaction$)/.test(
        name,
      ),
    ),
  )
}

/** "clickable: true" of a slide show listens to its own buttons alone. */
const listens =
  /['"`\s](?:click|mouse(?:down|up|enter|over)|pointer(?:down|up)|touch(?:start|end)|key(?:down|up)|popstate|hashchange)\b|\bon(?:click|mouse|pointer|touch|key)|\.click\s{0,3}\(|\.on\s{0,3}\(|\bhref\b|\blocation\b|delegate|<\/script>/i
