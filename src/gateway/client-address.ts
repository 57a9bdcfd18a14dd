import ipaddr from 'ipaddr.js'

/**
 * Whom an address stands for. Who has an IPv6 address has the 2^64 of its network, so the network is the
 * client, and an IPv4 address in IPv6's clothes is the one it is.
 * @returns `192.0.2.7`, `2001:db8:1:2::/64`, or `unknown` for what is no address.
 */
export function clientOf(address: string): string {
  if (plainIpv4.test(address)) return address
  const [bare = ''] = address.split('%')
  if (!ipaddr.isValid(bare)) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])
  return `${network.toString()}/64`
}

/** As a connection names it. */
const plainIpv4 = /^(?:\d{1,3}\.){3}\d{1,3}$/
