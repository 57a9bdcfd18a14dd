import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whom an address stands for. Who has an IPv6 address has the 2^64 of its network, so the network is the
 * client, and an IPv4 address in IPv6's clothes is the one it is.
 * @returns `192.0.2.7`, `2001:db8:1:2::/64`, or `unknown` for what is no address.
 */
export function clientOf(address: string): string {
  const client = networkOf(address)
  // Some proxies forward the port as well, of which a client has many.
  return client === unknownAddress ? networkOf(withPort.exec(address)?.slice(1).join('') ?? '') : client
}

const unknownAddress = 'unknown'
const withPort = /^(?:\[([^\]]+)\]|([\d.]+)):\d{1,5}$/

function networkOf(address: string): string {
  // `isValid` of the library takes `1` and `127.1` for addresses, too.
  if (isIPv4(address)) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return unknownAddress
  const parsed = ipaddr.process(bare)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${network.toString()}/64`
}
