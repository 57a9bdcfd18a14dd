import { type Evidence, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { counted, listed } from '../../findings/share.ts'
import { embeddedFile, shown } from '../../site/addresses.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * The checks of what a page costs its reader after it has arrived: size, length, blocking scripts and the width of the screen.
 */
export function judgeHtmlSize(pages: readonly Page[]): Outcome {
  const sizes = pages.map(({ url, reply }) => ({ url, size: reply.bytes, isCut: reply.isCut }))
  return judgeLargest(sizes, { passMax: 500_000, warnMax: 1_000_000, unit: 'byte' }, (url) => ({
    loss: 'Above 500000 bytes, fetchers with a fixed buffer cut the page off.',
    fix: `Move ${heaviestPart(pages, url) ?? 'inline scripts, styles and images'} of ${url} into files of their own.`,
  }))
}

/** What most of a large page consists of: moving a few lines of script would not help a page of embedded pictures. */
function heaviestPart(pages: readonly Page[], url: string): string | undefined {
  const page = pages.find((one) => one.url === url)
  if (page === undefined) return undefined
  const { body } = page.reply
  const files = [...body.matchAll(embeddedFile)].map(([written, type = '']) => ({
    type,
    length: written.length,
  }))
  const lengthOf = (ones: readonly { readonly length: number }[]) =>
    ones.reduce((sum, { length }) => sum + length, 0)
  const ofType = (type: RegExp) => files.filter((file) => type.test(file.type))
  const textOf = (selector: string) =>
    page
      .$(selector)
      .toArray()
      .map((element) => page.$(element).text().replace(embeddedFile, ''))
  const parts = [
    ['the pictures that are written into the code (data:image)', ofType(/^image\//i)],
    ['the fonts that are written into the code (data:)', ofType(/font/i)],
    ['the inline scripts', textOf('script:not([src])')],
    ['the inline styles', textOf('style')],
  ] as const
  return parts.find(([, ones]) => lengthOf(ones) * 2 > body.length)?.[0]
}

export function judgeTextSize(pages: readonly Page[]): Outcome {
  const sizes = pages.map(({ url, reply, text }) => ({ url, size: text.length, isCut: reply.isCut }))
  return judgeLargest(sizes, { passMax: 50_000, warnMax: 100_000, unit: 'character' }, (url) => ({
    loss: 'Above 50000 characters, readers with a limited context cut the text off.',
    fix: `Split ${url}, and each other page of more than 50000 characters, into pages for one subject each.`,
  }))
}

interface Limits {
  readonly passMax: number
  readonly warnMax: number
  readonly unit: 'byte' | 'character'
}

/**
 * The largest page decides, because an agent may land on any. A page that was cut is at least as large as
 * what was read.
 */
function judgeLargest(
  sizes: readonly { readonly url: string; readonly size: number; readonly isCut: boolean }[],
  { passMax, warnMax, unit }: Limits,
  texts: (url: string) => { loss: string; fix: string },
): Outcome {
  const ranked = sizes
    .filter(({ size, isCut }) => !isCut || size > warnMax)
    .toSorted((a, b) => b.size - a.size)
  const [largest] = ranked
  if (!largest) return unmeasured('No page was read to its end.')
  const evidence = ranked.slice(0, 3).map(({ url, size, isCut }): Evidence => {
    return { url, value: `${isCut ? 'more than ' : ''}${counted(size, unit)}` }
  })
  const which = ranked.length === 1 ? 'The page' : `The largest of ${counted(ranked.length, 'page')}`
  const statement = `${which} has ${evidence[0]?.value ?? counted(largest.size, unit)}.`
  if (largest.size <= passMax) return pass(statement, ...evidence)
  const { loss, fix } = texts(largest.url)
  const tooLarge = evidence.slice(0, ranked.filter(({ size }) => size > passMax).length)
  return (largest.size <= warnMax ? warn : fail)(`${statement} ${loss}`, fix, ...tooLarge)
}

export function judgeHeadScripts(home: Page): Outcome {
  const blocking = home.$('head script[src]').toArray().filter(blocks)
  // All of them: one that stays behind would run before the library that it needs.
  const evidence = blocking.slice(0, 30).map(({ attribs }): Evidence => {
    return { url: home.url, value: `<script src="${shown(attribs.src ?? '')}">` }
  })
  const statement = `${blocking.length === 0 ? 'No script' : counted(blocking.length, 'script')} in the head must load before the page is shown`
  if (blocking.length <= 3) {
    return pass(
      `${statement}.`,
      ...(evidence.length > 0
        ? evidence.slice(0, 5)
        : [{ url: home.url, value: 'no blocking script in head' }]),
    )
  }
  const sources = blocking.map(({ attribs }) => attribs.src ?? '')
  const drawing = sources.filter((one) => draws.test(one))
  const other = sources.find((one) => !draws.test(one))
  const names = [...new Set(drawing)].map((one) => shown(one))
  const again = drawing.length > names.length ? ' Take out each line that loads one of them again.' : ''
  if (other === undefined)
    return fail(
      `${statement}, and more than 3 make agents with a browser wait for the content.`,
      `All of them draw the page or prepare it before it is seen, so they have to stay in the head.${again || ' Leave out those that the page can do without.'}`,
      ...evidence,
    )
  const first = shown(other)
  const rest =
    names.length === 0
      ? ''
      : ` Leave ${listed(names)} in the head as ${names.length === 1 ? 'it is: it draws the page or prepares' : 'they are: they draw the page or prepare'} it before it is seen.${again}`
  return fail(
    `${statement}, and more than 3 make agents with a browser wait for the content.`,
    usesAtOnce(home)
      ? `Move ${first} and the others${hasInlineBelow(home) ? ', with the inline scripts below them in the head,' : ''} out of the head, to ${hasScriptIn(home) ? 'just before the first script of the body that uses one of them' : 'the end of the body'}, in the same order. With defer they would load too late.${rest} Look at the page in a browser afterwards.`
      : hasScriptsBelow(home)
        ? `Add defer to ${first} and to every other script with an address, also those in the body: a script without it would run before them. One that draws the page or prepares it before it is seen, such as cdn.tailwindcss.com or modernizr, stays as it is. Look at the page in a browser afterwards.`
        : `Add defer to ${first} and the others; it keeps their order.${rest}`,
    ...evidence,
  )
}

/** Makes the look of the page, or prepares it before it is seen. */
const draws =
  /cdn\.tailwindcss\.com|@tailwindcss\/browser|modernizr|@unocss\/|unocss[./-](?:runtime|min|global)/i

/** An inline script uses a library while the page loads: with defer the library is not there yet. */
function usesAtOnce({ $ }: Page): boolean {
  return $('script:not([src]):not([type="module"])')
    .toArray()
    .slice(0, 100)
    .some((script) => usesLibrary.test($(script).text().slice(0, 20_000)))
}

/** A script in the middle of the body runs before its end. */
function hasScriptIn({ $ }: Page): boolean {
  return $('body script').toArray().some(blocks)
}

/** Scripts of the body that use a library of the head would run before it. */
function hasScriptsBelow({ $ }: Page): boolean {
  return $('body script[src]').toArray().some(blocks)
}

/** Inline scripts of the head would run before the libraries that move to the end of the body. */
function hasInlineBelow({ $ }: Page): boolean {
  const scripts = $('head script').toArray()
  const first = scripts.findIndex((script) => script.attribs.src !== undefined && blocks(script))
  return scripts.slice(first + 1).some(({ attribs }) => attribs.src === undefined && blocks({ attribs }))
}

/** The global names of libraries that pages load from a head and call further down. */
const usesLibrary =
  /(?:^|[^\w$.])(?:(?:\$|jQuery)\s?[(.]|(?:WebFont|Typekit|tailwind|lucide|feather|gsap|AOS|WOW|Swiper|Splide|Chart|THREE|Vue|ReactDOM|axios|firebase|emailjs|Stripe|flatpickr|bootstrap|particlesJS|Alpine|moment|dayjs|L)\s?[(.](?!js\b))/

/** Modules and data never block, and current browsers ignore `nomodule` scripts. */
function blocks({ attribs }: Pick<Element, 'attribs'>): boolean {
  if ('async' in attribs || 'defer' in attribs || 'nomodule' in attribs) return false
  return /^(?:$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i.test((attribs.type ?? '').trim())
}

export function judgeViewport(home: Page): Outcome {
  const contents = home
    .$('meta[name]')
    .toArray()
    .filter(({ attribs }) => attribs.name?.trim().toLowerCase() === 'viewport')
    .map(({ attribs }) => attribs.content ?? '')
  const value = contents.length === 0 ? 'no meta viewport' : `viewport: ${shown(contents.join(' | '))}`
  const isFitting = contents.some((content) =>
    /(?:^|[\s,;])width\s{0,9}=\s{0,9}device-width(?:$|[\s,;])/i.test(content),
  )
  if (isFitting) return pass('The page asks for the width of the screen.', { url: home.url, value })
  return fail(
    'No meta viewport asks for the width of the device, so agents with a small screen get the desktop page scaled down.',
    `Add <meta name="viewport" content="width=device-width, initial-scale=1"> to the head of ${home.url}, and of each other page that lacks it, once their layout has no fixed width.`,
    { url: home.url, value },
  )
}
