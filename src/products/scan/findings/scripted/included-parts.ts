import { shown } from '../../site/addresses.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * A file that a script puts into the home page in a browser, and that could not be fetched. What it says was not seen.
 * @returns its address as the page writes it
 */
export function includedPart({ home }: Pick<Site, 'home'>): string | undefined {
  const part = home?.parts.find(({ isRead }) => !isRead)
  return part === undefined ? undefined : shown(part.name, 60)
}

/** Whether such a file is put between header and footer, where it may hold most of the text. */
export function includesText({ parts }: Page): boolean {
  return parts.some(({ isText, isRead }) => isText && !isRead)
}
