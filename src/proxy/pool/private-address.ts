import { readAddress } from '../../platform/net/public-address.ts'

/**
 * Whether a private upstream may be connected to at this address: anywhere except the metadata services of
 * clouds, which hand out a machine's credentials. A name that leads there, by mistake or by an attack on the
 * DNS, would let callers read them.
 */
export function isAllowedPrivateAddress(ip: string): boolean {
  const address = readAddress(ip)
  if (address === undefined) return false
  if (address.kind() === 'ipv6' && ipv4Carriers.has(address.range())) return false
  // The deprecated form `::a.b.c.d`, which ipaddr.js calls unicast.
  if (address.toNormalizedString().startsWith('0:0:0:0:0:0:') && address.range() === 'unicast') return false
  return !metadataServices.has(address.toString())
}

/** Ranges of IPv6 addresses that contain an IPv4 address, which may be one of those below. */
const ipv4Carriers = new Set(['rfc6052', 'rfc6145', '6to4', 'teredo'])

const metadataServices = new Set([
  '169.254.169.254', // AWS, Google Cloud, Azure and most others
  '169.254.170.2', // AWS, credentials of containers
  '169.254.170.23', // AWS, credentials of pods
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS, credentials of pods
  'fd20:ce::254', // Google Cloud
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure, the agent of its virtual machines
  '192.0.0.192', // Oracle Cloud
])
