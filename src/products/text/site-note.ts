import { presentText } from './plain-text.ts'

/**
 * Says that the website a caller named was not read. Both engines end with this sentence: otherwise a buyer who sends
 * an address believes that the text describes the site.
 */
export function siteNote(website: string | undefined): string {
  const address = presentText(website, 120)
  return address === undefined
    ? 'No website and no internal figures were looked at.'
    : `The website ${address} was not read, so nothing here describes its content.`
}
