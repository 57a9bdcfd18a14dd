import { readSitemapAddresses, withoutComments } from '../../crawl/sitemap-addresses.ts'
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
import { andTheRest, counted } from '../../findings/share.ts'
import { straySitemap } from '../../findings/stray-sitemap.ts'
import { absolute, isSameSite, shown } from '../../site/addresses.ts'
import { type Capture, repliesFor, type SiteReply } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { parseHtml } from '../../site/html/parse-html.ts'
import { indexBansOf, isUnindexed } from '../../site/indexable.ts'
import type { Site } from '../../site/site.ts'

/**
 * Judges whether the addresses in the sitemap are on this host, answer and may be indexed. A crawler that
 * meets dead ends trusts the others less and returns less often.
 */
export function judgeSitemapQuality(site: Site): Outcome {
  const { capture, sitemap, origin } = site
  const file = sitemap.files.find(({ state }) => state === 'ok')
  if (file === undefined) {
    const isUnread = capture.exchanges.some(
      (exchange) =>
        exchange.purpose === 'sitemap' && (exchange.outcome !== 'replied' || isRefusal(exchange.status)),
    )
    return isUnread
      ? unmeasured('The sitemap was not read.')
      : notApplicable('There is no readable sitemap whose addresses could be tried.')
  }
  if (sitemap.isOverLimit) {
    const big = repliesFor(capture, 'sitemap').find(isOverLimit)?.url ?? file.url
    return fail(
      'A sitemap file names more than 50,000 addresses or is larger than 50 MiB; crawlers may drop it.',
      `Split ${shown(big)} into several files and list them in a sitemapindex.`,
      { url: big, value: 'more than 50,000 addresses or 50 MiB' },
    )
  }
  const stray = straySitemap(site)
  if (stray !== undefined)
    return notApplicable(`The addresses in the sitemap are not of this site: ${stray.quote}.`)
  const host = new URL(origin).host
  const foreignUrls = sitemap.urls.filter(({ loc }) => URL.parse(loc)?.host !== host)
  const answers = repliesFor(capture, 'sitemap-url')
  if (answers.length === 0) return unmeasured('None of the addresses in the sitemap was tried.')
  const listing = listingOf(capture)
  const listed = new Set(sitemap.urls.map(({ loc }) => loc))
  const dead = answers.flatMap((answer) => {
    const value = faultOf(answer)
    return value === undefined
      ? []
      : [
          {
            url: answer.url,
            value,
            isDead: answer.status !== 200 || sendsOn(answer),
            listedAs: sendsOn(answer) && listed.has(answer.finalUrl) ? answer.finalUrl : undefined,
            file: listing(answer.url) ?? file.url,
          },
        ]
  })
  const good = answers.length - dead.length
  const sampled = `${good} of ${counted(answers.length, 'sampled address', 'sampled addresses')}`
  const verb = good === 1 || answers.length === 1 ? 'answers 200 and may' : 'answer 200 and may'
  const [worst] = dead
  const [foreign] = foreignUrls.map(({ loc }) => ({ loc, file: listing(loc) ?? file.url }))
  const elsewhere = `${foreignUrls.length} of ${counted(sitemap.urls.length, 'address', 'addresses')}`
  const evidence: Evidence[] = [
    { url: file.url, value: `${sampled} ${verb} be indexed` },
    ...(foreign === undefined
      ? []
      : [{ url: foreign.file, value: `${elsewhere} on another host: ${shown(foreign.loc, 80)}` }]),
    ...dead
      .slice(0, 3)
      .map(({ url, value, file: list }) => ({ url, value: `${value}, listed in ${shown(list)}` })),
  ]
  const sent = answers.filter(({ redirects }) => redirects.length > 0)
  if (worst === undefined && foreign === undefined)
    return pass(
      `${sampled} of the sitemap ${verb} be indexed${sent.length === 0 ? '' : `, ${sent.length} of them after a redirect`}.`,
      ...evidence,
    )
  const isTolerable =
    good * 10 >= answers.length * 8 && foreignUrls.every(({ loc }) => isSameSite(loc, origin))
  // Taken out of a file that names another host throughout, all addresses would be gone.
  const isWritingOther =
    foreignUrls.length * 2 > sitemap.urls.length &&
    new Set(foreignUrls.map(({ loc }) => URL.parse(loc)?.host)).size === 1
  const fixes = [
    ...(worst === undefined
      ? []
      : [
          worst.listedAs !== undefined
            ? `Take ${shown(worst.url)} out of ${shown(worst.file)}: it only sends browsers on to ${shown(worst.listedAs)}, which is listed already.`
            : worst.isDead
              ? `Take ${shown(worst.url)} (${worst.value}) out of ${shown(worst.file)}. Has the page another address? Then write that one there.${andTheRest(dead.filter(({ isDead }) => isDead).length - 1, 'address', 'addresses')} A page that is about to be published keeps its line.`
              : site.home !== undefined && isUnindexed(site.home)
                ? `Take "noindex" off ${shown(worst.url)}, as off the home page.`
                : `Take ${shown(worst.url)} out of ${shown(worst.file)}: the page asks engines not to show it (${worst.value}). Should they show it, take that off the page instead.`,
        ]),
    ...(foreign === undefined
      ? []
      : [
          isWritingOther && isOtherSpelling(canonicalHost(site), URL.parse(foreign.loc)?.host, host)
            ? `${shown(foreign.file)} and the canonical lines of the pages name ${shown(new URL(foreign.loc).host)}, and its visitors are sent to ${shown(host)}. Let the site be served on ${shown(new URL(foreign.loc).host)} itself: its host has a setting for the main domain. Or else write ${shown(host)} in both.`
            : isWritingOther
              ? `Write the addresses in ${shown(foreign.file)} with ${origin}, for example ${shown(withOrigin(foreign.loc, origin))}. Where a program makes the file, its setting for the address of the site names ${shown(new URL(foreign.loc).host)}.`
              : `Take ${shown(foreign.loc)}${foreignUrls.length === 1 ? '' : ` and all other addresses that are not on ${shown(host)}`} out of ${shown(foreign.file)}.`,
        ]),
  ]
  return (isTolerable ? warn : fail)(
    [
      ...(worst === undefined
        ? []
        : [
            `${sampled} ${verb} be indexed; ${answers.length - good === 1 ? 'the other one is a dead end' : 'the others are dead ends'} for a crawler.`,
          ]),
      ...(foreign === undefined
        ? []
        : [
            `${elsewhere} in the sitemap ${foreignUrls.length === 1 ? 'is' : 'are'} on another host than ${shown(host)}, and crawlers may pass over what stands on other hosts.`,
          ]),
    ].join(' '),
    fixes.join(' '),
    ...evidence,
  )
}

