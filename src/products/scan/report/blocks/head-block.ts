import { isFitDescription, isFitTitle } from '../../agents/core-snapshot/title-and-description.ts'
import { isSampleName } from '../../signals/generic-titles.ts'
import { spelled } from '../../signals/title-spelling.ts'
import { isLentDomain, shown, writtenFileOf } from '../../site/addresses.ts'
import { siteFolder } from '../../site/below-home.ts'
import { attributeOf, hasEmptyMeta, metaOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { sayingAsks } from './facts/asked-once.ts'
import type { SiteFacts } from './facts/facts.ts'
import { imageOf } from './facts/own-pictures.ts'
import { escaped } from './snippets/escaped.ts'

/** For readers who do not write HTML. */
export const whereHeadIs =
  'Most website systems have a field for it, called header code or custom code of a page.'

/** What previews show best: https://developers.facebook.com/docs/sharing/webmasters/images. */
export const takenPicture =
  'The picture was taken from the code of the page. Name another one if it fits better: about 1200 by 630 pixels, and one that may be published.'

export const betterPictureAsk =
  'a better picture for the preview, if that in the lines does not show your business'

/** The lines that the head of the home page lacks, filled with the page's own title, description and address. */
export function headBlock(home: Page, facts: SiteFacts, site: Site): Draft | undefined {
  const preview = previewOf(home, facts, site)
  const description = preview['og:description']
  const isSecure = home.url.startsWith('https:')
  const lines = [
    ...(home.$('link[rel="canonical" i]').length === 0 && isSecure
      ? [`<link rel="canonical" href="${escaped(home.url)}">`]
      : []),
    ...(home.description === '' && description !== undefined
      ? [meta('name', 'description', description)]
      : []),
    ...missingPreview(home, preview),
  ]
  if (lines.length === 0) return undefined
  const text = lines.join('\n')
  const isPictureChosen = shownPicture(home, facts) === undefined && text.includes('og:image')
  const empty = fillable.filter((name) => text.includes(`"${name}"`) && hasEmptyMeta(home, name))
  return {
    block: {
      kind: 'html',
      where: `Paste it into the head of ${shown(home.url)}. ${whereHeadIs} ${lines.length === 1 ? 'It is' : 'They are'} for this page alone, and must not go into the code of all pages.${isPictureChosen ? ` ${takenPicture}` : ''}${empty.length === 0 ? '' : ` Take out what stands there and is empty: ${empty.join(', ')}.`}`,
      text,
      ...(isPictureChosen && { says: [`picture in previews: ${shown(preview['og:image'] ?? '', 200)}`] }),
      // Steps of their own ask for a description, and for a picture, where the page has none.
      missing: [
        ...(facts.isDescriptionGuessed && text.includes('escription"') ? [sayingAsks.head] : []),
        ...(isPictureChosen ? [betterPictureAsk] : []),
        ...(text.includes('canonical') && isLentDomain(home.url)
          ? [
              `the full address of your home page, if it has a domain of its own; it replaces the whole ${shown(siteFolder(home.url), 200)} in all lines to paste`,
            ]
          : []),
      ],
    },
    title: `Add ${lines.length === 1 ? 'one line' : `${lines.length} lines`} to the head of the home page.`,
    why: 'Lines in the head of a page tell engines which address is the right one and what to show in previews.',
    pasted: { head: text },
    aims: ['crawl-access/canonical', 'core-snapshot/title-desc', 'structured-data/open-graph'],
  }
}

/** What a preview of the home page has, as far as the page says it. */
export function previewOf(home: Page, facts: SiteFacts, site: Site) {
  return {
    // Another step asks for a better one, which then is that of the preview, too.
    'og:title':
      isSampleName(home.title) || !isFitTitle(home.title)
        ? undefined
        : shown(spelled(home.title.replace(/[\s‹›«»|–-]+$/u, ''), facts.slip), 200),
    // Another one would fail the check of descriptions, so a step of its own asks for it.
    'og:description':
      facts.description !== undefined && isFitDescription(facts.description) ? facts.description : undefined,
    'og:type': 'website',
    'og:image': shownPicture(home, facts) ?? imageOf(home, site) ?? facts.image,
  } as const
}

/** The picture in the markup, where visitors see it, too: a copied description may name that of another business. */
export function shownPicture({ $ }: Page, { image }: SiteFacts): string | undefined {
  const file = writtenFileOf(image ?? '')
  return file !== '' && bodyBesideMarkup($).includes(file) ? image : undefined
}

/** The code of the body without its JSON-LD. Each trial of a block asks for it, so it is made once for a page. */
function bodyBesideMarkup($: Page['$']): string {
  const made = bodies.get($)
  if (made !== undefined) return made
  const body = $('body').clone()
  body.find('script[type="application/ld+json" i]').remove()
  const html = body.html() ?? ''
  bodies.set($, html)
  return html
}

const bodies = new WeakMap<Page['$'], string>()

/**
 * The line that fits a page to a phone. It is a block of its own: a phone may cut off a page that was built for one width,
 * so the owner has to look at the page afterwards.
 */
export function viewportBlock(home: Page): Draft | undefined {
  if (metaOf(home, 'viewport') !== '') return undefined
  const text = meta('name', 'viewport', 'width=device-width, initial-scale=1')
  const width = fixedWidthOf(home)
  return {
    block: {
      kind: 'html',
      where: `Paste it into the head of ${shown(home.url)}, and of each other page that lacks it. ${whereHeadIs} ${width === undefined ? '' : `This page has a fixed width of ${width} pixels, which is wider than a phone. Make its width flexible first. `}Look at each page on a phone afterwards. Take the line out again where a part is cut off.`,
      text,
      missing: [],
      ...(width !== undefined && { effort: 'high' }),
    },
    title: 'Add the line that fits the home page to the screen of a phone, and look at it there.',
    why: 'Without the line named viewport a phone shows the whole page in small letters.',
    pasted: { head: text },
    aims: ['render-performance/viewport'],
  }
}

/** The largest width in pixels that the page writes into its own code, where a phone is narrower. */
function fixedWidthOf({ reply, elements }: Page): number | undefined {
  const attributes = elements
    .filter(({ name }) => name === 'table' || name === 'body' || name === 'div')
    .slice(0, 500)
    .map(({ node }) => `width:${attributeOf(node, 'width')}px; ${attributeOf(node, 'style').slice(0, 300)}`)
  const styles = (reply.body.slice(0, 500_000).match(/<style\b[^>]*>[^<]{0,50000}/gi) ?? []).join(' ')
  const widths = Array.from(
    `${attributes.join(' ')} ${styles}`.matchAll(/(?<![\w-])width\s*:\s*(\d{3,4})px/gi),
    ([, n]) => Number(n),
  ).filter((width) => width >= 600 && width <= 1_600)
  return widths.length === 0 ? undefined : Math.max(...widths)
}

const fillable = ['description', 'og:title', 'og:description', 'og:type', 'og:image']

/** The lines of a preview that the page has not yet. */
export function missingPreview(home: Page, values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' || metaOf(home, name) !== '' ? [] : [meta('property', name, value)],
  )
}

export function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escaped(content)}">`
}
