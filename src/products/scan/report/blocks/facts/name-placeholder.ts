import { siteNouns } from '../../../signals/site-kind/site-kind.ts'

/** What a block has in place of a name that the site does not say. */
export function placeholderFor(noun: string): string {
  return `WRITE THE NAME OF YOUR ${noun.toUpperCase()} HERE`
}

/** Those that a block can write, and no others: a site may have words of this form, too. */
export const namePlaceholder = new RegExp(`\\b(?:${siteNouns.map(placeholderFor).join('|')})\\b`, 'g')
