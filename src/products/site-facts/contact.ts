import { findOwnMail } from '../scan/signals/contact/contact-finders.ts'
import { findMessenger } from '../scan/signals/contact/messengers.ts'
import { firstService } from '../scan/signals/services.ts'
import { readSignals } from '../scan/signals/signals.ts'
import type { Site } from '../scan/site/site.ts'

/** How a customer gets through to the business. A scan reads the same signals, so that a text cannot contradict it. */
export function contactOf(site: Site): string[] {
  const { leads, booking, shop, services } = readSignals(site)
  const messengers = site.pages.flatMap((page) => findMessenger(page)?.name ?? [])
  const found: readonly (readonly [string, boolean])[] = [
    ['phone', leads.phone !== undefined],
    ['e-mail', findOwnMail(site) !== undefined],
    ['a contact form', leads.how === 'form'],
    ['online booking', booking.how === 'scheduler' || booking.how === 'form'],
    ['an online shop', shop.how === 'shop'],
    ['chat', firstService(services, 'chat') !== undefined],
    ...[...new Set(messengers)].map((name) => [name, true] as const),
    ['a customer login', site.profile.app],
  ]
  return found.filter(([, isFound]) => isFound).map(([name]) => name)
}
