/**
 * Whether an address opens a map. "Directions" to a map says where a business is; it is no page of the site that was left
 * unread, and no page for contact.
 */
export function isMapAddress({ hostname, pathname }: URL): boolean {
  const host = hostname.replace(/^(?:www|m)\./, '')
  if (mapHosts.has(host)) return true
  if (/^maps?\./.test(host) && /(?:^|\.)(?:google|yandex|naver|kakao|baidu|apple|bing|here)\./.test(host))
    return true
  return /^(?:google|bing|yandex|goo|here)\.[a-z.]{2,7}$/.test(host) && /^\/maps?(?:\/|$)/.test(pathname)
}

const mapHosts: ReadonlySet<string> = new Set([
  ...['maps.app.goo.gl', 'openstreetmap.org', 'osm.org', 'waze.com', 'ul.waze.com', 'mapy.cz', 'mapy.com'],
  ...['2gis.ru', '2gis.com', 'naver.me', 'kko.to', 'what3words.com', 'w3w.co', 'amap.com', 'wego.here.com'],
])
