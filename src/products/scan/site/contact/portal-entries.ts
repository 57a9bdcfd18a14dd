import { attributeOf } from '../html/elements.ts'
import type { Page } from '../site.ts'

/** A page about one business on a map or a portal, as the site links or embeds it. */
export interface PortalEntry {
  readonly portal: string
  readonly url: string
  /** What the link opens shows what customers wrote. */
  readonly hasReviews: boolean
  /** A link can stand in sameAs; the address of an embedded part cannot. */
  readonly isLink: boolean
}

/**
 * The entries on maps and portals of reviews that a page links or embeds, also by their short addresses. A link to
 * directions ("maps?daddr=…") or to the search of a map is no entry. Of a portal of which a page links three entries or more
 * it lists businesses of others, so none counts.
 */
export function portalEntriesOf({ links, elements }: Page): readonly PortalEntry[] {
  const embedded = elements.flatMap(({ name, node }) =>
    name === 'iframe' ? [{ url: attributeOf(node, 'src').replace(/^\/\//, 'https://'), isLink: false }] : [],
  )
  const found = new Map<string, PortalEntry>()
  for (const { url, isLink } of [...links.map(({ url: to }) => ({ url: to, isLink: true })), ...embedded]) {
    const entry = entryAt(url.slice(0, 2_000))
    if (entry !== undefined && !found.has(url)) found.set(url, { ...entry, url, isLink })
  }
  const all = [...found.values()]
  return all.filter(({ portal }) => all.filter((one) => one.portal === portal).length < 3)
}

function entryAt(url: string): Pick<PortalEntry, 'portal' | 'hasReviews'> | undefined {
  const parsed = URL.parse(url)
  if (parsed === null) return undefined
  const address = `${parsed.hostname.replace(/^(?:www|m|[a-z]{2}(?:-[a-z]{2})?)\./, '')}${parsed.pathname}${parsed.search}`
  for (const [portal, pattern] of reviewPortals)
    if (pattern.test(address)) return { portal, hasReviews: true }
  for (const [portal, pattern] of maps)
    if (pattern.test(address)) return { portal, hasReviews: reviewPart.test(address) }
  return undefined
}

/** The part of a map that shows or takes reviews. */
const reviewPart = /\/reviews?(?:[/?]|$)|\/(?:tab\/)?reviews|writereview|\/local\/reviews|!9m1!1b1/i

/** Whether an address opens the form in which customers write a review. */
export function isAddsReview(url: string): boolean {
  return /writereview|g\.page\/(?:r\/)?[\w-]+\/review/i.test(url)
}

/** Each tried on host, path and query, without "www." and the language in front. */
const maps: readonly (readonly [portal: string, pattern: RegExp])[] = [
  [
    'Google',
    /^(?:maps\.app\.goo\.gl\/\w|goo\.gl\/maps\/\w|g\.page\/\w|g\.co\/kgs\/\w|(?:maps\.)?google\.[a-z.]{2,6}\/(?:maps\/place\/\w|(?:maps\/?)?\?(?:.*&)?cid=\d)|search\.google\.[a-z.]{2,6}\/local\/)/i,
  ],
  [
    'Naver',
    /^(?:naver\.me\/\w|map\.naver\.com\/(?:p|v5)\/(?:entry|search\/[^/]+)\/place\/\d|(?:\w+\.)?place\.naver\.com\/\w+\/\d)/i,
  ],
  [
    'Kakao',
    /^(?:kko\.to\/\w|kko\.kakao\.com\/\w|place\.map\.kakao\.com\/\d|map\.kakao\.com\/.*[?&]itemid=\d)/i,
  ],
  ['Baidu', /^(?:j\.map\.baidu\.com\/\w|map\.baidu\.com\/poi\/)/i],
  ['Amap', /^(?:surl\.amap\.com\/\w|(?:ditu\.)?amap\.com\/place\/\w)/i],
  ['2GIS', /^(?:go\.2gis\.com\/\w|2gis\.[a-z]{2,3}(?:\.[a-z]{2})?\/(?:.*\/)?firm\/\d)/i],
  ['Yandex', /^yandex\.[a-z.]{2,6}\/(?:maps|profile)\/(?:.*\/)?(?:org\/|-\/|\d{6})/i],
  ['Apple', /^maps\.apple(?:\.com)?\/(?:p\/\w|place\?|\?(?:.*&)?auid=\d)/i],
  ['OpenStreetMap', /^openstreetmap\.org\/(?:node|way|relation)\/\d/i],
  ['Mapy', /^mapy\.(?:cz|com)\/(?:s\/\w|.*[?&]source=firm)/i],
  ['Doctolib', /^doctolib\.(?:de|fr|it)\/[\w-]+\/[\w-]+\/[\w-]/i],
]

const reviewPortals: readonly (readonly [portal: string, pattern: RegExp])[] = [
  ['Yelp', /^yelp\.[a-z.]{2,6}\/biz\/\w/i],
  ['Tripadvisor', /^tripadvisor\.[a-z.]{2,6}\/(?:hotel|restaurant|attraction)\w*_review/i],
  ['Jameda', /^jameda\.de\/(?!(?:suchen|termine)(?:\/|$))[\w-]+\/[\w-]/i],
  ['Sanego', /^sanego\.de\/arzt\//i],
  [
    'Docplanner',
    /^(?:doctoralia\.(?:es|com(?:\.(?:br|mx))?)|miodottore\.it|znanylekarz\.pl|doktortakvimi\.com)\/[\w-]+\/[\w-]/i,
  ],
  ['Healthgrades', /^healthgrades\.com\/(?:dentist|physician|providers|group-directory)\/\w/i],
  ['Zocdoc', /^zocdoc\.com\/(?:doctor|dentist|practice)\/\w/i],
  ['Trustpilot', /^trustpilot\.com\/review\/\w/i],
  ['ProvenExpert', /^provenexpert\.com\/(?:[a-z]{2}-[a-z]{2}\/)?[\w-]+\/?$/i],
  ['Checkatrade', /^checkatrade\.com\/trades\/\w/i],
  ['Dianping', /^dianping\.com\/shop\/\w/i],
  ['Tabelog', /^tabelog\.com\/(?:\w+\/){3}\d{6,}/i],
  ['Ekiten', /^ekiten\.jp\/shop_\d/i],
  ['Prodoctorov', /^prodoctorov\.ru\/[\w-]+\/(?:vrach|lpu)\//i],
]
