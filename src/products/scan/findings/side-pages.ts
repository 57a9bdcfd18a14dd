import { pathOf } from '../site/addresses.ts'
import type { Page } from '../site/site.ts'

/**
 * A list of the posts of one author or category, and a page that came with a template: "Portfolio 4", "Sample Page". A
 * website system makes them by itself, and their owner does not want visitors there.
 */
export function isSidePage({ url, title }: Pick<Page, 'url' | 'title'>): boolean {
  const parts = pathOf(url).toLowerCase().split('/').slice(0, -1)
  return (
    parts.some((part) => sideFolder.test(part)) ||
    ofTemplate.test(title.split(/\s[-–—|·•»]\s|[|｜]/)[0] ?? '')
  )
}

const sideFolder =
  /^(?:authors?|categor(?:y|ies)|tags?|autor(?:en)?|auteurs?|kategorien?|schlagwort|catégories?|categorias?|etiquetas?)$/

const ofTemplate =
  /^\s*(?:(?:portfolio|project|gallery|post|page) ?\d{1,3}|sample page|hello world!?|uncategorized)\s*$/i
