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
import { homeAnswer, isRefusal } from '../../findings/document.ts'
import { counted, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor, type SiteReply } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges the time to the first byte; no other check depends on time. One slow reply may be chance, so the
 * median of three counts.
 */
export function judgeFirstByte({ capture }: Site): Outcome {
  const answers = [...repliesFor(capture, 'home').slice(0, 1), ...repliesFor(capture, 'home-again')].slice(
    0,
    3,
  )
  const good = answers.filter(({ status }) => !isRefusal(status))
  if (good.length < 3)
    return unmeasured(
      `Its speed is told by 3 answers of the page, and ${good.length === 1 ? '1 was' : `${good.length} were`} seen.`,
    )
  const times = good.map(({ firstByteMs }) => Math.round(firstByteMs))
  const median = times.toSorted((a, b) => a - b)[1] ?? 0
  const evidence = { url: good[0]?.finalUrl ?? capture.url, value: `first byte after ${times.join(', ')} ms` }
  const statement = `The first byte comes after ${median} ms, the median of 3 requests`
  if (median < 800) return pass(`${statement}.`, evidence)
  return (median < 1_800 ? warn : fail)(
    `${statement}; an agent that opens ten such pages for one question waits ${Math.floor(median / 100)} seconds.`,
    `Cache the HTML of ${evidence.url} on the server or in a CDN, so that it answers in less than 800 ms.`,
    evidence,
  )
}

export function judgeCompression(home: Page): Outcome {
  const encoding = headerOf(home.reply, 'content-encoding').toLowerCase()
  const value = encoding === '' ? 'no Content-Encoding' : `Content-Encoding: ${shown(encoding, 60)}`
  const evidence = { url: home.url, value: `${value}, ${counted(home.reply.bytes, 'byte')}` }
  if (/(?:^|[\s,])(?:br|gzip|x-gzip|zstd)(?:$|[\s,])/.test(encoding))
    return pass('The HTML is sent compressed.', evidence)
  const { bytes, body, isCut } = home.reply
  if (bytes < minBytes)
    return notApplicable(`The page has ${counted(bytes, 'byte')}, too few for compression to matter.`)
  const saved = savedPercent(body)
  return fail(
    `The HTML is sent without Brotli, gzip or zstd. gzip would take at least ${saved} % off the ${counted(bytes, 'byte')}${isCut ? ' that were read' : ''}, which every crawl loads.`,
    `Turn on Brotli, gzip or zstd for text/html at ${home.url}.`,
    evidence,
  )
}

/** A smaller page fits into the first packets of a connection. */
const minBytes = 2_000

/**
 * Rounded down to 5 %: builds of zlib differ by a few bytes, and the same capture must give the same report.
 */
function savedPercent(body: string): number {
  const plain = Buffer.from(body)
  const saved = 1 - gzipSync(plain).byteLength / Math.max(plain.byteLength, 1)
  return Math.max(Math.floor(saved * 20) * 5, 0)
}

export function judgeStaticCache({ capture }: Site): Outcome {
  const exchanges = capture.exchanges.filter(({ purpose }) => purpose === 'asset')
  if (exchanges.length === 0) return notApplicable('No static file with a hash in its name was found.')
  const files = repliesFor(capture, 'asset').filter(({ status }) => status === 200)
  if (files.length === 0) return unmeasured('No static file was answered.')
  const short = files.filter((file) => !isKept(file))
  const evidence = [...short, ...files.filter(isKept)].slice(0, 5).map((file): Evidence => {
    const value = headerOf(file, 'cache-control')
    return { url: file.url, value: value === '' ? 'no Cache-Control' : `Cache-Control: ${shown(value)}` }
  })
  const statement = `${portion(files.length - short.length, files.length, 'static file', 'has', 'have')} a Cache-Control of a day or longer`
  if (short.length === 0) return pass(`${statement}.`, ...evidence)
  return fail(
    `${statement}. A hash in the name means that the content never changes, so asking for it again each day is in vain.`,
    `Send "Cache-Control: public, max-age=31536000, immutable" with ${short[0]?.url ?? ''}.`,
    ...evidence,
  )
}

function isKept(file: SiteReply): boolean {
  const directives = headerOf(file, 'cache-control').toLowerCase()
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])/.test(directives)) return false
  const seconds = /(?:^|[\s,])max-age\s{0,3}=\s{0,3}"?(\d{1,12})/.exec(directives)?.[1]
  return Number(seconds ?? 0) >= 86_400
}

export function judgeProtocol({ capture, origin }: Site): Outcome {
  const home = homeAnswer(capture)
  const services = home === undefined ? '' : headerOf(home, 'alt-svc')
  const url = home?.finalUrl ?? origin
  const evidence = [
    ...(capture.alpn === undefined ? [] : [{ url, value: `ALPN: ${shown(capture.alpn, 20)}` }]),
    ...(services === '' ? [] : [{ url, value: `Alt-Svc: ${shown(services)}` }]),
  ]
  if (capture.alpn === 'h2' || capture.alpn === 'h3' || /(?:^|[\s,])h3(?:-\d{1,3})?\s{0,3}=/.test(services)) {
    return pass('The server offers HTTP/2 or HTTP/3.', ...evidence)
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
    ...evidence,
  )
}
