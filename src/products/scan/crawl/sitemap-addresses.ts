export interface SitemapAddresses {
  readonly isIndex: boolean
  readonly urls: readonly SitemapAddress[]
}

export interface SitemapAddress {
  readonly loc: string
  readonly lastmod?: string
}

/**
 * Reads the addresses in a sitemap file, so that a scan can pick a few. It searches the text without parsing
 * XML: parsing four megabytes would block the thread that answers calls for a second. The checks parse the
 * file later in a separate thread. A broken file gives the addresses that can be read of it.
 */
export function readSitemapAddresses(written: string): SitemapAddresses {
  const text = withoutComments(written)
  if (!text.includes('<')) return { isIndex: false, urls: readLines(text) }
  // Entities that the file declares can change its addresses. The checks refuse such a file.
  if (text.includes('<!ENTITY')) return { isIndex: false, urls: [] }
  const isIndex = text.includes('<sitemapindex')
  const urls = text.split(isIndex ? '</sitemap>' : '</url>', maxUrls).flatMap((piece) => {
    const loc = between(piece, '<loc>', '</loc>')
    if (loc === undefined) return []
    const lastmod = between(piece, '<lastmod>', '</lastmod>')
    return lastmod === undefined ? { loc } : { loc, lastmod }
  })
  return { isIndex, urls }
}

/** Addresses that the owner took out of the file for a time are not in it. An unclosed comment is read as text. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  const kept: string[] = []
  let from = 0
  while (from < text.length) {
    const start = text.indexOf('<!--', from)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) break
    kept.push(text.slice(from, start))
    from = end + 3
  }
  return [...kept, text.slice(from)].join('')
}

const maxUrls = 50_000
const maxCharacters = 2_048

/** A text file with one address in each line is a sitemap, too. */
function readLines(text: string): SitemapAddress[] {
  return text
    .split('\n', maxUrls)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//.test(line) && line.length <= maxCharacters)
    .map((loc) => ({ loc }))
}

function between(text: string, opening: string, closing: string): string | undefined {
  const start = text.indexOf(opening)
  if (start < 0) return undefined
  const end = text.indexOf(closing, start)
  if (end < 0 || end - start > maxCharacters) return undefined
  return text
    .slice(start + opening.length, end)
    .replace('<![CDATA[', '')
    .replace(']]>', '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
