import { sectionsOfKind } from '../../site/html/page-sections.ts'
import { asksQuestion } from '../../site/html/words.ts'
import { folded, isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import type { Page, Site } from '../../site/site.ts'
import type { FaqSignal } from '../answer-signals.ts'

/** A part of a page for questions and answers, where further ones belong. A page of their own would be a second such place. */
export interface FaqSection {
  readonly url: string
  readonly heading: string
  /** Questions with answers that stand on the page. */
  readonly pairs: number
  /** Each of these questions is a heading. */
  readonly areHeadings: boolean
}

/**
 * The section that is headed "FAQ - Frequently asked questions", or that a link with such a text leads to. A question among
 * those of a treatment is no such section.
 */
export function faqSection({ pages }: Pick<Site, 'pages'>, faq: FaqSignal): FaqSection | undefined {
  const [best] = faq.pairs > 0 ? faq.evidence : []
  const first = pages.find(({ url }) => url === best?.url)
  for (const page of first === undefined ? pages : [first, ...pages]) {
    const pairs = page === first ? faq.pairs : 0
    const heading = headingOn(page, pairs)
    if (heading === undefined) continue
    const asked = page.mainPart.sections.filter((one) => one.level > 1 && asksQuestion(one.heading))
    return { url: page.url, heading, pairs, areHeadings: asked.length >= pairs }
  }
  return undefined
}

function headingOn(page: Page, pairs: number): string | undefined {
  // "Questions" alone may stand above a telephone number.
  const isOf = (text: string) => isTextOfKind(text, 'faq') && (pairs > 0 || !/^\S{5,}$/.test(folded(text)))
  const heading = page.headings.find(({ text }) =>
    [text, ...text.slice(0, 120).split(/\s[-–—|]\s|[:(|]/)].some((part) => isOf(part.trim())),
  )
  if (heading !== undefined) return heading.text
  const [section] = sectionsOfKind(page, 'faq').filter(({ label }) => isOf(label))
  return section === undefined
    ? undefined
    : page.$(section.element).find('h2, h3, h4').first().text().trim() || section.label
}
