import { parse } from 'tldts'
import { shown } from '../site/addresses.ts'

/**
 * Makes a text that quotes the scanned site safe for an e-mail: one line without hidden characters, and with every
 * address broken (`https[://]evil[.]com/`), as mail about malware does.
 *
 * Mail programs make a link of everything that looks like an address. Anyone can have us scan a site and address
 * the report to a stranger. Without this, the author of a site could send links in our name, to the site itself, too.
 * @param ownDomain a registrable domain whose names stay as they are, where the text may name its own site.
 */
export function disarm(text: string, ownDomain?: string): string {
  return shown(text, text.length * longestCode)
    .replaceAll('://', '[://]')
    .replace(dotted, (name) => (isHost(name, ownDomain) ? name.replace(dots, '[.]') : name))
}

/** `shown` writes a hidden character as a code of at most so many characters. */
const longestCode = 16
/** Browsers read three more characters as the dot of a host (https://www.unicode.org/reports/tr46/). */
const dots = /[.\u3002\uff0e\uff61]/g
/** Browsers skip them in a host. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu
const dotted = /[\p{L}\p{N}\p{M}_-]+(?:[.\u3002\uff0e\uff61][\p{L}\p{N}\p{M}_-]+)+/gu

function isHost(name: string, ownDomain: string | undefined): boolean {
  const read = name.normalize('NFKC').replace(dots, '.').replace(ignored, '')
  const { domain, isIp, isIcann, isPrivate } = parse(read, withPrivate)
  if (domain !== null && (ownNames.has(domain) || domain === ownDomain)) return false
  return isIp === true || isIcann === true || isPrivate === true
}

const withPrivate = { allowPrivateDomains: true }

/** Names that our own texts contain. */
const ownNames = new Set(['schema.org'])
