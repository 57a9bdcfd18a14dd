import { isSameSite } from '../addresses.ts'
import { type Fingerprint, fingerprints, type ServiceKind } from './fingerprints.ts'

/**
 * Whether a script that a page loads serves something beside it: it counts visitors, asks for consent, opens a chat, draws
 * a map or loads a font. Such a script writes no content, so a short page that has nothing else is short, and no shell.
 * @param src as the page writes it
 */
export function isSideScript(src: string, base: string): boolean {
  const url = URL.parse(src.trim().slice(0, 2_048), base)
  if (url === null) return false
  const place = { host: url.hostname, path: url.pathname }
  const services = fingerprints.filter(({ kinds }) => kinds.every((kind) => sideKinds.has(kind)))
  // The maker of such a service runs its own site.
  if (isSameSite(url.href, base))
    return services.some(({ path }) => path !== undefined && place.path.includes(path))
  return (
    sideHosts.some((mark) => isAt(place, mark)) || services.some((service) => isLoadedFrom(service, place))
  )
}

/** A place of the web, against which the marks of services are held. */
export interface Place {
  readonly host: string
  readonly path: string
}

/** Whether a script, frame or style of this address is one of the service. */
export function isLoadedFrom({ loads = [], links = [], path }: Fingerprint, place: Place): boolean {
  return (
    [...loads, ...links].some((mark) => isAt(place, mark)) ||
    (path !== undefined && place.path.includes(path))
  )
}

/** @param mark a host with its subdomains, and optionally the beginning of a path */
export function isAt({ host, path }: Place, mark: string): boolean {
  const slash = mark.indexOf('/')
  const domain = slash === -1 ? mark : mark.slice(0, slash)
  if (host !== domain && !host.endsWith(`.${domain}`)) return false
  return slash === -1 || path.startsWith(mark.slice(slash))
}

/** Shops, calendars and lists of jobs are content, and a form may be all that a page is for. */
const sideKinds: ReadonlySet<ServiceKind> = new Set([
  'analytics',
  'retired-analytics',
  'tag-manager',
  'crm',
  'chat',
  'helpdesk',
])

/** Of services that tell nothing else of a business. */
const sideHosts: readonly string[] = [
  // Consent.
  ...['cookiebot.com', 'cookiebot.eu', 'usercentrics.eu', 'cookielaw.org', 'onetrust.com', 'cookieyes.com'],
  ...['cdn-cookieyes.com', 'cookiehub.net', 'cookiehub.eu', 'iubenda.com', 'termly.io', 'consentmanager.net'],
  ...['axept.io', 'axeptio.eu', 'didomi.io', 'privacy-center.org', 'osano.com', 'trustarc.com', 'ccm19.de'],
  ...['cookiefirst.com', 'cookie-script.com', 'cookieinformation.com', 'fundingchoicesmessages.google.com'],
  // Fonts and icons.
  ...['use.typekit.net', 'fontawesome.com', 'fonts.googleapis.com', 'ajax.googleapis.com/ajax/libs/webfont'],
  ...['fast.fonts.net'],
  // Maps.
  ...['maps.googleapis.com', 'maps.google.com', 'api.mapbox.com', 'api-maps.yandex.ru', 'dapi.kakao.com'],
  ...['oapi.map.naver.com', 'openapi.map.naver.com', 'js.api.here.com', 'unpkg.com/leaflet'],
  // Tests for robots.
  ...['google.com/recaptcha', 'gstatic.com/recaptcha', 'hcaptcha.com', 'challenges.cloudflare.com'],
  // Advertisements and counts that are no service of the table.
  ...['googletagmanager.com', 'google-analytics.com', 'connect.facebook.net', 'googleadservices.com'],
  ...[
    'pagead2.googlesyndication.com',
    'bat.bing.com',
    'static.ads-twitter.com',
    'stats.wp.com',
    'hotjar.com',
  ],
]
