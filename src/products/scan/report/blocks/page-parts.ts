import { embeddedFile, shown } from '../../site/addresses.ts'
import type { Page } from '../../site/site.ts'
import { whereHeadIs } from './head-block.ts'
import { jsonLdScript } from './json-ld-script.ts'
import type { PageHead } from './pasted-site.ts'

/** JSON-LD for the head of one page. */
export interface PagePart {
  readonly page: Page
  readonly node: Readonly<Record<string, unknown>>
  /** The type of the page's own JSON-LD that it replaces. */
  readonly replaces?: string
}

/**
 * Whether a page is too long for the report to try a part on it, for which it is parsed once more. Within the bound that
 * takes milliseconds. A picture that is written into the page is one long value, and costs next to nothing.
 */
export function isTooLong({ reply: { body } }: Page): boolean {
  return body.length > maxCharacters && body.replace(embeddedFile, '').length > maxCharacters
}

const maxCharacters = 500_000

/** A block for one page or for several. In the text of several, a comment names the page of each part. */
export function blockOfParts(parts: readonly PagePart[]): {
  readonly where: string
  readonly text: string
  readonly heads: ReadonlyMap<string, PageHead>
} {
  const scripts = parts.map(({ node }) => jsonLdScript({ '@context': 'https://schema.org', ...node }))
  const [first] = parts
  const heads = new Map(
    parts.map(({ page, replaces }, place) => [
      page.url,
      { lines: scripts[place] ?? '', ...(replaces !== undefined && { replaces }) },
    ]),
  )
  return {
    where: [
      parts.length === 1 && first !== undefined
        ? `Paste it into the head of ${shown(first.page.url, 300)}.`
        : 'Paste each part into the head of the page that is named above it.',
      whereHeadIs,
      ...(parts.some(({ replaces }) => replaces !== undefined)
        ? ['Take out the part of the same kind that the page has now.']
        : []),
    ].join(' '),
    text:
      parts.length === 1
        ? scripts.join('')
        : parts.map(({ page }, place) => `<!-- ${inComment(page.url)} -->\n${scripts[place]}`).join('\n\n'),
    heads,
  }
}

/** The end of a comment must not stand in it. */
function inComment(url: string): string {
  return url.replaceAll('--', '-%2D').replaceAll('>', '%3E')
}
