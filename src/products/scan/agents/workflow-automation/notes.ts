import { offersNothing } from '../../signals/offers/shows-offer.ts'
import type { Signals } from '../../signals/signals.ts'
import { linksToKind } from '../../site/linked-pages.ts'
import type { Site } from '../../site/site.ts'
import { kindLanguages } from '../agent.ts'

/**
 * Whether the site is most likely somebody's notes: nothing is offered in a language whose words are known, and no page
 * for contact invites readers to write. An agency that names its offers in an unusual way has such a page.
 */
export function isNotes(site: Site, { language }: Signals): boolean {
  const isKnown = language === undefined || kindLanguages.has(language)
  return isKnown && offersNothing(site) && linksToKind(site, 'contact').length === 0
}
