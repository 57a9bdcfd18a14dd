import type { Site } from '../site/site.ts'
import { kindOfSite } from './site-kind/site-kind.ts'

/**
 * Whether a site plainly sells nothing: the documentation of a library, a blog or magazine, an association, a parish, a
 * conference, a laboratory, a public body, a person's own page. An agent does not look for prices there.
 */
export function isNoBusiness(site: Site): boolean {
  return kindOfSite(site) !== 'business'
}
