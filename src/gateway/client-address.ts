import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The client that an address is counted as. An IPv6 user controls all 2^64 addresses of a network, so the /64
 * network counts as one client. An IPv4-mapped IPv6 address counts as its IPv4 address.
 * @returns `192.0.2.7`, `2001:db8:1:2::/64`, or `unknown` for text that is not an address.
 */
export function clientOf(address: string): string {
  const client = networkOf(address)
  // Some proxies forward the address with a port, and one client uses many ports.
  return client === unknownAddress ? networkOf(withPort.exec(address)?.slice(1).join('') ?? '') : client
}

const unknownAddress = 'unknown'
const withPort = /^(?:\[([^\]]+)\]|([\d.]+)):\d{1,5}$/

function networkOf(address: string): string {
  // The library would also accept `1` and `127.1` as addresses.
  if (isIPv4(address)) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return unknownAddress
  const parsed = ipaddr.process(bare)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${network.toString()}/64`
}
