import { contradictedContacts } from '../../../agents/entity-trust/contact-facts.ts'
import { comparedHours } from '../../../signals/contact/site-hours.ts'
import type { OwnEntity } from '../../../signals/own-entities.ts'
import { textOf } from '../../../site/html/json-ld.ts'
import type { JsonLdNode, Site } from '../../../site/site.ts'
import { streetOf } from './own-node.ts'

/** A fact that the description of the business in the markup states, and that the pages contradict. */
export interface OutdatedFact {
  readonly property: 'openingHours' | 'telephone' | 'email' | 'address'
  /** As its owner calls it. */
  readonly what: string
  /** What the markup says. */
  readonly was: string
}

export function outdatedFacts({ page, node }: OwnEntity, site: Site): readonly OutdatedFact[] {
  const hours = page === site.home ? comparedHours(site) : undefined
  const contacts = contradictedContacts(site)
  const { telephone, email } = node.properties
  const found = [
    { property: 'telephone', what: 'telephone number', was: textOf(telephone) },
    { property: 'email', what: 'e-mail address', was: textOf(email) },
    { property: 'address', what: 'street, postal code and town', was: streetOf(node) },
  ] as const
  return [
    ...(hours?.isDifferent === true && hours.exceptions.length === 0
      ? [{ property: 'openingHours' as const, what: 'opening hours', was: hours.marked }]
      : []),
    ...found.filter(({ property, was }) => was !== '' && contacts.has(property)),
  ]
}

/** What a node says, without what the pages contradict. */
export function withoutOutdated(
  properties: JsonLdNode['properties'],
  outdated: readonly Pick<OutdatedFact, 'property'>[],
): JsonLdNode['properties'] {
  const names = new Set<string>(outdated.map(({ property }) => property))
  if (names.has('openingHours')) names.add('openingHoursSpecification')
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)))
}
