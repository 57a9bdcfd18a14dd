import { shown } from '../../site/addresses.ts'
import { metaOf } from '../../site/html/elements.ts'
import type { Page } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { imageOf, type SiteFacts } from './facts/facts.ts'
import { escaped } from './snippets/escaped.ts'

/** For readers who do not write HTML. */
export const whereHeadIs =
  'Most website systems have a field for it, called header code or custom code of a page.'

/** The lines that the head of the home page lacks, filled with the page's own title, description and address. */
export function headBlock(home: Page, facts: SiteFacts): Draft | undefined {
  const { description } = facts
  const image = facts.image ?? imageOf(home)
  const title = shown(home.title, 200)
  const isSecure = home.url.startsWith('https:')
  const lines = [
    ...(home.$('link[rel="canonical" i]').length === 0 && isSecure
      ? [`<link rel="canonical" href="${escaped(home.url)}">`]
      : []),
    ...(metaOf(home, 'viewport') === ''
      ? [meta('name', 'viewport', 'width=device-width, initial-scale=1')]
      : []),
    ...(home.description === '' && description !== undefined
      ? [meta('name', 'description', description)]
      : []),
    ...missingPreview(home, {
      'og:title': title,
      'og:description': description,
      'og:type': 'website',
      'og:image': image,
    }),
  ]
  if (lines.length === 0) return undefined
  const text = lines.join('\n')
  return {
    block: {
      kind: 'html',
      where: `Paste it into the head of ${shown(home.url)}. ${whereHeadIs} It is for this page alone: in the code of all pages it would name each of them as a copy of this one.${facts.image === undefined && text.includes('og:image') ? ' The picture is the first of the page. Name another one if it fits better.' : ''}`,
      text,
      // The step about previews asks for a picture where the page has none.
      missing: description === undefined ? ['a description of 50 to 170 characters'] : [],
    },
    title: `Add ${lines.length === 1 ? 'one line' : `${lines.length} lines`} to the head of the home page.`,
    why: `${lines.length === 1 ? 'It tells' : 'They tell'} engines which address is the right one and what to show in previews.`,
    pasted: { head: text },
    aims: [
      'crawl-access/canonical',
      'core-snapshot/title-desc',
      'structured-data/open-graph',
      'render-performance/viewport',
    ],
  }
}

function missingPreview(home: Page, values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' || metaOf(home, name) !== '' ? [] : [meta('property', name, value)],
  )
}

export function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escaped(content)}">`
}
