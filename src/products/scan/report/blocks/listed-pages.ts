import { isBlankPage } from '../../findings/blank-pages.ts'
import { isListable } from '../../findings/listed-address.ts'
import { isSidePage } from '../../findings/side-pages.ts'
import { isSoft404 } from '../../findings/soft-404.ts'
import { absolute, addressKey, isAction } from '../../site/addresses.ts'
import { homeAddress, siteFolder } from '../../site/below-home.ts'
import { repliesFor } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { forwardTarget } from '../../site/forwarding.ts'
import { isFragment } from '../../site/html/scripted/fragment.ts'
import { isUnindexed } from '../../site/indexable.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The pages that a list for engines names: each once, and no address that does something. A shop shows one page at
 * many addresses and names the canonical one in each. A canonical address counts only between pages of one title,
 * because some sites name their home page as the canonical address of all pages.
 */
export function listedPages(pages: readonly Page[], site: Site): readonly Page[] {
  const named = new Map<string, Page>()
  for (const page of pages.filter(
    (one, at) => !isAction(one.url) && !isSidePage(one) && (at === 0 || !isBlankPage(one, site)),
  )) {
    const key = `${canonicalKey(page)} ${page.title}`
    const known = named.get(key)
    if (known === undefined || (!isCanonical(known) && isCanonical(page))) named.set(key, page)
  }
  const kept = new Set(named.values())
  return pages.filter((page) => kept.has(page))
}

/**
 * Addresses of linked pages that the scan has not read. It asked for each whether it is there, and got the answer 200.
 * Empty where the site answers so for pages that do not exist.
 */
export function answeredAddresses(site: Site): readonly string[] {
  if (isSoft404(site)) return []
  const fragments = repliesFor(site.capture, 'page').filter(isFragment)
  const read = new Set([
    ...site.pages.map(({ url }) => addressKey(url)),
    ...fragments.map(({ finalUrl }) => addressKey(finalUrl)),
  ])
  const replies = repliesFor(site.capture, 'link')
  const answered = new Set(
    replies.flatMap(({ finalUrl, status }) =>
      status === 200 && !isIndex(finalUrl) ? [addressKey(finalUrl)] : [],
    ),
  )
  const bodies = new Set<string | undefined>(site.pages.map(({ reply }) => reply.body))
  const unlisted = unlistedIn(site)
  const found = new Map<string, string>()
  for (const reply of replies) {
    const { finalUrl: url, status } = reply
    const key = addressKey(url)
    if (status !== 200 || !isHtml(reply) || read.has(key) || found.has(key)) continue
    // It only sends browsers on to another page.
    if (forwardTarget(reply) !== undefined) continue
    // "?service=implants" fills in a form of a page that was read.
    if (url.includes('?') && read.has(addressKey(url.replace(/\?.*$/, '')))) continue
    // "/index" is the page of its folder once more.
    if (isIndex(url) && (read.has(folderKey(url)) || answered.has(folderKey(url)))) continue
    if (bodies.has(bodyAt(url, site))) continue
    if (unlisted.has(withoutLanguage(url, site))) continue
    if (
      new URL(url).origin === site.origin &&
      isListable(url, site) &&
      !isAction(url) &&
      // "//" is the home page once more, by a slip in a link.
      !new URL(url).pathname.includes('//') &&
      !isSidePage({ url, title: '' })
    )
      found.set(key, url)
  }
  return [...found.values()]
}

function isIndex(url: string): boolean {
  return indexFile.test(url)
}

function folderKey(url: string): string {
  return addressKey(url.replace(indexFile, '/'))
}

const indexFile = /\/index(?:\.\w{2,5})?$/i

/** What the address answered when it was asked for as a page. With the bytes of another page it is that page once more. */
function bodyAt(url: string, { capture }: Site): string | undefined {
  return repliesFor(capture, 'page').find(({ finalUrl }) => finalUrl === url)?.body
}

/**
 * The pages that ask engines to leave them out, whatever language their address begins with: where "/privacy.html" asks for it,
 * so does "/fr/privacy.html". An equal file name alone says less: a tag may have the name of a treatment.
 */
function unlistedIn(site: Site): ReadonlySet<string> {
  const { home, pages } = site
  // A home page that asks for it is a fault, and the other pages may have it from there.
  const closed = home !== undefined && isUnindexed(home) ? [] : pages.filter(isUnindexed)
  return new Set(closed.map(({ url }) => withoutLanguage(url, site)).filter((path) => path !== ''))
}

/** The path below the home page, without a language in front: "privacy.html" of "/fr/privacy.html". */
function withoutLanguage(url: string, site: Site): string {
  const folder = siteFolder(homeAddress(site))
  const path = addressKey(url).slice(addressKey(folder).length).replace(/^\//, '')
  return url.startsWith(folder) ? path.replace(languageFolder, '') : ''
}

const languageFolder = /^[a-z]{2}(?:[-_][a-z]{2})?\/(?=.)/i

function isCanonical(page: Page): boolean {
  return canonicalKey(page) === addressKey(page.url)
}

function canonicalKey({ $, url }: Page): string {
  const canonical = absolute($('link[rel~=canonical i]').first().attr('href') ?? '', url)
  return addressKey(canonical ?? url)
}