/** `www.lind.example` beside `lind.example`: the canonical line and the sitemap name the one, and the site answers on the other. */
function isOtherSpelling(canonical: string | undefined, listed: string | undefined, own: string): boolean {
  return (
    canonical !== undefined &&
    canonical === listed &&
    canonical.replace(/^www\./, '') === own.replace(/^www\./, '')
  )
}

/** The host that the home page calls its own. */
function canonicalHost({ home }: Site): string | undefined {
  const href = home?.$('link[rel~=canonical i]').first().attr('href') ?? ''
  return URL.parse(href)?.host
}

/** The same path on the site's own host. */
function withOrigin(address: string, origin: string): string {
  const { pathname, search } = new URL(address)
  return `${origin}${pathname}${search}`
}

const maxUrls = 50_000
const maxBytes = 50 * 1024 * 1024

/** Finds the file that is too large; only one of several may be. */
function isOverLimit({ body, bytes }: SiteReply): boolean {
  const count = body.includes('<')
    ? withoutComments(body).split('<loc', maxUrls + 2).length - 1
    : body.split('\n').length
  return bytes > maxBytes || count > maxUrls
}

/**
 * Finds the file that lists an address. An index lists only files, and the owner must correct one of those.
 */
function listingOf(capture: Capture): (url: string) => string | undefined {
  const files = repliesFor(capture, 'sitemap').filter(({ status }) => status === 200)
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

/** A page that only sends browsers on is none for a list of results. */
function sendsOn({ redirects }: SiteReply): boolean {
  return redirects.some(({ status }) => status === 200)
}

/** Undefined when the address answers 200 and may be indexed. */
function faultOf(answer: SiteReply): string | undefined {
  if (answer.status !== 200) return `status ${answer.status}`
  if (sendsOn(answer)) return `it only sends browsers on to ${shown(answer.finalUrl)}`
  const markup = answer.body !== '' && isHtml(answer) ? parseHtml(answer.body) : undefined
  const ban = indexBansOf(answer, markup).find(({ crawler }) => crawler === undefined)
  return ban === undefined ? undefined : shown(ban.value, 80)
}
