import type { Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { blockOfParts, isTooLong } from './page-parts.ts'
import { productParts } from './product-parts.ts'
import { questionParts } from './question-parts.ts'

/** What products cost and which questions are answered, for the pages that tell it to readers only. */
export function pageTypeBlock(site: Site): Draft | undefined {
  const [products, questions] = [productParts(site), questionParts(site)]
  const parts = [...products, ...questions].filter(({ page }) => !isTooLong(page)).slice(0, maxPages)
  if (parts.length === 0) return undefined
  const { where, text, heads } = blockOfParts(parts)
  if (text.length > maxCharacters) return undefined
  const what = [
    ...(products.length > 0 ? ['the name and price of your products'] : []),
    ...(questions.length > 0 ? ['your questions and answers'] : []),
  ].join(' and ')
  return {
    block: {
      kind: 'html',
      where,
      text,
      missing: [
        ...(products.length > 0 && (text.match(/"availability"/g) ?? []).length < products.length
          ? ['whether each product is in stock (availability of its offer)']
          : []),
        ...(questions.length > 0
          ? [
              'what in the answers is no longer right, if anything is; it is to be corrected on its page as well',
            ]
          : []),
      ],
    },
    title: `Paste ${what} into their pages, in the form that machines read.`,
    why: 'Answer engines and shopping assistants copy what a page states for machines. From the text alone they have to guess.',
    pasted: { heads },
    aims: ['structured-data/page-type', 'structured-data/required-props', 'structured-data/agreement'],
  }
}

const maxPages = 12
/** A longer block could not be read before it is pasted. */
const maxCharacters = 20_000
