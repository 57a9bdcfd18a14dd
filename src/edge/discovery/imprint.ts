import type { Catalog } from '../../core/catalog/catalog.ts'

/**
 * Who runs the service, as the catalog says: for the home page, its facts for machines, and its markdown. Nothing
 * stands here that the operator has not written.
 */
export interface Imprint {
  readonly about: string | undefined
  readonly address: string | undefined
  readonly phone: string | undefined
  /** Without `mailto:`. */
  readonly email: string | undefined
  /** Links to show, with their text. */
  readonly links: readonly { readonly href: string; readonly label: string }[]
  /** Pages about the operator elsewhere. */
  readonly profiles: readonly string[]
}

export function imprintOf({
  about,
  address,
  phone,
  contact,
  terms,
  privacy,
  profiles = [],
}: Catalog['provider']): Imprint {
  const isMail = contact?.startsWith('mailto:')
  const named: readonly (readonly [href: string | undefined, label: string])[] = [
    [isMail ? undefined : contact, 'Contact'],
    [terms, 'Terms'],
    [privacy, 'Privacy'],
  ]
  return {
    about,
    address,
    phone,
    email: isMail ? contact?.slice('mailto:'.length) : undefined,
    links: named.flatMap(([href, label]) => (href === undefined ? [] : [{ href, label }])),
    profiles,
  }
}
