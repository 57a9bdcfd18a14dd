import { gzipSync } from 'node:zlib'
import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { homeAnswer, isRefusal, ofMarkup } from '../../findings/document.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { counted, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { type Answered, answered } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { judgeShell } from './js-shell.ts'

/**
 * What a page costs before its text is there: to wait for, to load and to read. Agents fetch without a browser,
 * give up early and cut off what is long; what they do not get in time or in size does not exist for them.
 */
export const renderPerformance: Agent = {
  id: 'render-performance',
  name: 'Rendering and speed',
  checks: [
    { id: 'js-shell', title: 'The text is there without JavaScript', weight: 5, run: ofMarkup(judgeShell) },
    { id: 'ttfb', title: 'The server answers quickly', weight: 3, run: judgeFirstByte },
    {
      id: 'html-size',
      title: 'Pages are small to load',
      weight: 2,
      run: ofMarkup(needsPages(judgeHtmlSize)),
    },
    {
      id: 'text-size',
      title: 'Pages are short enough to read',
      weight: 2,
      run: ofMarkup(needsPages(judgeTextSize)),
    },
    {
      id: 'compression',
      title: 'HTML is sent compressed',
      weight: 2,
      run: ofMarkup(needsHome(judgeCompression)),
    },
    {
      id: 'head-scripts',
      title: 'Few scripts block the page',
      weight: 2,
      run: ofMarkup(needsHome(judgeHeadScripts)),
    },
    { id: 'img-dims', title: 'Images state their size', weight: 2, run: ofMarkup(needsPages(judgeImages)) },
    { id: 'static-cache', title: 'Static files may be kept', weight: 1, run: judgeStaticCache },
    {
      id: 'viewport',
      title: 'The page fits small screens',
      weight: 1,
      run: ofMarkup(needsHome(judgeViewport)),
    },
    { id: 'protocol', title: 'Many requests share a connection', weight: 1, run: judgeProtocol },
  ],
}

/** The only check that looks at time. One slow answer may be chance, so the middle one of three counts. */
function judgeFirstByte({ capture }: Site): Outcome {
  const answers = [...answered(capture, 'home').slice(0, 1), ...answered(capture, 'home-again')].slice(0, 3)
  const good = answers.filter(({ status }) => !isRefusal(status))
  if (good.length < 3)
    return unmeasured(
      `Its speed is told by 3 answers of the page, and ${good.length === 1 ? '1 was' : `${good.length} were`} seen.`,
    )
  const times = good.map(({ firstByteMs }) => Math.round(firstByteMs))
  const median = times.toSorted((a, b) => a - b)[1] ?? 0
  const where = { url: good[0]?.finalUrl ?? capture.url, value: `first byte after ${times.join(', ')} ms` }
  const found = `The first byte comes after ${median} ms, the median of 3 requests`
  if (median < 800) return pass(`${found}.`, where)
  return (median < 1_800 ? warn : fail)(
    `${found}; an agent that opens ten such pages for one question waits ${Math.floor(median / 100)} seconds.`,
    `Cache the HTML of ${where.url} on the server or in a CDN, so that it answers in less than 800 ms.`,
    where,
  )
}

function judgeHtmlSize(pages: readonly Page[]): Outcome {
  const sizes = pages.map(({ url, answer }) => ({ url, size: answer.bytes, isCut: answer.isCut }))
  return judgeLargest(sizes, { least: 500_000, most: 1_000_000, unit: 'byte' }, (where) => ({
    loss: 'Above 500000 bytes, fetchers with a fixed buffer cut the page off.',
    fix: `Move inline scripts, styles and images of ${where} into files of their own.`,
  }))
}

function judgeTextSize(pages: readonly Page[]): Outcome {
  const sizes = pages.map(({ url, answer, text }) => ({ url, size: text.length, isCut: answer.isCut }))
  return judgeLargest(sizes, { least: 50_000, most: 100_000, unit: 'character' }, (where) => ({
    loss: 'Above 50000 characters, readers with a limited context cut the text off.',
    fix: `Split ${where} into pages for one question each.`,
  }))
}

interface Limits {
  readonly least: number
  readonly most: number
  readonly unit: 'byte' | 'character'
}

