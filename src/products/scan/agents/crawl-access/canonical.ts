import { type Evidence, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isGone } from '../../findings/document.ts'
import { andOthers, counted, further, maxPlaces, portion } from '../../findings/share.ts'
import { absolute, addressKey, isLentDomain, isSameSite, shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import { wordsOf } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the page names one primary address that exists. Engines merge all copies of a page into it,
 * so a wrong one removes the page from their answers as a noindex does.
 */
export function judgeCanonical(home: Page, site: Site): Outcome {
  const ofHome = judgeHome(home, site)
  if (ofHome.result !== 'pass') return withMisled(ofHome, site)
  const foreign = site.pages.flatMap((page) => otherSiteNamedBy(page, site))
  const [away] = foreign
  if (away !== undefined)
    return (foreign.length * 2 > site.pages.length ? fail : warn)(
      `${portion(foreign.length, site.pages.length, 'page', 'names', 'name')} a page of another site as the primary address, so engines credit that site with the text.`,
      `Is ${shown(new URL(away.named).host)} your true address? Then let ${shown(new URL(site.origin).host)} lead there. If not, name ${shown(away.page.url)} as the canonical address of that page, in place of ${shown(away.named)}.${andOthers(foreign.length)}`,
      ...foreign
        .slice(0, maxPlaces)
        .map(({ page, named }) => ({ url: page.url, value: `canonical: ${shown(named)}` })),
    )
  const gone = site.pages.flatMap((page) => missingPageNamedBy(page, site))
  const [lost] = gone
  if (lost !== undefined)
    return fail(
      `${portion(gone.length, site.pages.length, 'page', 'names', 'name')} as the primary address one that answers with status ${lost.status}, so engines are sent to a page that is not there.`,
      ownAddress(lost, gone.length),
      ...gone.slice(0, maxPlaces).map(quoteOfMissing),
    )
  const misled = site.pages.flatMap((page) => otherPageNamedBy(page, site))
  const [first] = misled
  if (first === undefined) return ofHome
  return warn(
    `${portion(misled.length, site.pages.length, 'page', 'names', 'name')} a page with another text as the primary address. Engines then show that page, and leave this one out.`,
    `Name ${shown(first.page.url)} as the canonical address of that page, in place of ${shown(first.named)}.${andOthers(misled.length)}`,
    ...misled.slice(0, 5).map(({ page, named }) => ({ url: page.url, value: `canonical: ${shown(named)}` })),
  )
}

interface Named {
  readonly page: Page
  /** The address that it names in place of its own. */
  readonly named: string
}

function ownAddress({ page, named }: Named, count: number): string {
  return `Name ${shown(page.url)} as the canonical address of that page, in place of ${shown(named)}.${count < 2 ? '' : ` Let ${further(count - 1, 'such page')} name ${count === 2 ? 'its' : 'their'} own address as well, and likewise each page that names another.`}`
}

function quoteOfMissing({ page, named, status }: Named & { readonly status: number }): Evidence {
  return { url: page.url, value: `canonical: ${shown(named)}, which answers ${status}` }
}

/** Only a few of the addresses are asked for, and a template writes all of them in one way. */
function missingPageNamedBy(page: Page, site: Site): (Named & { readonly status: number })[] {
  const [only, ...more] = canonicalsOf(page)
  const named = only === undefined ? undefined : absolute(only, page.url)
  if (named === undefined || more.length > 0 || page === site.home) return []
  const reply = site.repliesByAddress.get(addressKey(named))
  return reply === undefined || !isGone(reply) ? [] : [{ page, named, status: reply.status }]
}

/** The home page may name nothing, and others the wrong page: both are to be mended. */
function withMisled(ofHome: Outcome, site: Site): Outcome {
  const [lost, ...others] = site.pages.flatMap((page) => missingPageNamedBy(page, site))
  if (lost !== undefined && (ofHome.result === 'fail' || ofHome.result === 'warn'))
    return {
      ...ofHome,
      reason: `${ofHome.reason} ${portion(others.length + 1, site.pages.length, 'page', 'names', 'name')} an address that answers with status ${lost.status}.`,
      fix: `${ofHome.fix} ${ownAddress(lost, others.length + 1)}`,
      evidence: [...ofHome.evidence, ...[lost, ...others].slice(0, maxPlaces).map(quoteOfMissing)],
    }
  const misled = site.pages.flatMap((page) => otherPageNamedBy(page, site))
  const [first] = misled
  if (first === undefined || (ofHome.result !== 'fail' && ofHome.result !== 'warn')) return ofHome
  return {
    ...ofHome,
    reason: `${ofHome.reason} ${portion(misled.length, site.pages.length, 'page', 'names', 'name')} a page with another text.`,
    fix: `${ofHome.fix} Name ${shown(first.page.url)} as the canonical address of that page, in place of ${shown(first.named)}.${andOthers(misled.length)}`,
    evidence: [
      ...ofHome.evidence,
      ...misled
        .slice(0, 5)
        .map(({ page, named }) => ({ url: page.url, value: `canonical: ${shown(named)}` })),
    ],
  }
}

/** A page below the home page may be left behind when the site moves to another domain, or have been copied from there. */
function otherSiteNamedBy(page: Page, site: Site): Named[] {
  const [only, ...more] = canonicalsOf(page)
  const named = only === undefined ? undefined : absolute(only, page.url)
  if (named === undefined || more.length > 0 || page === site.home || !/^https?:/.test(named)) return []
  return isSameSite(named, page.url) ? [] : [{ page, named }]
}

/**
 * A copy of a page names the page that it copies. A page with another title, heading and text is no copy, also where a
 * template gave both many of the same sentences.
 */
function otherPageNamedBy(page: Page, site: Site): Named[] {
  const [only, ...more] = canonicalsOf(page)
  const named = only === undefined ? undefined : absolute(only, page.url)
  if (named === undefined || more.length > 0 || page === site.home) return []
  const key = addressKey(named)
  const target = site.pages.find(({ url }) => addressKey(url) === key)
  if (target === undefined || target === page || key === addressKey(page.url)) return []
  return isOther(page, target) ? [{ page, named }] : []
}

function isOther(one: Page, other: Page): boolean {
  const [heading, otherHeading] = [one, other].map(({ headings }) => headings[0]?.text)
  if (heading === otherHeading) return false
  // A template may give all pages one title. Their texts then tell them apart.
  return sharedWords(one, other) < (one.title === other.title ? 0.6 : 0.98)
}

/** The share of their different words that both have. */
function sharedWords(one: Page, other: Page): number {
  const [words, others] = [one, other].map(
    ({ mainText }) => new Set(wordsOf(mainText.slice(0, 50_000).toLowerCase())),
  )
  if (words === undefined || others === undefined || words.size < 20 || others.size < 20) return 1
  const shared = [...words].filter((word) => others.has(word)).length
  return shared / (words.size + others.size - shared)
}

function judgeHome(home: Page, { capture }: Site): Outcome {
  const canonicals = canonicalsOf(home)
  const [only] = canonicals
  const evidence = canonicals
    .slice(0, 5)
    .map((address) => ({ url: home.url, value: `canonical: ${shown(address)}` }))
  if (only === undefined) {
    // The same files may be published on a domain of the owner.
    const orOwn = isLentDomain(home.url)
      ? ' If the site has a domain of its own, name the address there.'
      : ''
    return fail(
      'The page names no canonical address, so copies of it with parameters or another host count as pages of their own.',
      `${adviseHttps(home.url, (address) => `add <link rel="canonical" href="${address}"> to the head of`)}${orOwn}`,
      { url: home.url, value: '0 canonical links' },
    )
  }
  if (canonicals.length > 1) {
    return fail(
      `The page has ${counted(canonicals.length, 'canonical link')}; engines may then ignore all of them.`,
      adviseHttps(home.url, (address) => `keep one canonical link, to "${address}", on`),
      ...evidence,
    )
  }
  const url = absolute(only, home.url)
  if (url === undefined || !/^https?:\/\//i.test(only)) {
    return fail(
      'The canonical address is relative, so what it names depends on how the page was reached.',
      adviseHttps(
        // "/index.html" is another address than that of the home page, which everything else names.
        url === undefined || addressKey(url) === addressKey(home.url) ? home.url : url,
        (address) => `write the canonical address as "${address}" on`,
        home.url,
      ),
      ...evidence,
    )
  }
  if (!isSameSite(url, home.url)) {
    const [own, other] = [home.url, url].map((address) => shown(new URL(address).host))
    return fail(
      `The canonical address is on ${other}, so engines credit that host with this page.`,
      isLentDomain(url) && !isLentDomain(home.url)
        ? `Name ${shown(home.url)} as canonical there. ${other} is the address that the site had before it got a domain of its own.`
        : `If ${other} is the address of this site, let ${own} redirect to it with status 301. Otherwise name an address of ${own} as canonical on ${shown(home.url)}.`,
      ...evidence,
    )
  }
  if (url.startsWith('http:')) {
    return fail(
      'The canonical address begins with http:, so it names a copy without encryption as the primary one.',
      adviseHttps(url, (address) => `name "${address}" as canonical on`, home.url),
      ...evidence,
    )
  }
  if (url === home.url) return pass('The page names itself as its primary address.', ...evidence)
  const target = repliesFor(capture, 'canonical').find((answer) => answer.url === url)
  if (target === undefined) return unmeasured('The canonical address was not read.')
  if (target.status === 200)
    return pass(
      `The page names one primary address, and it ${target.redirects.length > 0 ? 'leads here by a redirect' : 'answers 200'}.`,
      ...evidence,
    )
  return fail(
    `The canonical address answers with status ${target.status}, so engines are sent to a page that is not there.`,
    `Name an address that answers 200 as canonical on ${shown(home.url)}.`,
    ...evidence,
    { url: target.url, value: `status ${target.status}` },
  )
}

/** Words the advice with an https address. Where the page has no https yet, that comes first. */
function adviseHttps(target: string, todo: (address: string) => string, page = target): string {
  const text = `${todo(shown(target.replace(/^http:/, 'https:')))} ${shown(page)}.`
  return page.startsWith('https:')
    ? `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    : `Once ${shown(new URL(page).host)} is served over https, ${text}`
}

/**
 * The addresses as written, in the markup or else in the Link header. The same address twice is two links.
 */
function canonicalsOf({ $, reply, url }: Page): string[] {
  const inMarkup = $('link[rel~=canonical i]')
    .toArray()
    .map((link) => $(link).attr('href')?.trim() ?? '')
  if (inMarkup.length > 0) return inMarkup
  return readLinkHeader(reply.headers.link ?? [], url).flatMap((link) =>
    link.rels.includes('canonical') ? [link.url] : [],
  )
}
