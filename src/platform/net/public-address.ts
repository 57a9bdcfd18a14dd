import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public internet. Everything that goes out on a stranger's word asks this:
 * one network forgotten here lets a caller read our cloud's metadata or talk to the database next door.
 */
export function isPublicAddress(ip: string): boolean {
  const address = readAddress(ip)
  if (address === undefined) return false
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return !cloudServices.has(address.toString())
  // The only block handed out so far. What lies outside is taken for unicast, `::/96` with a v4 address in it too.
  return address.match(globalUnicast)
}

/** An address as what it leads to: of one of v6 that maps one of v4, that one. Undefined for what is none. */
export function readAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const spelled = canonical(ip)
  return spelled === undefined ? undefined : ipaddr.process(spelled)
}

/**
 * The one spelling that ipaddr.js and the network understand alike: it reads `127.1` and `0x7f.1` as addresses,
 * and `::8.8.8.8` as the v4 address in it. A zone (`fe80::1%eth0`) belongs to a private address only.
 */
function canonical(ip: string): string | undefined {
  if (isIP(ip) !== 6) return isIP(ip) === 4 ? ip : undefined
  return URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1)
}

/** Azure answers virtual machines here (DNS, DHCP, their agent), though the address is a public one. */
const cloudServices = new Set(['168.63.129.16'])

/** https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