/** An agent may land on any page, so the largest one decides. A page that was cut is at least as large as what was read. */
function judgeLargest(
  sizes: readonly { readonly url: string; readonly size: number; readonly isCut: boolean }[],
  { least, most, unit }: Limits,
  texts: (where: string) => { loss: string; fix: string },
): Outcome {
  const known = sizes.filter(({ size, isCut }) => !isCut || size > most).toSorted((a, b) => b.size - a.size)
  const [largest] = known
  if (!largest) return unmeasured('No page was read to its end.')
  const evidence = known.slice(0, 3).map(({ url, size, isCut }): Evidence => {
    return { url, value: `${isCut ? 'more than ' : ''}${counted(size, unit)}` }
  })
  const which = known.length === 1 ? 'The page' : `The largest of ${counted(known.length, 'page')}`
  const found = `${which} has ${evidence[0]?.value ?? counted(largest.size, unit)}.`
  if (largest.size <= least) return pass(found, ...evidence)
  const { loss, fix } = texts(largest.url)
  return (largest.size <= most ? warn : fail)(`${found} ${loss}`, fix, ...evidence)
}

function judgeCompression(home: Page): Outcome {
  const encoding = headerOf(home.answer, 'content-encoding').toLowerCase()
  const value = encoding === '' ? 'no Content-Encoding' : `Content-Encoding: ${shown(encoding, 60)}`
  const where = { url: home.url, value: `${value}, ${counted(home.answer.bytes, 'byte')}` }
  if (/(?:^|[\s,])(?:br|gzip|x-gzip|zstd)(?:$|[\s,])/.test(encoding))
    return pass('The HTML is sent compressed.', where)
  const { bytes, body, isCut } = home.answer
  if (bytes < fewestBytes)
    return notApplicable(`The page has ${counted(bytes, 'byte')}, too few for compression to matter.`)
  const saved = savedPercent(body)
  return fail(
    `The HTML is sent without Brotli, gzip or zstd. gzip would take at least ${saved} % off the ${counted(bytes, 'byte')}${isCut ? ' that were read' : ''}, which every crawl loads.`,
    `Turn on Brotli, gzip or zstd for text/html at ${home.url}.`,
    where,
  )
}

/** Less than that fits into the first packets of a connection anyway. */
const fewestBytes = 2_000

/** Rounded down to 5 %: builds of zlib differ by a few bytes, and the same capture must give the same report. */
function savedPercent(body: string): number {
  const plain = Buffer.from(body)
  const saved = 1 - gzipSync(plain).byteLength / Math.max(plain.byteLength, 1)
  return Math.max(Math.floor(saved * 20) * 5, 0)
}

function judgeHeadScripts(home: Page): Outcome {
  const blocking = home.$('head script[src]').toArray().filter(blocks)
  const evidence = blocking.slice(0, 5).map(({ attribs }): Evidence => {
    return { url: home.url, value: `<script src="${shown(attribs.src ?? '')}">` }
  })
  const found = `${blocking.length === 0 ? 'No script' : counted(blocking.length, 'script')} in the head must load before the page is shown`
  if (blocking.length <= 3) {
    return pass(
      `${found}.`,
      ...(evidence.length > 0 ? evidence : [{ url: home.url, value: 'no blocking script in head' }]),
    )
  }
  return fail(
    `${found}, and more than 3 make agents with a browser wait for the content.`,
    `Add defer or async to ${shown(blocking[0]?.attribs.src ?? '')} and the others.`,
    ...evidence,
  )
}

