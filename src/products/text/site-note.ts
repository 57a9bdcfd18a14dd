import { presentText } from './plain-text.ts'

/**
 * Says what was done with the website a caller named. Both engines end with it, because a buyer who
 * sends an address will otherwise believe that the text describes what is there.
 */
export function siteNote(website: string | undefined): string {
  const address = presentText(website, 120)
  return address === undefined
    ? 'No website and no internal figures were looked at.'
    : `The website ${address} was not read, so nothing here describes its content.`
}
