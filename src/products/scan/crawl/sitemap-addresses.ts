/**
 * The addresses in a sitemap file, for picking a few of them. To take apart four megabytes of XML holds the
 * thread for a second, and the gateway answers nobody meanwhile; the checks do that in a thread of their own.
 * What is broken yields what can be read of it.
 */
export interface SitemapAddresses {
  readonly isIndex: boolean
  readonly urls: readonly SitemapAddress[]
}

export interface SitemapAddress {
  readonly loc: string
  readonly lastmod?: string
}

export function readSitemapAddresses(text: string): SitemapAddresses {
  if (!text.includes('<')) return { isIndex: false, urls: readLines(text) }
  // The checks refuse a file with entities of its own, and its addresses are not what they look like.
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

const maxUrls = 50_000
const longestValue = 2_048

/** One address in each line is a sitemap too. */
function readLines(text: string): SitemapAddress[] {
  return text
    .split('\n', maxUrls)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//.test(line) && line.length <= longestValue)
    .map((loc) => ({ loc }))
}

function between(text: string, opening: string, closing: string): string | undefined {
  const start = text.indexOf(opening)
  if (start < 0) return undefined
  const end = text.indexOf(closing, start)
  if (end < 0 || end - start > longestValue) return undefined
  return text
    .slice(start + opening.length, end)
    .replace('<![CDATA[', '')
    .replace(']]>', '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
