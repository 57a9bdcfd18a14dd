import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve as resolvePath } from 'node:path'
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Upstream } from '../../core/catalog/upstreams.ts'
import { createConnector, lookUp, type Resolve } from '../../platform/net/connect.ts'
import { isPublicAddress } from '../../platform/net/public-address.ts'
import { isAllowedPrivateAddress } from './private-address.ts'

/**
 * Creates the connector that opens the connections to an upstream's targets. The operator chooses the
 * targets, but their names are looked up for each connection. So each connection checks the address: one in a
 * private network is refused unless the catalog allows it.
 *
 * @param options.folder from which the TLS files are named
 * @throws Error that names the upstream and the TLS file that is missing or unusable
 */
export async function createUpstreamConnector({
  name,
  upstream,
  folder,
  isAllowedAddress = upstream.private ? isAllowedPrivateAddress : isPublicAddress,
  resolve = lookUp,
}: {
  readonly name: string
  readonly upstream: Upstream
  readonly folder: string
  readonly isAllowedAddress?: ((ip: string) => boolean) | undefined
  readonly resolve?: Resolve | undefined
}): Promise<buildConnector.connector> {
  return createConnector({
    allowed: [],
    isAllowedAddress,
    resolve,
    tls: await readTls(name, upstream.tls, folder),
    timeoutMs: upstream.connectSeconds * 1_000,
  })
}

async function readTls(
  name: string,
  tls: Upstream['tls'],
  folder: string,
): Promise<Pick<ConnectionOptions, 'secureContext' | 'servername'> | undefined> {
  if (tls === undefined) return undefined
  const read = <Part>(file: string | undefined, parse: (pem: string) => Part) =>
    file === undefined ? undefined : readPart(name, resolvePath(folder, file), parse)
  const ca = await read(tls.caFile, certificatesOf)
  const certificate = await read(tls.certFile, certificatesOf)
  const key = await read(tls.keyFile, (pem) => {
    const parsed = createPrivateKey(pem)
    if (certificate?.[0]?.checkPrivateKey(parsed) === false)
      throw new Error('it belongs to another certificate')
    return pem
  })
  return {
    // Made once: as a list, the certificates would be parsed again for each connection.
    secureContext: createSecureContext({
      ...(ca && { ca: [...getCACertificates(), ...ca.map(String)] }),
      ...(certificate && { cert: certificate.join('') }),
      ...(key && { key }),
    }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  }
}

/** TLS ignores a file of authorities that it cannot parse, and then trusts none of them. */
function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Error('it contains no certificate in PEM')
  return blocks.map((block) => new X509Certificate(block))
}

async function readPart<Part>(name: string, path: string, parse: (pem: string) => Part): Promise<Part> {
  try {
    return parse(await readFile(path, 'utf8'))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`upstream ${name}: ${path} cannot be used: ${problem}`, { cause })
  }
}
