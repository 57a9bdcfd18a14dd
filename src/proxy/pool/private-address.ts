import { readAddress } from '../../platform/net/public-address.ts'

/**
 * Where an upstream that is marked as private may be connected to: everywhere but to the services that hand out a
 * machine's own credentials. No API is sold from there, and a name that is led there by mistake or by an attack on
 * the DNS would let callers read them.
 */
export function isAllowedPrivateAddress(ip: string): boolean {
  const address = readAddress(ip)
  if (address === undefined) return false
  if (address.kind() === 'ipv6' && carriers.has(address.range())) return false
  // Addresses of v4 in front of which nothing but zeros stands are written like any other of v6.
  if (address.toNormalizedString().startsWith('0:0:0:0:0:0:') && address.range() === 'unicast') return false
  return !metadata.has(address.toString())
}

/** Ways to write an address of v4 as one of v6: behind each, one of those below may stand. */
const carriers = new Set(['rfc6052', 'rfc6145', '6to4', 'teredo'])

const metadata = new Set([
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
