import { registrableDomain } from '../../site/addresses.ts'

/** Whether the address is on a social network, as a profile or as a link for sharing. */
export function isSocial(url: string): boolean {
  return networks.has(registrableDomain(url))
}

/** An entry of one person in a register of researchers, or an account at a host of code: both lead to its owner. */
export function isScholarProfile(url: string): boolean {
  return /^https?:\/\/(?:www\.)?(?:orcid\.org\/\d{4}-|scholar\.google\.[a-z.]{2,6}\/citations\?|researchgate\.net\/profile\/|[\w-]+\.academia\.edu\/|dblp\.org\/pid\/|openreview\.net\/profile\?|semanticscholar\.org\/author\/|gitlab\.com\/[\w.-]+\/?$|codeberg\.org\/[\w.-]+\/?$|gitee\.com\/[\w.-]+\/?$|space\.bilibili\.com\/\d|(?:www\.)?zhihu\.com\/people\/|weibo\.com\/(?:u\/)?\w+\/?$|vk\.com\/[\w.]+\/?$|keybase\.io\/\w+\/?$|linktr\.ee\/[\w.-]+\/?$|[\w.-]+\/@[\w.]+\/?$)/i.test(
    url,
  )
}

/** For a profile outside of the networks, where each site has addresses of its own form: "orcid.org/0000-0001". */
export function keyElsewhere(url: string): string {
  const { hostname, pathname, searchParams } = new URL(url)
  const account = searchParams.get('user') ?? searchParams.get('id')
  const key = `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${account === null ? '' : `?${account}`}`
  return key.toLowerCase()
}

/** @param key of `profilesIn` or `keyElsewhere`. */
export function networkOf(key: string): string {
  return key.split('/', 1)[0] ?? ''
}

/**
 * Tells whether a profile is the only one of its network. A hostile footer links thousands, so they are counted once.
 * @param keys of `profilesIn` or `keyElsewhere`.
 */
export function aloneIn(keys: readonly string[]): (key: string) => boolean {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(networkOf(key), (counts.get(networkOf(key)) ?? 0) + 1)
  return (key) => counts.get(networkOf(key)) === 1
}

/** Profiles by network and name: no posts, files, repositories or links for sharing. */
export function profilesIn(urls: readonly string[]): ReadonlyMap<string, string> {
  const profiles = new Map<string, string>()
  for (const url of urls.slice(0, 2_000)) {
    const parsed = URL.parse(url)
    const network = networks.get(registrableDomain(url))
    if (!parsed || network === undefined || isSharing(parsed) || isSample(parsed.pathname)) continue
    if (ofNetwork.test(parsed.pathname)) continue
    const path = parsed.pathname.replace(/\/+$/, '')
    if (!(profilePaths.get(network) ?? /^\/[^/]+$/).test(path) || isFile(path)) continue
    const id = parsed.searchParams.get('id')
    const key = `${network}${path.toLowerCase()}${id === null ? '' : `?${id}`}`
    if (!profiles.has(key) && profiles.size < 50) profiles.set(key, withoutTracking(url))
  }
  return profiles
}

/** What a network says of itself, which privacy notices link. */
const ofNetwork =
  /^\/(?:policy\.php|policies|policy|privacy|legal|terms|tos|about|help|account|settings|docs|developers?|ads|business|mobile|cookies)(?:\/|\.php|$)/i

/** Who pasted "?utm_source=share" would carry it on. The number of a profile stays. */
function withoutTracking(address: string): string {
  const bare = new URL(address)
  const before = bare.searchParams.size
  for (const name of [...bare.searchParams.keys()])
    if (
      /^(?:utm_\w+|igsh(?:id)?|fbclid|gclid|mibextid|trk|lipi|ref(?:_src|erer)?|si|_[rt]|is_from_webapp|sender_device|lang|locale|hl)$/i.test(
        name,
      )
    )
      bare.searchParams.delete(name)
  return bare.searchParams.size === before ? address : bare.href
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

/** "/@yourusername": what a template has where the owner's name goes. */
function isSample(path: string): boolean {
  return /\/@?(?:your[_.-]?(?:user)?(?:name|page|company|business|brand|profile|account|handle|channel)|(?:user|page|company)[_-]?name|votre[_.-]?(?:page|compte|nom|profil|entreprise)|(?:dein|ihr)[_.-]?(?:profil|name|account)|tu[_.-]?(?:cuenta|usuario|pagina|empresa))(?:\/|$)/i.test(
    path,
  )
}

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
