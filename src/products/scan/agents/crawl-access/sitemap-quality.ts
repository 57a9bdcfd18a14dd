import { readSitemapAddresses } from '../../crawl/sitemap-addresses.ts'
import {
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { isRefusal } from '../../findings/document.ts'
import { counted } from '../../findings/share.ts'
import { absolute, isSameSite, shown } from '../../site/addresses.ts'
import { type Answered, answered, type Capture } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { parseHtml } from '../../site/html/parse-html.ts'
import { indexBansOf } from '../../site/indexable.ts'
import type { Site } from '../../site/site.ts'

/**
 * Whether the sitemap keeps its promise: addresses of this host that answer and may be indexed. A crawler that
 * meets dead ends in it trusts the rest less and comes more rarely.
 */
export function judgeSitemapQuality({ capture, sitemap, origin }: Site): Outcome {
  const file = sitemap.files.find(({ state }) => state === 'ok')
  if (file === undefined) {
    const isUnread = capture.exchanges.some(
      (exchange) =>
        exchange.purpose === 'sitemap' && (exchange.outcome !== 'answered' || isRefusal(exchange.status)),
    )
    return isUnread
      ? unmeasured('The sitemap was not read.')
      : notApplicable('There is no readable sitemap whose addresses could be tried.')
  }
  if (sitemap.isOverLimit) {
    const big = answered(capture, 'sitemap').find(isOverLimit)?.url ?? file.url
    return fail(
      'A sitemap file names more than 50,000 addresses or is larger than 50 MiB; crawlers may drop it.',
      `Split ${shown(big)} into several files and list them in a sitemapindex.`,
      { url: big, value: 'more than 50,000 addresses or 50 MiB' },
    )
  }
  const host = new URL(origin).host
  const strangers = sitemap.urls.filter(({ loc }) => URL.parse(loc)?.host !== host)
  const tried = answered(capture, 'sitemap-url')
  if (tried.length === 0) return unmeasured('None of the addresses in the sitemap was tried.')
  const listing = listingOf(capture)
  const dead = tried.flatMap((answer) => {
    const value = faultOf(answer)
    return value === undefined ? [] : [{ url: answer.url, value, file: listing(answer.url) ?? file.url }]
  })
  const good = tried.length - dead.length
  const sampled = `${good} of ${counted(tried.length, 'sampled address', 'sampled addresses')}`
  const verb = good === 1 || tried.length === 1 ? 'answers 200 and may' : 'answer 200 and may'
  const [worst] = dead
  const [stranger] = strangers.map(({ loc }) => ({ loc, file: listing(loc) ?? file.url }))
  const elsewhere = `${strangers.length} of ${counted(sitemap.urls.length, 'address', 'addresses')}`
  const evidence: Evidence[] = [
    { url: file.url, value: `${sampled} ${verb} be indexed` },
    ...(stranger === undefined
      ? []
      : [{ url: stranger.file, value: `${elsewhere} on another host: ${shown(stranger.loc, 80)}` }]),
    ...dead
      .slice(0, 3)
      .map(({ url, value, file: list }) => ({ url, value: `${value}, listed in ${shown(list)}` })),
  ]
  if (worst === undefined && stranger === undefined)
    return pass(`${sampled} of the sitemap ${verb} be indexed.`, ...evidence)
  const isTolerable = good * 10 >= tried.length * 8 && strangers.every(({ loc }) => isSameSite(loc, origin))
  const fixes = [
    ...(worst === undefined
      ? []
      : [
          `Take ${shown(worst.url)} (${worst.value}) out of ${shown(worst.file)}, or let it answer 200 and be indexed.`,
        ]),
    ...(stranger === undefined
      ? []
      : [
          `Take ${shown(stranger.loc)}${strangers.length === 1 ? '' : ` and all other addresses that are not on ${shown(host)}`} out of ${shown(stranger.file)}.`,
        ]),
  ]
  return (isTolerable ? warn : fail)(
    [
      ...(worst === undefined
        ? []
        : [`${sampled} ${verb} be indexed; the others are dead ends for a crawler.`]),
      ...(stranger === undefined
        ? []
        : [
            `${elsewhere} in the sitemap ${strangers.length === 1 ? 'is' : 'are'} on another host than ${shown(host)}, and crawlers may pass over what stands on other hosts.`,
          ]),
    ].join(' '),
    fixes.join(' '),
    ...evidence,
  )
}

const maxUrls = 50_000
const maxBytes = 50 * 1024 * 1024

/** What made the sitemap too large; only one of several files may be at fault. */
function isOverLimit({ body, bytes }: Answered): boolean {
  const count = body.includes('<') ? body.split('<loc', maxUrls + 2).length - 1 : body.split('\n').length
  return bytes > maxBytes || count > maxUrls
}

/** Which file lists an address: an index names only files, and its owner has to correct one of those. */
function listingOf(capture: Capture): (url: string) => string | undefined {
  const files = answered(capture, 'sitemap').filter(({ status }) => status === 200)
  if (files.length === 1) return () => files[0]?.url
  const lists = files.map(({ url, body, finalUrl }) => ({
    url,
    base: finalUrl,
    ...readSitemapAddresses(body),
  }))
  return (url) =>
    lists.find(({ isIndex, urls, base }) =>
      isIndex ? false : urls.some(({ loc }) => loc === url || absolute(loc, base) === url),
    )?.url
}

/** Undefined when the address is as a sitemap promises. */
function faultOf(answer: Answered): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}`
  const markup = answer.body !== '' && isHtml(answer) ? parseHtml(answer.body) : undefined
  const ban = indexBansOf(answer, markup).find(({ crawler }) => crawler === undefined)
  return ban === undefined ? undefined : shown(ban.value, 80)
}
