import type { UnreadPlace } from '../../findings/unread-places.ts'
import { shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Site } from '../../site/site.ts'

/**
 * A part that a service writes into the page for contact by its script: a form, reviews or something else, which cannot be
 * told without running it.
 */
export function widgetForContact(site: Site): UnreadPlace | undefined {
  for (const page of [...pagesOfKind(site, 'contact'), ...pagesOfKind(site, 'booking')]) {
    const script = page.elements.find(
      ({ name, node }) => name === 'script' && services.test(attributeOf(node, 'src').slice(0, 300)),
    )
    if (script !== undefined)
      return {
        url: page.url,
        reason: `${shown(page.url)} has a part that only the script ${shown(attributeOf(script.node, 'src'), 80)} shows`,
      }
  }
  return undefined
}

/** Makers of forms, lists of reviews and other parts, whose address does not say which. */
const services =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:elfsight\.com|elfsightcdn\.com|powr\.io|commoninja\.com)\//i
