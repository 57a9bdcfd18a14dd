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
 * Opens the connections to an upstream's targets. The addresses come from the operator, but the names in them are
 * looked up for each connection, so what the DNS says is judged each time: one that leads into a private network is
 * refused unless the catalogue allows it.
 *
 * @param folder where the files of TLS are named from
 * @throws Error that names the upstream and the file that is missing or of no use
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
    // Made once: a list of certificates would be parsed again for each connection.
    secureContext: createSecureContext({
      ...(ca && { ca: [...getCACertificates(), ...ca.map(String)] }),
      ...(certificate && { cert: certificate.join('') }),
      ...(key && { key }),
    }),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
  }
}

/** TLS itself passes over a file of authorities that it cannot read, and then trusts none of them. */
function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Error('it holds no certificate in PEM')
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
