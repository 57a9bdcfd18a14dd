import { countWords, isFiller } from '../site/html/words.ts'
import type { Page } from '../site/site.ts'
import { counted } from './share.ts'

/** The words of the main text that are the site's own. What a template left in its place says nothing of the site. */
export function ownWords(page: Page): number {
  return countWords(page.mainText) - fillerWords(page)
}

/** ", beside 60 words of filler text", where there is any. */
export function besideFiller(page: Page): string {
  const count = fillerWords(page)
  return count === 0 ? '' : `, beside ${counted(count, 'word')} of filler text such as lorem ipsum`
}

function fillerWords({ mainPart: { paragraphs } }: Page): number {
  return paragraphs.filter(isFiller).reduce((sum, paragraph) => sum + countWords(paragraph), 0)
}
