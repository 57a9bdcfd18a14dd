import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'

/**
 * The names that a new listing may get in addresses, the one it would like best first. Names of businesses are not
 * unique and come in every script: `Bäckerei Groß` becomes `backerei-gross`, `北京烤鸭` becomes `bei-jing-kao-ya`. A
 * name without letters and digits gives way to the domain. When another site has the name already, the domain follows
 * it, and in the end a hash of the domain, which is unique.
 */
export async function slugCandidates(businessName: string, domain: string): Promise<string[]> {
  const ofDomain = (await slugOf(domainToUnicode(domain) || domain)) || 'site'
  const ofName = (await slugOf(businessName)) || ofDomain
  const hash = createHash('sha256').update(domain).digest('hex')
  return [
    ofName,
    ...(ofName === ofDomain ? [] : [`${ofName}-${ofDomain}`]),
    `${ofName}-${hash.slice(0, 8)}`,
    `${ofName}-${hash}`,
  ]
}

/** What `slugCandidates` makes. Any other text is no slug, so the store need not be asked. */
export function isSlug(text: string): boolean {
  return text.length <= maxSlugLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/** Two parts, or a part and a SHA-256 in hex. */
const maxSlugLength = 150
const maxPartLength = 60

/** Lower-case letters a to z, digits and single hyphens, at most 60; empty when nothing is left. */
async function slugOf(text: string): Promise<string> {
  const words = (await toAscii(text.normalize('NFKC').slice(0, 200)))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const kept = words.join('-').slice(0, maxPartLength + 1)
  if (kept.length <= maxPartLength) return kept
  const end = kept.lastIndexOf('-')
  return kept.slice(0, end > 0 ? end : maxPartLength)
}

/** The tables of all scripts are loaded with the first name that needs them. */
async function toAscii(text: string): Promise<string> {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const { transliterate } = await import('transliteration')
  return transliterate(text)
}
