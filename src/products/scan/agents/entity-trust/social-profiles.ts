import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted, listed } from '../../findings/share.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import { registrableDomain, shown } from '../../site/addresses.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import type { Page, Site } from '../../site/site.ts'
import { ownProfiles } from './own-profiles.ts'

/**
 * Judges whether the profiles that the home page links equal those in sameAs. From two different lists an
 * engine builds two identities. Registers and encyclopedias are ignored: footers rarely link them, so they
 * may be in the markup alone.
 */
export function judgeProfiles(home: Page, site: Site): Outcome {
  const linked = ownProfiles(home, site)
  const declared = profilesIn(
    [
      ...ownEntities(site).map(({ node }) => node),
      ...nodesOf(home, 'WebPage', 'ProfilePage', 'AboutPage').filter(({ isTop }) => isTop),
    ].flatMap(({ properties }) => textsOf(properties.sameAs)),
  )
  if (linked.size === 0 && declared.size === 0)
    return notApplicable(
      'The home page links no profile of its own on a social network, and its markup names none.',
    )
  const anywhere = profilesIn(home.links.map(({ url }) => url))
  const undeclared = [...linked].filter(([key]) => !declared.has(key)).map(([, url]) => url)
  const unlinked = [...declared].filter(([key]) => !anywhere.has(key)).map(([, url]) => url)
  if (undeclared.length === 0 && unlinked.length === 0) {
    return pass(
      `The ${counted(declared.size, 'linked profile')} and sameAs in the markup are the same.`,
      ...[...declared.values()].slice(0, 5).map((url) => ({ url: home.url, value: shown(url) })),
    )
  }
  const hasMarkup = home.jsonLd.blocks > 0
  return fail(
    `${listed([
      ...(undeclared.length > 0
        ? [
            `${undeclared.length} of ${counted(linked.size, 'profile')} in networks that the page links ${undeclared.length === 1 ? 'is' : 'are'} not in sameAs of ${hasMarkup ? 'its JSON-LD' : 'any JSON-LD, because it has none'}`,
          ]
        : []),
      ...(unlinked.length > 0
        ? [
            `${unlinked.length} of ${counted(declared.size, 'profile')} in networks that sameAs lists ${unlinked.length === 1 ? 'is' : 'are'} not linked on the page`,
          ]
        : []),
    ])}. Links in both directions confirm an identity.`,
    undeclared.length > 0
      ? `Add ${undeclared
          .slice(0, 3)
          .map((url) => shown(url))
          .join(
            ' and ',
          )} to sameAs of ${hasMarkup ? 'the node that describes you' : 'an Organization or Person node that describes you'}.`
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

export function networkOf(key: string): string {
  return key.split('/', 1)[0] ?? ''
}

/** Profiles by network and name: no posts, files, repositories or links for sharing. */
export function profilesIn(urls: readonly string[]): ReadonlyMap<string, string> {
  const profiles = new Map<string, string>()
  for (const url of urls.slice(0, 2_000)) {
    const parsed = URL.parse(url)
    const network = networks.get(registrableDomain(url))
    if (!parsed || network === undefined || isSharing(parsed)) continue
    const path = parsed.pathname.replace(/\/+$/, '')
    if (!(profilePaths.get(network) ?? /^\/[^/]+$/).test(path) || isFile(path)) continue
    const id = parsed.searchParams.get('id')
    const key = `${network}${path.toLowerCase()}${id === null ? '' : `?${id}`}`
    if (!profiles.has(key) && profiles.size < 50) profiles.set(key, url)
  }
  return profiles
}

/** The form of a profile's path. In the other networks it is a single name. */
const profilePaths: ReadonlyMap<string, RegExp> = new Map([
  [
    'facebook',
    /^\/(?!(?:photos?|photo\.php|permalink\.php|story\.php|posts|events?|watch|reel|videos?)$)(?:profile\.php|(?:pages|people|groups|pg|p)\/[^/]+(?:\/\d+)?|[^/]+)$/i,
  ],
  ['instagram', /^\/(?!p$|reels?$|explore$|stories$)[\w.]+$/i],
  ['linkedin', /^\/(?:company|in|school|showcase|pub)\/[^/]+(?:\/(?:about|posts))?$/i],
  ['x', /^\/(?!i$|home$|search$|intent$|hashtag$)\w+$/i],
  ['youtube', /^\/(?:@[^/]+|(?:channel|c|user)\/[^/]+)$/i],
  ['tiktok', /^\/@[^/]+$/],
  ['threads', /^\/@[^/]+$/],
  ['mastodon', /^\/@[^/]+$/],
  ['bluesky', /^\/profile\/[^/]+$/],
  ['xing', /^\/(?:pages|companies|profile)\/[^/]+$/i],
  ['vimeo', /^\/(?!\d+$)[^/]+$/],
  ['reddit', /^\/(?:r|u|user)\/[^/]+$/i],
])

function isFile(path: string): boolean {
  return /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|mp4|js|css|md)$/i.test(path)
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
