import { registrableDomain } from '../../../site/addresses.ts'
import type { Site } from '../../../site/site.ts'
import { addressSources } from './own-host.ts'

/**
 * The host of another domain that the site names as its true address: its canonical links, its sitemap with robots.txt,
 * and its markup, two of the three or more, and none names the domain that was read. Only the owner knows which is right.
 * A block with addresses of both would make the site contradict itself.
 */
export function otherDomainOf(site: Site): string | undefined {
  const named = addressSources(site)
    .map((addresses) => addresses.flatMap((one) => URL.parse(one)?.host ?? []))
    .filter((hosts) => hosts.length > 0)
  const hosts = named.flat()
  const domains = new Set(hosts.map(domainOf))
  const [host] = hosts
  const isOther = domains.size === 1 && host !== undefined && domainOf(host) !== site.registrableDomain
  return isOther && named.length >= 2 ? host : undefined
}

/** Whether a text holds addresses of the site and of the domain that it names. */
export function mixesDomains(text: string, site: Site): boolean {
  const other = otherDomainOf(site)
  if (other === undefined) return false
  const found = new Set(
    (text.match(/https?:\/\/[^\s"<>()/]+/g) ?? []).map((one) => registrableDomain(`${one}/`)),
  )
  return found.has(domainOf(other)) && found.has(site.registrableDomain)
}

function domainOf(host: string): string {
  return registrableDomain(`https://${host}/`)
}
