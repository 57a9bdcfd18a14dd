import { pathOf } from '../site/addresses.ts'
import type { Page } from '../site/site.ts'

/**
 * A list of the posts of one author, category or month, and a page that came with a template: "Portfolio 4", "Sample Page".
 * A website system makes them by itself, and their owner does not want visitors there.
 */
export function isSidePage({ url, title }: Pick<Page, 'url' | 'title'>): boolean {
  const parts = pathOf(url).toLowerCase().split('/').slice(0, -1)
  return (
    parts.some((part) => sideFolder.test(part)) ||
    ofMonth.test(pathOf(url)) ||
    ofTemplate.test(title.split(/\s[-–—|·•»]\s|[|｜]/)[0] ?? '')
  )
}

const sideFolder =
  /^(?:authors?|categor(?:y|ies)|tags?|autor(?:en)?|auteurs?|kategorien?|schlagwort|catégories?|categorias?|etiquetas?)$/

/** `/2011/01/`, and no post below it. */
const ofMonth = /\/(?:19|20)\d\d\/(?:0[1-9]|1[0-2])\/?(?:index\.\w{2,5})?$/i

const ofTemplate =
  /^\s*(?:(?:portfolio|project|gallery|post|page) ?\d{1,3}|sample page|hello world!?|uncategorized)\s*$/i
