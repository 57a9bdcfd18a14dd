import { isLentDomain, registrableDomain } from '../../../site/addresses.ts'
import { homeAddress } from '../../../site/below-home.ts'
import { ownFacts } from '../../../site/contact/contact-pages.ts'
import { mailAddressesOf } from '../../../site/contact/mail-addresses.ts'
import type { Page, Site } from '../../../site/site.ts'
import { addressSources } from './own-host.ts'

/** Another domain that may be the true one. */
export interface OtherDomain {
  readonly host: string
  /** `address`: the site names it as its own address. `contact`: only its mail addresses and texts have it. */
  readonly seenIn: 'address' | 'contact'
  /** A page that shows it. */
  readonly url: string
}

/**
 * The other domain that may be the true address of the site. Only the owner knows which is right. A block with addresses
 * of both would make the site contradict itself.
 *
 * Canonical links, sitemap with robots.txt, and markup tell it: two of the three or more, and none names the domain that
 * was read. Below a domain that a hosting service lends, one is enough, and a domain of the same name in the mail
 * addresses and texts tells it too: such a site is often the copy from which the owner's domain is served.
 */
export function otherDomainOf(site: Site): OtherDomain | undefined {
  const isLent = isLentDomain(site.origin)
  const [canonical = [], sitemap = [], markup = []] = addressSources(site).map((addresses) =>
    addresses.flatMap((one) => URL.parse(one)?.host ?? []).filter((host) => !isLocal(host)),
  )
  const named = [canonical, sitemap, markup].filter((hosts) => hosts.length > 0)
  const hosts = named.flat()
  const domains = new Set(hosts.map(domainOf))
  const [host] = hosts
  if (host === undefined) return isLent ? domainInContacts(site) : undefined
  const isEnough = named.length >= 2 || (isLent && canonical.length + markup.length > 0)
  return isEnough && domains.size === 1 && domainOf(host) !== site.registrableDomain
    ? { host, seenIn: 'address', url: homeAddress(site) }
    : undefined
}

/** "localhost:4000" is the computer on which the site was built, and nobody's true address. */
function isLocal(host: string): boolean {
  return /^(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[::1\])|\.(?:local|localhost|test|internal)(?::\d+)?$/i.test(
    host,
  )
}

/** Whether a text holds addresses of the site and of the domain that it names. */
export function mixesDomains(text: string, site: Site): boolean {
  const other = otherDomainOf(site)
  if (other === undefined) return false
  const found = new Set(
    (text.match(/https?:\/\/[^\s"<>()/]+/g) ?? []).map((one) => registrableDomain(`${one}/`)),
  )
  return found.has(domainOf(other.host)) && found.has(site.registrableDomain)
}

/**
 * The one domain in the mail addresses or written in a text that has the name of the lent one: `lind-dental.example` of
 * `linddental.github.io`. Any other may be that of an employer, of a mail service or of the web designer.
 */
function domainInContacts(site: Site): OtherDomain | undefined {
  const wanted = nameIn(site.registrableDomain)
  const found = [...ownFacts(site, mailDomains), ...ownFacts(site, writtenDomains)]
  const [host, ...others] = new Set(
    found
      .map(({ value }) => value)
      .filter(
        (domain) =>
          domain !== site.registrableDomain && !isLentDomain(domain) && isAlike(nameIn(domain), wanted),
      ),
  )
  const url = found.find(({ value }) => value === host)?.url
  return host !== undefined && url !== undefined && others.length === 0
    ? { host, seenIn: 'contact', url }
    : undefined
}

/** Whole, because `dentist.city.example` has nothing to do with the site of the city. */
function mailDomains(page: Page): readonly string[] {
  return mailAddressesOf(page).map((address) =>
    address
      .slice(address.lastIndexOf('@') + 1)
      .toLowerCase()
      .replace(/^(?:mail|www)\./, ''),
  )
}

/** "www.lind-dental.example" in the text of the page. */
function writtenDomains({ text }: Page): readonly string[] {
  return Array.from(
    text.slice(0, 100_000).matchAll(/(?<![\w@.-])www\.([a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63}){1,3})/gi),
    ([, domain = '']) => domain.toLowerCase(),
  ).slice(0, 100)
}

/** "linddental" of "lind-dental.example". */
function nameIn(domain: string): string {
  return (domain.split('.', 1)[0] ?? '').replace(/[^a-z0-9]/gi, '').toLowerCase()
}

function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && short.length * 2 >= long.length && long.includes(short)
}

function domainOf(host: string): string {
  return registrableDomain(`https://${host}/`)
}
