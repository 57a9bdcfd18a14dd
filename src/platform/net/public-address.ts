import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public internet. Every connection to a target that a caller chose depends
 * on it: if one network were missing here, a caller could read our cloud's metadata or reach a database in
 * our network.
 */
export function isPublicAddress(ip: string): boolean {
  const address = readAddress(ip)
  if (address === undefined) return false
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return !cloudServices.has(address.toString())
  // The only block assigned so far. The library calls the rest unicast too, such as `::/96` with a v4 address
  // in it.
  return address.match(globalUnicast)
}

/**
 * Parses an address; a v6 address that maps a v4 address gives the v4 one.
 * @returns undefined for no address.
 */
export function readAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = canonical(ip)
  return text === undefined ? undefined : ipaddr.process(text)
}

/**
 * The spelling that ipaddr.js and the network read alike: ipaddr.js takes `127.1` and `0x7f.1` for addresses,
 * and `::8.8.8.8` for the v4 address in it. Addresses with a zone (`fe80::1%eth0`) are private.
 */
function canonical(ip: string): string | undefined {
  if (isIP(ip) !== 6) return isIP(ip) === 4 ? ip : undefined
  return URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1)
}

/** Azure serves virtual machines here (DNS, DHCP, their agent), though the address is public. */
const cloudServices = new Set(['168.63.129.16'])

/** https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
