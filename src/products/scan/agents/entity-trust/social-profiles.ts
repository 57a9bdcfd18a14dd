import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted, listed } from '../../findings/share.ts'
import { addressKey, registrableDomain, shown } from '../../site/addresses.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the profiles that the home page links equal those in sameAs. From two different lists an
 * engine builds two identities. Registers and encyclopedias are ignored: footers rarely link them, so they
 * may be in the markup alone.
 */
export function judgeProfiles(home: Page, { pages }: Site): Outcome {
  const linked = profilesIn(home.links.map(({ url }) => url))
  const declared = profilesIn(
    pages.flatMap((page) =>
      nodesOf(page, 'Organization').flatMap(({ properties }) => textsOf(properties.sameAs)),
    ),
  )
  if (linked.size === 0 && declared.size === 0)
    return notApplicable('The site names no profiles on social networks.')
  const undeclared = [...linked].filter(([key]) => !declared.has(key)).map(([, url]) => url)
  const unlinked = [...declared].filter(([key]) => !linked.has(key)).map(([, url]) => url)
  if (undeclared.length === 0 && unlinked.length === 0) {
    return pass(
      `The ${counted(linked.size, 'linked profile')} and sameAs in the markup are the same.`,
      ...[...linked.values()].slice(0, 5).map((url) => ({ url: home.url, value: shown(url) })),
    )
  }
  return fail(
    `${listed([
      ...(undeclared.length > 0
        ? [
            `${undeclared.length} of ${counted(linked.size, 'profile')} that the page links ${undeclared.length === 1 ? 'is' : 'are'} not in sameAs of its JSON-LD`,
          ]
        : []),
      ...(unlinked.length > 0
        ? [
            `${unlinked.length} of ${counted(declared.size, 'profile')} in sameAs ${unlinked.length === 1 ? 'is' : 'are'} not linked on the page`,
          ]
        : []),
    ])}. Links in both directions confirm an identity.`,
    undeclared.length > 0
      ? `Add ${undeclared
          .slice(0, 3)
          .map((url) => shown(url))
          .join(' and ')} to sameAs of the Organization node.`
      : `Link ${unlinked
          .slice(0, 3)
          .map((url) => shown(url))
          .join(' and ')} from ${shown(home.url)}, or take it out of sameAs.`,
    ...undeclared
      .slice(0, 3)
      .map((url) => ({ url: home.url, value: `linked, not in sameAs: ${shown(url)}` })),
    ...unlinked.slice(0, 2).map((url) => ({ url: home.url, value: `in sameAs, not linked: ${shown(url)}` })),
  )
}

/** Whether the address is on a social network, as a profile or as a link for sharing. */
export function isSocial(url: string): boolean {
  return networks.has(registrableDomain(url))
}

/** Profiles by network and name, without links for sharing. */
export function profilesIn(urls: readonly string[]): ReadonlyMap<string, string> {
  const profiles = new Map<string, string>()
  for (const url of urls.slice(0, 2_000)) {
    const parsed = URL.parse(url)
    const network = networks.get(registrableDomain(url))
    if (!parsed || network === undefined || parsed.pathname === '/' || isSharing(parsed)) continue
    const [, path = ''] = /^[^/]*(\/.*)$/.exec(addressKey(`${parsed.origin}${parsed.pathname}`)) ?? []
    const key = `${network}${path.toLowerCase()}`
    if (!profiles.has(key) && profiles.size < 50) profiles.set(key, url)
  }
  return profiles
}

function isSharing({ pathname, searchParams }: URL): boolean {
  if (
    /^\/(?:sharer?|share|intent|sharearticle|shareArticle|dialog|pin\/create|submit|watch|embed|hashtag)\b/i.test(
      pathname,
    )
  )
    return true
  return searchParams.has('url') || searchParams.has('u') || searchParams.has('text')
}

/** Networks by registrable domain; a network with two domains is one. */
const networks = new Map([
  ['facebook.com', 'facebook'],
  ['instagram.com', 'instagram'],
  ['linkedin.com', 'linkedin'],
  ['x.com', 'x'],
  ['twitter.com', 'x'],
  ['youtube.com', 'youtube'],
  ['tiktok.com', 'tiktok'],
  ['pinterest.com', 'pinterest'],
  ['github.com', 'github'],
  ['threads.net', 'threads'],
  ['threads.com', 'threads'],
  ['bsky.app', 'bluesky'],
  ['mastodon.social', 'mastodon'],
  ['xing.com', 'xing'],
  ['vimeo.com', 'vimeo'],
  ['reddit.com', 'reddit'],
])

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.slice(0, 100).filter((one) => typeof one === 'string') : []
}
