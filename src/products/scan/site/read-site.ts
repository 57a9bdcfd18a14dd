import { absolute, fileNameOf, isSameSite, registrableDomain } from './addresses.ts'
import { ownFolder } from './below-home.ts'
import { type Capture, repliesFor, type SiteReply } from './capture.ts'
import { isChallengePage, isEmptyBody } from './challenge-page.ts'
import { isFeed } from './dated-items.ts'
import { isHtml } from './files/headers.ts'
import { readRobots } from './files/robots.ts'
import { readSitemap } from './files/sitemap.ts'
import { forwardTarget } from './forwarding.ts'
import { isFragment } from './html/scripted/fragment.ts'
import { filesOf } from './html/scripted/included-parts.ts'
import { indexLinks, indexReplies } from './linked-pages.ts'
import { once } from './once.ts'
import { readPage } from './page.ts'
import { profileOf } from './profile.ts'
import type { Page, Site } from './site.ts'

/**
 * Makes the site that checks read from a capture. Each part is parsed when a check first asks for it and then
 * kept: a hundred checks read the same page, and a light scan needs few parts.
 * @param now Unix milliseconds.
 */
export function readSite(capture: Capture, now: number): Site {
  const homeReply = repliesFor(capture, 'home')[0]
  const homeUrl = homeReply?.finalUrl ?? capture.url
  const origin = new URL(homeUrl).origin
  const files = filesOf(capture)
  const folder = ownFolder(capture.url, homeUrl)
  const read: ReadPage = (reply) => readPage(reply, files, folder)
  const home = once(() => (homeReply !== undefined && isPage(homeReply) ? read(homeReply) : undefined))
  const pages = once(() => readPages(home(), repliesFor(capture, 'page'), origin, read))
  const robots = once(() =>
    readRobots(
      capture.exchanges.find(({ purpose }) => purpose === 'robots'),
      origin,
    ),
  )
  const sitemap = once(() => readSitemap(capture.exchanges, robots()))
  const profile = once(() => profileOf({ home: home(), pages: pages(), capture }))
  const linksByKind = once(() => indexLinks(pages(), home()))
  const answersByAddress = once(() => indexReplies(capture.exchanges))
  return {
    capture,
    now,
    origin,
    registrableDomain: registrableDomain(origin),
    get home() {
      return home()
    },
    get pages() {
      return pages()
    },
    get robots() {
      return robots()
    },
    get sitemap() {
      return sitemap()
    },
    get profile() {
      return profile()
    },
    get linksByKind() {
      return linksByKind()
    },
    get repliesByAddress() {
      return answersByAddress()
    },
  }
}

type ReadPage = (reply: SiteReply) => Page

function isPage(reply: SiteReply): boolean {
  // Copies of blogs serve their feeds as HTML.
  return (
    reply.status === 200 && isHtml(reply) && !isFeed(reply) && !isChallengePage(reply) && !isEmptyBody(reply)
  )
}

/**
 * A page that redirects to another site, or that only sends browsers on, is left out. Two addresses that redirect to one page, or that answer the same
 * bytes, are one page: a server that knows `/about` and `/about.html`, and filters of a list that a script fills.
 * Counted as many they would repeat every fault and fill a sitemap with copies.
 */
function readPages(
  home: Page | undefined,
  replies: readonly SiteReply[],
  origin: string,
  read: ReadPage,
): Page[] {
  const pages: Page[] = home === undefined ? [] : [home]
  for (const reply of replies) {
    const { body, finalUrl } = reply
    if (!isPage(reply) || forwardTarget(reply) !== undefined || !isSameSite(finalUrl, origin)) continue
    if (isFragment(reply)) continue
    const at = pages.findIndex((page) => page.url === finalUrl || page.reply.body === body)
    const known = pages[at]
    if (known === undefined) pages.push(read(reply))
    else if (known !== home && isBetterAddress(finalUrl, known)) pages[at] = read(reply)
  }
  // "/footer.html" that a script puts into the pages is a part of them, also where a sitemap lists it.
  const parts = new Set(pages.flatMap((page) => page.parts.flatMap(({ url }) => url ?? [])))
  return pages.filter((page) => page === home || !parts.has(page.reply.url))
}

/** The address that the page names as its own, else one without a query, else the one that agrees with its title. */
function isBetterAddress(other: string, { url, $, title }: Page): boolean {
  const written =
    $('link[rel~=canonical i]').attr('href') ?? $('meta[property="og:url"]').attr('content') ?? ''
  const named = written === '' ? undefined : absolute(written, url)
  if (named === url || other === url) return false
  if (named === other) return true
  const hasQuery = url.includes('?')
  if (hasQuery !== other.includes('?')) return hasQuery
  return isTitled(other, title) && !isTitled(url, title)
}

/** "/new-patients.html" may hold a copy of "/whitening.html" that its owner meant to rewrite. The title says which it is. */
function isTitled(url: string, title: string): boolean {
  const words = fileNameOf(url)
    .replace(/\.\w{2,5}$/, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
  const said = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return words.length > 0 && words.every((word) => said.has(word))
}