/** Modules and blocks of data never block, and no browser of today runs what is for those without modules. */
function blocks({ attribs }: Element): boolean {
  if ('async' in attribs || 'defer' in attribs || 'nomodule' in attribs) return false
  return /^(?:$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i.test((attribs.type ?? '').trim())
}

function judgeImages(pages: readonly Page[]): Outcome {
  const images = pages.flatMap((page) =>
    page
      .$('img')
      .toArray()
      .slice(0, 1_000)
      .map((image) => ({ page, image, isSized: isSized(image) })),
  )
  if (images.length === 0) return notApplicable('The pages have no images.')
  const unsized = images.filter((one) => !one.isSized)
  const good = images.length - unsized.length
  const found = `${portion(good, images.length, 'image', 'states', 'state')} width and height`
  const evidence = unsized.slice(0, 5).map(({ page, image }): Evidence => {
    return { url: page.url, value: `<img src="${shown(image.attribs.src ?? '', 100)}">` }
  })
  if (good * 100 >= images.length * 90) {
    return pass(
      `${found}.`,
      ...(evidence.length > 0 ? evidence : [{ url: pages[0]?.url ?? '', value: found }]),
    )
  }
  return fail(
    `${found}; without them the page can shift while it loads, and agents that click by screenshot can hit the wrong place.`,
    `Add width and height to ${evidence[0]?.value ?? 'each image'} at ${evidence[0]?.url ?? ''}.`,
    ...evidence,
  )
}

function isSized({ attribs }: Element): boolean {
  if (isLength(attribs.width) && isLength(attribs.height)) return true
  const style = (attribs.style ?? '').slice(0, 1_000)
  return (
    /(?:^|[;\s])aspect-ratio\s*:/i.test(style) ||
    (/(?:^|[;\s])width\s*:/i.test(style) && /(?:^|[;\s])height\s*:/i.test(style))
  )
}

function isLength(value: string | undefined): boolean {
  return value !== undefined && /^\s*\d/.test(value)
}

function judgeStaticCache({ capture }: Site): Outcome {
  const asked = capture.exchanges.filter(({ purpose }) => purpose === 'asset')
  if (asked.length === 0) return notApplicable('No static file with a hash in its name was found.')
  const files = answered(capture, 'asset').filter(({ status }) => status === 200)
  if (files.length === 0) return unmeasured('No static file was answered.')
  const short = files.filter((file) => !isKept(file))
  const evidence = [...short, ...files.filter(isKept)].slice(0, 5).map((file): Evidence => {
    const value = headerOf(file, 'cache-control')
    return { url: file.url, value: value === '' ? 'no Cache-Control' : `Cache-Control: ${shown(value)}` }
  })
  const found = `${portion(files.length - short.length, files.length, 'static file', 'has', 'have')} a Cache-Control of a day or longer`
  if (short.length === 0) return pass(`${found}.`, ...evidence)
  return fail(
    `${found}. A hash in the name means that the content never changes, so asking for it again each day is in vain.`,
    `Send "Cache-Control: public, max-age=31536000, immutable" with ${short[0]?.url ?? ''}.`,
    ...evidence,
  )
}

function isKept(file: Answered): boolean {
  const directives = headerOf(file, 'cache-control').toLowerCase()
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])/.test(directives)) return false
  const seconds = /(?:^|[\s,])max-age\s{0,3}=\s{0,3}"?(\d{1,12})/.exec(directives)?.[1]
  return Number(seconds ?? 0) >= 86_400
}

function judgeViewport(home: Page): Outcome {
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
    `Add <meta name="viewport" content="width=device-width, initial-scale=1"> to the head of ${home.url}.`,
    { url: home.url, value },
  )
}

function judgeProtocol({ capture, origin }: Site): Outcome {
  const home = homeAnswer(capture)
  const services = home === undefined ? '' : headerOf(home, 'alt-svc')
  const url = home?.finalUrl ?? origin
  const seen = [
    ...(capture.alpn === undefined ? [] : [{ url, value: `ALPN: ${shown(capture.alpn, 20)}` }]),
    ...(services === '' ? [] : [{ url, value: `Alt-Svc: ${shown(services)}` }]),
  ]
  if (capture.alpn === 'h2' || capture.alpn === 'h3' || /(?:^|[\s,])h3(?:-\d{1,3})?\s{0,3}=/.test(services)) {
    return pass('The server offers HTTP/2 or HTTP/3.', ...seen)
  }
  if (capture.alpn === undefined) {
    return url.startsWith('http:')
      ? notApplicable(
          'The page is served over http://, where no protocol is agreed on, so none was asked for.',
        )
      : unmeasured('The server was not asked which protocol it chooses.')
  }
  return fail(
    `The server chose ${shown(capture.alpn, 20)} and names no HTTP/3, so each connection carries one request at a time.`,
    `Turn on HTTP/2 for ${url}.`,
    ...seen,
  )
}
